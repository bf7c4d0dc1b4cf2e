//! One instance of the engine: its configuration, its caches and its running tasks.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use serde::Deserialize;

use crate::analytics::{Gathered, Guard};
use crate::forms::SchemaCache;
use crate::front::EventForms;
use crate::hooks::Registry;
use crate::http::{Request, Response, Rest};
use crate::rest::routes::Route;
use crate::store::Dialect;
use crate::store::answer_names::KnownNames;
use crate::task::{Context, Executor, Outcome, Port, Progress, TaskId};

/// What the host tells the engine once, at the start.
#[derive(Clone, Debug, Deserialize)]
pub struct Configuration {
    /// Which SQL the database speaks.
    pub dialect: Dialect,
    /// The site's address without a trailing slash, such as `https://example.org`, for requests that
    /// name none of their own.
    pub base_url: String,
    /// The address that mails, cron and signed links name. Empty where none was configured: then they
    /// carry no links.
    #[serde(default)]
    pub public_url: String,
    /// Where the REST API hangs below the site's address, such as `/api`.
    pub rest_root: String,
    /// Where visitors' pages hang below the site's address, such as `/forms`.
    pub front_prefix: String,
    /// The optional ports that the host has.
    #[serde(default)]
    pub ports: Vec<Port>,
    /// The file names of the front's assets, by kind: `style` and `script`.
    #[serde(default)]
    pub assets: BTreeMap<String, String>,
    /// The catalogues of languages: texts by the keys of messages, by language tag in lower case.
    #[serde(default)]
    pub languages: BTreeMap<String, BTreeMap<String, String>>,
    /// The sender of mails whose action names none.
    #[serde(default)]
    pub mail_from: String,
    /// Where visitors sign in: an address that takes `redirect_to`, a path of this site. Empty for
    /// nowhere.
    #[serde(default)]
    pub sign_in_url: String,
    /// The host's own secret, part of the key that encrypts secrets in the database. Without it the
    /// database alone suffices to read them.
    #[serde(default)]
    pub secret: String,
    /// The name of the one process that has it, the same after a restart: it frees what it held. Empty
    /// for none.
    #[serde(default)]
    pub instance: String,
    /// How long what is over is kept.
    #[serde(default)]
    pub keep_days: KeepDays,
}

/// How many days what is over is kept; 0 keeps it for ever.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct KeepDays {
    /// Entries of the queue that were completed.
    pub completed: i64,
    /// Entries that failed for good and were not retried.
    pub failed: i64,
    /// Entries of the log.
    pub logs: i64,
    /// Submissions that their forms do not keep, after an action of theirs failed for good. The
    /// others go with their last action.
    pub unsaved: i64,
}

impl Default for KeepDays {
    fn default() -> KeepDays {
        KeepDays {
            completed: 30,
            failed: 90,
            logs: 90,
            unsaved: 30,
        }
    }
}

/// What all tasks of an instance share. Nothing durable: an instance may be replaced at any time.
pub struct Shared {
    configuration: Configuration,
    /// The site's secret key, once it has been read from the database.
    pub(crate) site_key: OnceCell<Vec<u8>>,
    /// The key that tells visitors apart today, by its UTC day.
    pub(crate) visitor_key: RefCell<Option<(String, Vec<u8>)>>,
    /// What browsers' events count, until it is written.
    pub(crate) gathered: RefCell<Gathered>,
    /// What keeps one sender from counting too much.
    pub(crate) guard: RefCell<Guard>,
    /// The fields of the forms that events came for.
    pub(crate) event_forms: RefCell<EventForms>,
    /// The schemas derived from markup, by form and revision.
    pub(crate) schemas: RefCell<SchemaCache>,
    /// The names of answers that are known to be recorded.
    pub(crate) answer_names: RefCell<KnownNames>,
    /// Up to which form this purge has deleted what is older than forms keep it.
    pub(crate) aged_forms: Cell<i64>,
    /// The leases of what runs and when each was renewed, by the entry.
    pub(crate) leases: RefCell<BTreeMap<i64, (String, i64)>>,
    /// The hook registry.
    pub hooks: RefCell<Registry>,
}

impl Shared {
    /// The host's configuration.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }
}

/// A handler's future.
pub type Handling = Pin<Box<dyn Future<Output = Response>>>;

/// An engine.
pub struct Engine {
    shared: Rc<Shared>,
    executor: Executor<Response>,
}

impl Engine {
    /// An engine for a host.
    pub fn new(configuration: Configuration) -> Engine {
        Engine {
            shared: Rc::new(Shared {
                configuration,
                site_key: OnceCell::new(),
                visitor_key: RefCell::default(),
                gathered: RefCell::default(),
                guard: RefCell::default(),
                event_forms: RefCell::default(),
                schemas: RefCell::default(),
                answer_names: RefCell::default(),
                aged_forms: Cell::default(),
                leases: RefCell::default(),
                hooks: RefCell::default(),
            }),
            executor: Executor::default(),
        }
    }

    /// The shared state, for the synchronous calls of the boundary.
    pub fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    /// Answers a REST request by method and path.
    pub fn handle(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::rest::handle(cx, request))
        })
    }

    /// Answers a REST request by a named route.
    pub fn call(&mut self, route: &'static Route, request: Request) -> Progress<Response> {
        self.start(request, move |cx, request| {
            Box::pin(crate::rest::call(cx, route, request))
        })
    }

    /// Answers a visitor's request below the front prefix.
    pub fn visit(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::front::visit(cx, request))
        })
    }

    /// Brings the database to the newest migration. The answer is empty, or a 500.
    pub fn migrate(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::submissions::migrate(cx, request))
        })
    }

    /// Claims due queue entries; the answer is `{"claimed":[{"id","lease","alone"}]}`.
    pub fn claim_queue(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::queue::claim(cx, request))
        })
    }

    /// Runs one claimed queue entry; the answer is `{"id","status"}`.
    pub fn run_queue_entry(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::queue::run_entry(cx, request))
        })
    }

    /// Reads a form's meta, for other plugins.
    pub fn read_meta(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::internal::read_meta(cx, request))
        })
    }

    /// Gives back claimed entries that have not begun; the answer is empty.
    pub fn release_queue(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::queue::release(cx, request))
        })
    }

    /// Renews the leases of what runs; the answer is empty.
    pub fn renew_queue(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::queue::renew(cx, request))
        })
    }

    /// Deletes some of what is over and old; the answer is `{"more"}`.
    pub fn purge(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::submissions::purge(cx, request))
        })
    }

    /// Writes what browsers' events count. The answer is empty, or a 500: then it waits on.
    pub fn flush_events(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, _| {
            Box::pin(crate::analytics::flush_events(cx))
        })
    }

    /// Counts again, one step at a time; the answer is `{"next","differences"}`.
    pub fn rebuild_counters(&mut self, request: Request) -> Progress<Response> {
        self.start(request, |cx, request| {
            Box::pin(crate::analytics::rebuild(cx, request))
        })
    }

    /// Hands outcomes to a task.
    pub fn resume(
        &mut self,
        task: TaskId,
        now: i64,
        outcomes: Vec<(u32, Outcome)>,
    ) -> Progress<Response> {
        self.executor.resume(task, now, outcomes)
    }

    /// Gives a task up.
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
        let future = Box::pin(to_the_end(context.clone(), handling));
        self.executor.start(context, future)
    }
}

/// An answer, with the bytes that follow the first ones sent already. Of such an answer what is left
/// is its end: 200, or 500 where it broke off.
async fn to_the_end(cx: Context, handling: Handling) -> Response {
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
