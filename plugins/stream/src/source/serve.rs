//! Streams from one input to the queue.

use super::messages::{Broken, Message, Messages, Patience};
use super::outlet::Outlet;
use crate::Operation;
use std::io::Read;
use std::time::Duration;

/// What is done about a message that stops in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnStall {
    /// Say so once and wait on: nobody else can send this stream again.
    Wait,
    /// Give the stream up: others may want its place.
    HangUp,
}

/// Reads streams until the input ends or something is wrong with it; the input comes back in either case.
pub(super) fn serve<R: Read>(input: R, outlet: &Outlet, on_stall: OnStall) -> (R, Result<(), Broken>) {
    let patience = Waiting { outlet, on_stall, said: false };
    let mut messages = Messages::new(input, patience, &outlet.shared.limits);
    let result = pass_on(&mut messages, outlet);
    (messages.into_input(), result)
}

fn pass_on<R: Read, P: Patience>(messages: &mut Messages<R, P>, outlet: &Outlet) -> Result<(), Broken> {
    let mut operation = Operation::default();
    while let Some(message) = messages.next()? {
        match message {
            Message::Schema(schema) => operation = outlet.admit(&schema, None).map_err(Broken::Refused)?,
            Message::Batch(batch) if !outlet.rows(operation, &batch) => return Err(Broken::Closed),
            Message::Batch(_) | Message::EndOfStream => {}
        }
    }
    Ok(())
}

/// Waits for as long as somebody listens, and tells of a message that does not go on.
struct Waiting<'a> {
    outlet: &'a Outlet,
    on_stall: OnStall,
    /// Whether the message that stopped was told of.
    said: bool,
}

impl Patience for Waiting<'_> {
    fn wait(&mut self, within: bool, quiet: Duration) -> Result<(), Broken> {
        let shared = &self.outlet.shared;
        if shared.queue.is_closed() {
            return Err(Broken::Closed);
        }
        if !within || quiet < shared.limits.stall {
            self.said &= within && !quiet.is_zero();
            return Ok(());
        }
        if self.on_stall == OnStall::HangUp {
            return Err(Broken::Stalled(shared.limits.stall));
        }
        if !std::mem::replace(&mut self.said, true) {
            let stall = shared.limits.stall;
            self.outlet.trouble(format!("a message stopped in the middle {stall:?} ago; waiting for the rest"));
        }
        Ok(())
    }
}
