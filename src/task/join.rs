//! Waits for several futures concurrently, without wake-ups.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// A future, and its output once it is done.
type Waiting<F> = (Pin<Box<F>>, Option<<F as Future>::Output>);

/// Polls all futures in each step until all are done, so that the host can perform their effects concurrently. Returns
/// the outputs in the order of the futures.
pub async fn all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<Waiting<F>> = futures
        .into_iter()
        .map(|future| (Box::pin(future), None))
        .collect();
    poll_fn(|context| {
        let mut pending = false;
        for (future, output) in waiting.iter_mut().filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(value) => *output = Some(value),
                Poll::Pending => pending = true,
            }
        }
        if pending {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    waiting
        .into_iter()
        .filter_map(|(_, output)| output)
        .collect()
}
