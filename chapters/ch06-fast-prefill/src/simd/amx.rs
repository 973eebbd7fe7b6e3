use std::arch::asm;
use std::arch::x86_64::*;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::OnceLock;

use super::{Avx512, Unpacked};

/// AMX: registers that are whole tiles. A value of this type proves that the CPU has them, AVX-512 with VNNI
/// beside them, and that the system lets this process use them.
#[derive(Clone, Copy, Debug)]
pub struct Amx(());

/// Why there are no tiles.
#[derive(Clone, Copy, Debug)]
pub enum NoAmx {
    Missing,
    Refused(i64), // the system's error number
}

impl Amx {
    /// Asks once. The system's answer holds for every thread, for as long as the process lives.
    pub fn detect() -> Result<Amx, NoAmx> {
        static ANSWER: OnceLock<Result<Amx, NoAmx>> = OnceLock::new();
        *ANSWER.get_or_init(|| match is_present() {
            true => ask(),
            false => Err(NoAmx::Missing),
        })
    }

    /// Configures this thread's tiles. They have one user at a time.
    pub fn tiles(self) -> Tiles {
        assert!(!IN_USE.replace(true), "this thread's tiles are in use");
        let mut shapes = Shapes {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: [0; 16],
            rows: [0; 16],
        };
        for tile in 0..8 {
            (shapes.rows[tile], shapes.row_bytes[tile]) = match tile {
                0..4 => (16, 64), // totals
                4..6 => (16, 32), // rows of x
                _ => (8, 64),     // columns of the weight
            };
        }
        // SAFETY: an `Amx` exists, so the instruction is there and permitted. It reads the 64 bytes of `shapes`,
        // which are in the form of palette 1: eight tiles of at most sixteen rows of at most 64 bytes.
        unsafe {
            asm!(
                "ldtilecfg [{shapes}]",
                shapes = in(reg) &raw const shapes,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack, preserves_flags, readonly),
            );
        }
        Tiles { of_this_thread: PhantomData }
    }
}

/// What `ldtilecfg` reads: how many rows each tile has, and of how many bytes.
#[repr(C)]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

thread_local! {
    static IN_USE: Cell<bool> = const { Cell::new(false) };
}

/// Bits of leaf 7 of `cpuid`, in edx: tiles, and products of bytes in them.
const CPU_HAS: u32 = 1 << 24 | 1 << 25;
/// Bits of `xgetbv`: the system saves the shapes of tiles and what's in them when it switches threads.
const SYSTEM_SAVES: u64 = 1 << 17 | 1 << 18;

fn is_present() -> bool {
    // How to ask for permission is known of Linux. With AVX-512 there's a leaf 7, and `xgetbv` as well.
    cfg!(target_os = "linux")
        && Avx512::<true>::detect().is_some()
        && __cpuid_count(7, 0).edx & CPU_HAS == CPU_HAS
        // SAFETY: `xgetbv` exists where the system has turned on AVX.
        && unsafe { _xgetbv(0) } & SYSTEM_SAVES == SYSTEM_SAVES
}

/// A process that uses tiles needs 8 KB more for each of its threads, and for a signal. So Linux wants to be asked.
fn ask() -> Result<Amx, NoAmx> {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let answer: i64;
    // SAFETY: the call takes two numbers and no pointer, and only permits something. A system call overwrites rax,
    // rcx and r11, as declared here, and doesn't use our stack.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => answer,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    if answer == 0 { Ok(Amx(())) } else { Err(NoAmx::Refused(-answer)) }
}

/// This thread's tiles: 0 to 3 for totals, 4 and 5 for rows of x, 6 and 7 for columns of the weight. Without a
/// configuration their instructions would end the process, so only `Amx::tiles` makes a value of this type, and it stays
/// in its thread.
///
/// What one block of assembly leaves in a tile the next one finds there: the compiler has no values of such a type, so it
/// has nothing to put there.
pub struct Tiles {
    of_this_thread: PhantomData<*const ()>,
}

/// What a tile of totals holds, in memory. [rows of x, rows of the weight]
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Totals([[i32; 16]; 16]);

/// So many products have been begun when the first is added.
const AHEAD: usize = 4;

/// Added to an integer it makes the bits of a float, 12,582,912 and the integer.
const TO_FLOAT: i32 = 0x4B40_0000;
const BACK: f32 = -12_582_912.0;

impl Tiles {
    /// Multiplies a group of sixteen rows of x with one of a panel.
    #[inline(always)]
    fn begin<const TO: usize, const X: usize, const WEIGHT: usize>(
        &self,
        x: &Unpacked,
        weight: &Unpacked,
    ) {
        // SAFETY: a `Tiles` exists, so this thread's tiles have their shapes. The first load reads sixteen rows of 32
        // bytes, the second eight columns of 64: each just the 512 bytes of `ints`. Nothing is written but three tiles.
        unsafe {
            asm!(
                "tilezero tmm{to}",
                "tileloadd tmm{x_tile}, [{x} + {x_row}*1]",
                "tileloadd tmm{weight_tile}, [{weight} + {column}*1]",
                "tdpbssd tmm{to}, tmm{x_tile}, tmm{weight_tile}",
                to = const TO,
                x_tile = const X,
                weight_tile = const WEIGHT,
                x = in(reg) &raw const x.ints,
                x_row = in(reg) 32_usize,
                weight = in(reg) &raw const weight.ints,
                column = in(reg) 64_usize,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack, preserves_flags, readonly),
            );
        }
    }

    /// Stores what is in a tile of totals.
    #[inline(always)]
    fn store<const FROM: usize>(&self, totals: &mut Totals) {
        // SAFETY: a `Tiles` exists, so a tile of totals has sixteen rows of 64 bytes, just what `totals` has.
        unsafe {
            asm!(
                "tilestored [{totals} + {row}*1], tmm{from}",
                from = const FROM,
                totals = in(reg) &raw mut *totals,
                row = in(reg) 64_usize,
                options(nostack, preserves_flags),
            );
        }
    }

    /// Begins product number `step`, and stores the totals of the one before the last.
    #[inline(always)]
    fn begin_and_store(
        &self,
        step: usize,
        (weight, x): (&Unpacked, &Unpacked),
        totals: &mut [Totals; AHEAD],
    ) {
        match step % AHEAD {
            0 => {
                self.begin::<0, 4, 6>(x, weight);
                self.store::<2>(&mut totals[2]);
            }
            1 => {
                self.begin::<1, 5, 7>(x, weight);
                self.store::<3>(&mut totals[3]);
            }
            2 => {
                self.begin::<2, 4, 6>(x, weight);
                self.store::<0>(&mut totals[0]);
            }
            _ => {
                self.begin::<3, 5, 7>(x, weight);
                self.store::<1>(&mut totals[1]);
            }
        }
    }

    /// Sixteen rows of x times some panels, whose bytes have signs. `done` gets the number of a panel and its sums.
    /// x: [groups], each as `Unpacked` with rows of 32 bytes, panels: [panels * groups]
    pub fn multiply(
        &self,
        minima: bool,
        x: &[Unpacked],
        panels: &[Unpacked],
        done: impl FnMut(usize, [[f32; 16]; 16]),
    ) {
        // SAFETY: a `Tiles` exists only where the CPU has AVX-512.
        unsafe {
            if minima {
                self.run::<true>(x, panels, done);
            } else {
                self.run::<false>(x, panels, done);
            }
        }
    }

    /// In each step a product begins, the totals of another are stored, and those of a third are added.
    #[target_feature(enable = "avx512f")]
    fn run<const MINIMA: bool>(
        &self,
        x: &[Unpacked],
        panels: &[Unpacked],
        mut done: impl FnMut(usize, [[f32; 16]; 16]),
    ) {
        let mut all = panels.iter().zip(x.iter().cycle());
        let Some(mut factors) = all.next() else { return };
        let mut totals = [Totals::default(); AHEAD];
        for step in 0..AHEAD {
            self.begin_and_store(step, factors, &mut totals);
            // After the last one it is begun again, and nobody asks for its totals.
            factors = all.next().unwrap_or(factors);
        }
        let (to_float, back) = (_mm512_set1_epi32(TO_FLOAT), _mm512_set1_ps(BACK));
        let mut step = 0;
        for (panel, weights) in panels.chunks_exact(x.len()).enumerate() {
            let mut sums = [_mm512_setzero_ps(); 16];
            for (weight, x) in weights.iter().zip(x) {
                self.begin_and_store(step, factors, &mut totals);
                factors = all.next().unwrap_or(factors);
                // SAFETY: this function is compiled for AVX-512; each load takes just the sixteen numbers.
                let [scales, minima] =
                    weight.factors.each_ref().map(|of| unsafe { _mm512_loadu_ps(of.as_ptr()) });
                let [of_x, minus_sums] = x.factors.each_ref().map(|numbers| numbers.as_ptr());
                let stored = totals[step % AHEAD].0.as_ptr();
                // Intrinsics would do, but the compiler moves them across the tiles' instructions, which then wait.
                macro_rules! row {
                    ($row:literal, $($convert:literal),*) => {
                        asm!(
                            "vmulps {scale}, {scales}, dword ptr [{of_x} + {x_at}]{{1to16}}",
                            $($convert,)*
                            "vfmadd231ps {sum}, {scale}, {total}",
                            "/* {to_float} {back} */", // which not every row needs
                            of_x = in(reg) of_x,
                            x_at = const 4 * $row,
                            scales = in(zmm_reg) scales,
                            stored = in(reg) stored,
                            at = const 64 * $row,
                            to_float = in(zmm_reg) to_float,
                            back = in(zmm_reg) back,
                            scale = out(zmm_reg) _,
                            total = out(zmm_reg) _,
                            sum = inout(zmm_reg) sums[$row],
                            options(nostack, preserves_flags, readonly),
                        );
                        if MINIMA {
                            asm!(
                                "vfmadd231ps {sum}, {minima}, dword ptr [{minus_sums} + {x_at}]{{1to16}}",
                                minus_sums = in(reg) minus_sums,
                                x_at = const 4 * $row,
                                minima = in(zmm_reg) minima,
                                sum = inout(zmm_reg) sums[$row],
                                options(nostack, preserves_flags, readonly),
                            );
                        }
                    };
                }
                macro_rules! by_adding {
                    ($($row:literal)*) => {$(
                        row!(
                            $row,
                            "vpaddd {total}, {to_float}, zmmword ptr [{stored} + {at}]",
                            "vaddps {total}, {total}, {back}"
                        );
                    )*};
                }
                macro_rules! four_rows {
                    ($($a:literal $b:literal $c:literal $d:literal,)*) => {$(
                        by_adding!($a $b $c);
                        row!($d, "vcvtdq2ps {total}, zmmword ptr [{stored} + {at}]");
                    )*};
                }
                // SAFETY: this function is compiled for AVX-512. Each block reads one of sixteen numbers of x, and one of
                // the sixteen rows of totals; it writes nothing but registers.
                unsafe {
                    four_rows!(0 1 2 3, 4 5 6 7, 8 9 10 11, 12 13 14 15,);
                }
                step += 1;
            }
            let mut numbers = [[0.0; 16]; 16];
            // A copy: what a loop goes through is in memory, and the sums should stay in registers.
            let finished = sums;
            for (sums, numbers) in finished.into_iter().zip(&mut numbers) {
                // SAFETY: the store takes just the sixteen numbers.
                unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), sums) };
            }
            done(panel, numbers);
        }
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: a `Tiles` exists, so the instruction is there. The shapes go, and with this value all that relied on
        // them.
        unsafe {
            asm!("tilerelease", options(nomem, nostack, preserves_flags));
        }
        IN_USE.set(false);
    }
}
