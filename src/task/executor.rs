//! Runs tasks until they need the host.

use std::future::Future;
use std::pin::Pin;
use std::task::{Poll, Waker};

use super::{Context, Effect, Outcome};

/// Names a task. No number is given twice, so that a late answer to a finished task cannot wake another; at
/// most 2^53 are given, which JavaScript's numbers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId(u64);

impl TaskId {
    /// The id as the host sees it.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The id of a number that came back from the host.
    pub fn from_number(number: u64) -> TaskId {
        TaskId(number)
    }
}

/// The progress of a task.
pub enum Progress<T> {
    /// It is done.
    Done(T),
    /// It waits for these effects, and for earlier ones that are still out.
    Waiting {
        /// Which task to resume.
        task: TaskId,
        /// The effects asked since the last step, by number.
        effects: Vec<(u32, Effect)>,
    },
    /// There is no such task: it is done, was cancelled, or never was.
    Gone,
}

/// A task between two steps.
pub struct Task<T> {
    future: Pin<Box<dyn Future<Output = T>>>,
    context: Context,
}

/// The tasks that wait.
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
    /// Starts a task and runs it until it is done or waits.
    pub fn start(
        &mut self,
        context: Context,
        future: Pin<Box<dyn Future<Output = T>>>,
    ) -> Progress<T> {
        let id = TaskId(self.started);
        self.started += 1;
        self.run(id, Task { future, context })
    }

    /// Resumes a task with outcomes and runs it on.
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

    /// Removes a task, wherever it is.
    pub fn cancel(&mut self, id: TaskId) -> Option<Task<T>> {
        let place = self.tasks.iter().position(|(waiting, _)| *waiting == id)?;
        Some(self.tasks.swap_remove(place).1)
    }

    /// How many tasks are waiting.
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
