//! Standard input, in a way that does not wait for ever.

use std::io::{self, Read};

/// Standard input without a buffer of its own.
pub(super) struct StandardInput;

#[cfg(unix)]
impl Read for StandardInput {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let input = io::stdin();
        let wait = Timespec { tv_sec: 0, tv_nsec: super::NAP.as_nanos() as _ };
        let mut ready = [PollFd::new(&input, PollFlags::IN)];
        if poll(&mut ready, Some(&wait))? == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(rustix::io::read(&input, space)?)
    }
}

#[cfg(not(unix))]
impl Read for StandardInput {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        io::stdin().lock().read(space)
    }
}
