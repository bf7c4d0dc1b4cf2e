//! One instance of the engine: its shared state and its running tasks.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::hooks::Registry;
use crate::http::{Request, Response, Rest, error_response};
use crate::jobs::job_table;
use crate::rest::routes::Route;
pub use crate::task::{Configuration, KeepDays};
use crate::task::{Context, Executor, Outcome, Progress, Shared, TaskId};

/// A handler's future.
pub type Handling = Pin<Box<dyn Future<Output = Response>>>;

/// Generates one engine method for each job.
macro_rules! jobs {
    ($($(#[$about:meta])* $name:ident $export:literal $job:path;)*) => {$(
        $(#[$about])*
        pub fn $name(&mut self, request: Request) -> Progress<Response> {
            self.start(request, |cx, request| Box::pin(async move {
                let done = $job(&cx, &request).await;
                done.unwrap_or_else(|error| error_response(&error, &request.request_id))
            }))
        }
    )*};
}

/// One instance of the engine.
pub struct Engine {
    shared: Rc<Shared>,
    executor: Executor<Response>,
}

impl Engine {
    /// Creates an engine for a host with this configuration.
    pub fn new(configuration: Configuration) -> Engine {
        Engine {
            shared: Rc::new(Shared::new(configuration)),
            executor: Executor::default(),
        }
    }

    /// The shared state, which the boundary's synchronous calls use.
    pub fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    /// Changes the site's public URL; empty for none.
    pub fn set_public_url(&mut self, url: &str) {
        self.shared.set_public_url(url);
    }

    /// The hook registry.
    pub fn hooks(&self) -> Rc<RefCell<Registry>> {
        self.shared.state()
    }

    /// Starts handling a REST request by method and path.
    pub fn handle(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::rest::handle(cx, request))
        })
    }

    /// Starts handling a REST request by a named route.
    pub fn call(&mut self, route: &'static Route, request: Request) -> Progress<Response> {
        self.start(request, move |cx, request| {
            Box::pin(crate::rest::call(cx, route, request))
        })
    }

    /// Starts handling a visitor's request below the front prefix.
    pub fn visit(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::front::visit(cx, request))
        })
    }

    job_table!(jobs);

    /// Starts writing the counts of browser events. The response is a 204, or a 500 if the write failed; then the
    /// counts are kept for the next call.
    pub fn flush_events(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, _| {
            Box::pin(crate::analytics::flush_events(cx))
        })
    }

    /// Resumes a task with outcomes of its effects.
    pub fn resume(
        &mut self,
        task: TaskId,
        now: i64,
        outcomes: Vec<(u32, Outcome)>,
    ) -> Progress<Response> {
        self.executor.resume(task, now, outcomes)
    }

    /// Cancels a task.
    pub fn cancel(&mut self, task: TaskId) {
        self.executor.cancel(task);
    }

    fn start(
        &mut self,
        request: Request,
        handler: impl FnOnce(Context, Request) -> Handling,
    ) -> Progress<Response> {
        let context = Context::new(Rc::clone(&self.shared), request.now);
        let context = context.at(request.base_url.as_deref());
        let handling = handler(context.clone(), request);
        let future = Box::pin(completed(context.clone(), handling));
        self.executor.start(context, future)
    }
}

/// Awaits a handler's response. Sends a streamed response here, and returns a 200 after its end, or a 500 if it broke
/// off.
async fn completed(cx: Context, handling: Handling) -> Response {
    let response = handling.await;
    let Some(Rest(rest)) = response.rest else {
        return response;
    };
    let sent = async {
        cx.begin_answer(response.status, response.headers, response.body)
            .await?;
        rest.await
    };
    let mut end = Response::empty(200);
    if let Err(error) = sent.await {
        end.status = 500;
        end.log = Some(error.to_string());
    }
    end
}
