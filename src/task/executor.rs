//! Runs tasks until they need the host.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::mailbox::Mailbox;
use super::{Context, Effect, Outcome};

/// Names a task: its slot and the slot's generation, so that a late answer to a finished task
/// cannot wake its successor. At most 2^52, which JavaScript's numbers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskId(u64);

const SLOT_BITS: u32 = 20;

impl TaskId {
    /// The id as the host sees it.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The id of a number that came back from the host.
    pub fn from_number(number: u64) -> TaskId {
        TaskId(number)
    }

    fn new(slot: usize, generation: u32) -> TaskId {
        TaskId((u64::from(generation) << SLOT_BITS) | slot as u64)
    }

    fn slot(self) -> usize {
        (self.0 & ((1 << SLOT_BITS) - 1)) as usize
    }

    fn generation(self) -> u64 {
        self.0 >> SLOT_BITS
    }
}

/// How far a task came.
pub enum Progress<T> {
    /// It is done.
    Done(T),
    /// It waits for these effects, and for those asked earlier that are still out.
    Waiting {
        /// Which task to resume.
        task: TaskId,
        /// The effects asked since the last step, by number.
        effects: Vec<(u32, Effect)>,
    },
    /// There is no such task: it is done, was cancelled, or never was.
    Gone,
}

struct Task<T> {
    future: Pin<Box<dyn Future<Output = T>>>,
    context: Context,
}

struct Slot<T> {
    generation: u32,
    task: Option<Task<T>>,
}

/// A slab of tasks.
pub struct Executor<T> {
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
}

impl<T> Default for Executor<T> {
    fn default() -> Executor<T> {
        Executor {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Executor<T> {
    /// Starts a task and runs it until it is done or waits.
    pub fn start(
        &mut self,
        context: Context,
        future: Pin<Box<dyn Future<Output = T>>>,
    ) -> Progress<T> {
        let mut task = Task { future, context };
        match poll(&mut task) {
            Poll::Ready(value) => Progress::Done(value),
            Poll::Pending => {
                let effects = posted(&task);
                Progress::Waiting {
                    task: self.keep(task),
                    effects,
                }
            }
        }
    }

    /// Hands outcomes to a task and runs it on.
    pub fn resume(&mut self, id: TaskId, now: i64, outcomes: Vec<(u32, Outcome)>) -> Progress<T> {
        let Some(slot) = self.slots.get_mut(id.slot()) else {
            return Progress::Gone;
        };
        if u64::from(slot.generation) != id.generation() {
            return Progress::Gone;
        }
        let Some(task) = slot.task.as_mut() else {
            return Progress::Gone;
        };
        task.context.set_now(now);
        for (number, outcome) in outcomes {
            task.context.mailbox().borrow_mut().deliver(number, outcome);
        }
        match poll(task) {
            Poll::Ready(value) => {
                self.release(id.slot());
                Progress::Done(value)
            }
            Poll::Pending => Progress::Waiting {
                task: id,
                effects: posted(task),
            },
        }
    }

    /// Drops a task, wherever it is.
    pub fn cancel(&mut self, id: TaskId) {
        let current = self
            .slots
            .get(id.slot())
            .map(|slot| u64::from(slot.generation));
        if current == Some(id.generation()) {
            self.release(id.slot());
        }
    }

    /// How many tasks are waiting.
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether no task is waiting.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keep(&mut self, task: Task<T>) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                task: None,
            });
            self.slots.len() - 1
        });
        match self.slots.get_mut(index) {
            Some(slot) => {
                slot.task = Some(task);
                TaskId::new(index, slot.generation)
            }
            None => TaskId::new(index, 0),
        }
    }

    fn release(&mut self, index: usize) {
        if let Some(slot) = self.slots.get_mut(index)
            && slot.task.take().is_some()
        {
            slot.generation = slot.generation.wrapping_add(1);
            self.free.push(index);
        }
    }
}

fn poll<T>(task: &mut Task<T>) -> Poll<T> {
    task.future
        .as_mut()
        .poll(&mut std::task::Context::from_waker(Waker::noop()))
}

fn posted<T>(task: &Task<T>) -> Vec<(u32, Effect)> {
    task.context.mailbox().borrow_mut().take_posted()
}

/// A fresh mailbox.
pub(super) fn mailbox() -> Rc<RefCell<Mailbox>> {
    Rc::new(RefCell::new(Mailbox::default()))
}
