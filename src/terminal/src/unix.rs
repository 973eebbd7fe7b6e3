//! Signals at a prompt: the terminal is left as it was, and Ctrl-C is noticed.

use std::io::{self, Write};
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// What the editor has switched on beside the terminal's own settings: marks around what is pasted.
const NO_MARKS: &[u8] = b"\x1b[?2004l";

/// From now on a signal that ends the program first gives the terminal back, if a line is being edited.
pub fn restore_at_the_end() -> io::Result<()> {
    let before = tcgetattr(io::stdin())?;
    let mut signals = Signals::new([SIGHUP, SIGTERM])?;
    thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let now = tcgetattr(io::stdin());
            if now.is_ok_and(|now| now.local_modes != before.local_modes) {
                // The program is about to end: there is no other way to end if one of these fails.
                let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
                let _ = io::stdout().write_all(NO_MARKS).and_then(|()| io::stdout().flush());
            }
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Waits until there is a line to read, or `interrupted`: reading by itself goes on after a signal.
pub fn wait_for_line(interrupted: &dyn Fn() -> bool) -> io::Result<bool> {
    let moment = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    loop {
        if interrupted() {
            return Ok(true);
        }
        match poll(&mut [PollFd::new(&io::stdin(), PollFlags::IN)], Some(&moment)) {
            Ok(0) | Err(Errno::INTR) => {}
            ready => return ready.map(|_| false).map_err(io::Error::from),
        }
    }
}
