//! Where a task leaves its effects and finds their outcomes.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::{Effect, Outcome};

/// The effects that a task has posted and the outcomes that have come back, by number.
#[derive(Default)]
pub(super) struct Mailbox {
    next: u32,
    posted: Vec<(u32, Effect)>,
    /// Few at a time.
    arrived: Vec<(u32, Outcome)>,
}

impl Mailbox {
    fn post(&mut self, effect: Effect) -> u32 {
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        self.posted.push((number, effect));
        number
    }

    /// Takes what was posted since the last call.
    pub(super) fn take_posted(&mut self) -> Vec<(u32, Effect)> {
        std::mem::take(&mut self.posted)
    }

    /// Files an outcome for the await that waits for it.
    pub(super) fn deliver(&mut self, number: u32, outcome: Outcome) {
        self.arrived.push((number, outcome));
    }
}

/// The future of an effect's outcome.
pub(super) struct PendingOutcome {
    mailbox: Rc<RefCell<Mailbox>>,
    state: State,
}

enum State {
    Unsent(Option<Effect>),
    Sent(u32),
}

impl PendingOutcome {
    pub(super) fn new(mailbox: Rc<RefCell<Mailbox>>, effect: Effect) -> PendingOutcome {
        PendingOutcome {
            mailbox,
            state: State::Unsent(Some(effect)),
        }
    }
}

impl Future for PendingOutcome {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Outcome> {
        let this = self.get_mut();
        let mut mailbox = this.mailbox.borrow_mut();
        match &mut this.state {
            State::Unsent(effect) => {
                if let Some(effect) = effect.take() {
                    this.state = State::Sent(mailbox.post(effect));
                }
                Poll::Pending
            }
            State::Sent(number) => {
                let mut arrived = mailbox.arrived.iter();
                match arrived.position(|(own, _)| own == number) {
                    Some(place) => Poll::Ready(mailbox.arrived.swap_remove(place).1),
                    None => Poll::Pending,
                }
            }
        }
    }
}
