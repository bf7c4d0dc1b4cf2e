//! Runs tasks until they need the host.

use std::future::Future;
use std::pin::Pin;
use std::task::{Poll, Waker};

use super::{Context, Effect, Outcome};

/// The id of a task. Ids are never reused, so that a late outcome for a finished task cannot resume another. They
/// stay below 2^53, the limit of JavaScript's integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(u64);

impl TaskId {
    /// The id as the host sees it.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Restores an id from its number.
    pub fn from_number(number: u64) -> TaskId {
        TaskId(number)
    }
}

/// The progress of a task.
pub enum Progress<T> {
    /// The task is done.
    Done(T),
    /// The task waits for these effects, and for earlier effects that are still running.
    Waiting {
        /// The id of the task to resume.
        task: TaskId,
        /// The effects requested since the last step, by number.
        effects: Vec<(u32, Effect)>,
    },
    /// There is no such task: it is done, was cancelled, or never existed.
    Gone,
}

/// A task that waits between two steps.
pub struct Task<T> {
    future: Pin<Box<dyn Future<Output = T>>>,
    context: Context,
}

/// Runs tasks, and stores those that wait for effects.
pub struct Executor<T> {
    tasks: Vec<(TaskId, Task<T>)>,
    started: u64,
}

impl<T> Default for Executor<T> {
    fn default() -> Executor<T> {
        Executor {
            tasks: Vec::new(),
            started: 0,
        }
    }
}

impl<T> Executor<T> {
    /// Starts a task, and runs it until it is done or waits.
    pub fn start(
        &mut self,
        context: Context,
        future: Pin<Box<dyn Future<Output = T>>>,
    ) -> Progress<T> {
        let id = TaskId(self.started);
        self.started += 1;
        self.run(id, Task { future, context })
    }

    /// Resumes a task with outcomes, and runs it until it is done or waits.
    pub fn resume(&mut self, id: TaskId, now: i64, outcomes: Vec<(u32, Outcome)>) -> Progress<T> {
        let Some(task) = self.cancel(id) else {
            return Progress::Gone;
        };
        task.context.set_now(now);
        for (number, outcome) in outcomes {
            task.context.mailbox().borrow_mut().deliver(number, outcome);
        }
        self.run(id, task)
    }

    /// Removes a waiting task.
    pub fn cancel(&mut self, id: TaskId) -> Option<Task<T>> {
        let place = self.tasks.iter().position(|(waiting, _)| *waiting == id)?;
        Some(self.tasks.swap_remove(place).1)
    }

    /// The number of waiting tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether no task is waiting.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    fn run(&mut self, id: TaskId, mut task: Task<T>) -> Progress<T> {
        let mut waker = std::task::Context::from_waker(Waker::noop());
        if let Poll::Ready(value) = task.future.as_mut().poll(&mut waker) {
            return Progress::Done(value);
        }
        let effects = task.context.mailbox().borrow_mut().take_posted();
        self.tasks.push((id, task));
        Progress::Waiting { task: id, effects }
    }
}
