#!/bin/sh
# Runs programs on an emulated CPU with AMX: amx.sh BOCHS VMLINUZ PROGRAM... See README.md beside this file.
set -eu
bochs=$1 vmlinuz=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root/bin" "$work/root/proc" "$work/root/dev" "$work/root/tmp" "$work/iso"
cp "$(command -v busybox)" "$work/root/bin/busybox"
cp "$@" "$work/root/"
{
    echo '#!/bin/busybox sh'
    echo 'busybox mount -t proc proc /proc; busybox mount -t devtmpfs dev /dev'
    for program; do echo "/$(basename "$program"); echo \"ended with \$?\""; done
    # Bochs ends when it reads this word at port 8900.
    echo 'for c in S h u t d o w n; do printf $c | busybox dd of=/dev/port bs=1 seek=35072 2>/dev/null; done'
} >"$work/root/init"
chmod +x "$work/root/init"
mknod "$work/root/dev/console" c 5 1
(cd "$work/root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/iso/initrd.gz"
cp "$vmlinuz" "$work/iso/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/iso/"
cat >"$work/iso/isolinux.cfg" <<'END'
DEFAULT linux
LABEL linux
  KERNEL /vmlinuz
  APPEND initrd=/initrd.gz console=ttyS0 quiet cpuidle.off=1 acpi=off lsm=yama mitigations=off nopti nokaslr tsc=reliable no_timer_check lpj=4000000 panic=1
END
genisoimage -quiet -o "$work/boot.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table "$work/iso"
cat >"$work/bochsrc" <<END
display_library: nogui
memory: guest=512, host=512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/vgabios/vgabios.bin
boot: cdrom
ata0-master: type=cdrom, path=$work/boot.iso, status=inserted
cpu: model=sapphire_rapids, count=1, ips=100000000, reset_on_triple_fault=0
clock: sync=none
com1: enabled=1, mode=file, dev=$work/told
log: $work/log
panic: action=fatal
END
"$bochs" -q -f "$work/bochsrc" >"$work/out" 2>&1 || true
cat "$work/told"
