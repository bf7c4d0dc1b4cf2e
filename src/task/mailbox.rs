//! The mailbox between a task and the executor: posted effects and arrived outcomes.

use std::cell::RefCell;
use std::future::poll_fn;
use std::task::Poll;

use super::{Effect, Outcome};

/// A task's posted effects and arrived outcomes. An outcome has the number of its effect.
#[derive(Default)]
pub(super) struct Mailbox {
    next: u32,
    posted: Vec<(u32, Effect)>,
    /// The arrived outcomes that no `await` has taken yet. They are few, so a list suffices.
    arrived: Vec<(u32, Outcome)>,
}

impl Mailbox {
    fn post(&mut self, effect: Effect) -> u32 {
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        self.posted.push((number, effect));
        number
    }

    /// Takes the effects that were posted since the last call.
    pub(super) fn take_posted(&mut self) -> Vec<(u32, Effect)> {
        std::mem::take(&mut self.posted)
    }

    /// Stores an outcome for the `await` that waits for it.
    pub(super) fn deliver(&mut self, number: u32, outcome: Outcome) {
        self.arrived.push((number, outcome));
    }
}

/// Posts an effect and waits for its outcome.
pub(super) async fn ask(mailbox: &RefCell<Mailbox>, effect: Effect) -> Outcome {
    let number = mailbox.borrow_mut().post(effect);
    poll_fn(|_| {
        let mut mailbox = mailbox.borrow_mut();
        let mut arrived = mailbox.arrived.iter();
        match arrived.position(|(arrived_number, _)| *arrived_number == number) {
            Some(place) => Poll::Ready(mailbox.arrived.swap_remove(place).1),
            None => Poll::Pending,
        }
    })
    .await
}
