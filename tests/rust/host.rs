//! Native host: the engine on a real SQLite database in memory. The other ports record their calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use cf_forms::engine::{Configuration, Engine, KeepDays};
use cf_forms::http::{Principal, Request, Response};
use cf_forms::store::Dialect;
use cf_forms::task::{
    Context, Effect, Executor, IncomingResponse, Mail, OutgoingRequest, Port, PortError, Progress,
    Statement, StatementResult, TaskId,
};
use serde_json::Value;

use crate::host_database;
use crate::multipart::Parts;

/// Host with an administrator's login and a clock that the test controls.
pub struct Host {
    pub engine: Engine,
    pub database: rusqlite::Connection,
    /// Milliseconds UTC.
    pub now: i64,
    /// Sent mails.
    pub mails: Vec<Mail>,
    /// Sent HTTP requests.
    pub requests: Vec<OutgoingRequest>,
    /// Responses to the next HTTP requests; 200 after the last one.
    pub responses: Vec<Result<IncomingResponse, PortError>>,
    /// Stored files.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Stored file that the last response sends as its body.
    pub opened: Option<Vec<u8>>,
    /// Request body that the engine has not read yet.
    pub body: Vec<u8>,
    /// Multipart body that the engine has not read to its end.
    pub parts: Parts,
    /// Whether the host lacks the file of the API's reference.
    pub reference_is_gone: bool,
    /// Whether sending mails fails.
    pub mail_fails: bool,
    /// Whether deleting files fails.
    pub files_stay: bool,
    /// The host's meta store, by form and key.
    pub meta: BTreeMap<(i64, String), String>,
    /// Error code with which the meta store rejects every write.
    pub meta_fails: Option<&'static str>,
    /// Streamed response, and the size of each chunk in bytes.
    pub streamed: Option<Response>,
    pub pieces: Vec<usize>,
    /// Results of callbacks, by number; other callbacks fail.
    pub callbacks: BTreeMap<u32, Value>,
    /// Logged messages.
    pub log: Vec<String>,
    /// Number of batches and of statements that were sent to the database.
    pub batches: usize,
    pub statements: usize,
}

/// A request that is suspended at an effect.
pub struct Stopped {
    pub task: TaskId,
    effects: Vec<(u32, Effect)>,
}

impl Host {
    /// Creates a migrated host at 2026-01-02T03:04:05Z.
    pub fn new() -> Host {
        Host::with_ports(vec![Port::Mail, Port::Http, Port::Files])
    }

    /// Replaces the engine by a new one with the same database and clock, like a restarted process.
    pub fn restarted(self) -> Host {
        let (now, database) = (self.now, self.database);
        Host {
            now,
            database,
            ..Host::new()
        }
    }

    /// Creates a migrated host with these optional ports.
    pub fn with_ports(ports: Vec<Port>) -> Host {
        Host::made(ports, true)
    }

    /// Creates a migrated host that ignores the forwarded addresses of a proxy.
    pub fn behind_a_proxy() -> Host {
        Host::made(vec![Port::Mail, Port::Http, Port::Files], false)
    }

    /// Creates a migrated host with these catalogues of languages.
    pub fn with_languages(languages: Value) -> Host {
        let host = Host::new();
        let mut configuration = host.engine.shared().configuration().clone();
        configuration.languages = languages.as_object().cloned().unwrap_or_default();
        Host {
            engine: Engine::new(configuration),
            ..host
        }
    }

    fn made(ports: Vec<Port>, forwarded_for_is_read: bool) -> Host {
        let configuration = Configuration {
            body_limit: 1 << 20,
            upload_limit: 16 << 20,
            languages: serde_json::Map::new(),
            dialect: Dialect::Sqlite,
            base_url: "http://localhost".to_owned(),
            public_url: "http://localhost".to_owned(),
            rest_root: "/api".to_owned(),
            front_prefix: "/forms".to_owned(),
            ports,
            assets: BTreeMap::new(),
            mail_from: "forms@localhost".to_owned(),
            secret: "of the host".to_owned(),
            forwarded_for_is_read,
            instance: "one".to_owned(),
            sign_in_url: "/sign-in".to_owned(),
            submission_url: "/admin/inbox?open={id}".to_owned(),
            script_sources: Vec::new(),
            keep_days: KeepDays::default(),
        };
        let mut host = Host {
            engine: Engine::new(configuration),
            database: rusqlite::Connection::open_in_memory().expect("an in-memory database"),
            now: 1_767_323_045_000,
            mails: Vec::new(),
            requests: Vec::new(),
            responses: Vec::new(),
            files: BTreeMap::new(),
            opened: None,
            body: Vec::new(),
            parts: Parts::default(),
            reference_is_gone: false,
            mail_fails: false,
            files_stay: false,
            meta: BTreeMap::new(),
            meta_fails: None,
            streamed: None,
            pieces: Vec::new(),
            callbacks: BTreeMap::new(),
            log: Vec::new(),
            batches: 0,
            statements: 0,
        };
        host.start();
        host
    }

    /// Migrates the database, as a host does before it serves requests.
    pub fn start(&mut self) {
        let request = self.request("POST", "", None);
        let progress = self.engine.migrate(request);
        let response = self.drive(progress);
        assert_eq!(response.status, 200, "{:?}", response.log);
    }

    /// Returns a request of an administrator.
    pub fn request(&self, method: &str, path: &str, body: Option<Value>) -> Request {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let capabilities = vec!["edit_forms".to_owned(), "unfiltered_html".to_owned()];
        let mut headers = BTreeMap::new();
        if body.is_some() {
            headers.insert("content-type".to_owned(), "application/json".to_owned());
        }
        Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers,
            principal: Some(Principal {
                access: String::new(),
                id: "1".to_owned(),
                login: "admin".to_owned(),
                capabilities,
            }),
            failure: None,
            too_large: false,
            body_waits: false,
            address: Some("192.0.2.7".to_owned()),
            now: self.now,
            base_url: None,
            request_id: "test".to_owned(),
            unknown: Vec::new(),
            body: body
                .map(|body| body.to_string().into_bytes())
                .unwrap_or_default(),
        }
    }

    /// Sends a REST request as an administrator; the path is below `/cf/v1`.
    pub fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = self.request(method, &format!("/cf/v1{path}"), body);
        let response = self.handle(request);
        (
            response.status,
            serde_json::from_slice(&response.body).unwrap_or(Value::Null),
        )
    }

    /// Handles a REST request.
    pub fn handle(&mut self, request: Request) -> Response {
        let progress = self.engine.handle(request);
        let mut response = self.drive(progress);
        if response.opened_file {
            response.body = self.opened.take().expect("a file that was opened");
        }
        response
    }

    /// Starts a visitor's request. As with every host, the engine reads a multipart body later, through effects.
    fn start_visit(&mut self, mut request: Request) -> Progress<Response> {
        if let Some(parts) = Parts::of(&request) {
            self.parts = parts;
            request.body = Vec::new();
            request.body_waits = true;
        }
        self.engine.visit(request)
    }

    /// Handles a visitor's request up to the first effect that `is_reached` accepts, and suspends it there.
    pub fn visit_until(
        &mut self,
        request: Request,
        is_reached: impl Fn(&Effect) -> bool,
    ) -> Stopped {
        let progress = self.start_visit(request);
        self.drive_until(progress, is_reached)
    }

    /// Renews the leases of running work, as a host does every few seconds.
    pub fn renew(&mut self) {
        let request = self.request("POST", "", None);
        let progress = self.engine.renew_queue(request);
        let response = self.drive(progress);
        assert_eq!(response.status, 200, "{:?}", response.log);
    }

    /// Handles a visitor's request.
    pub fn visit(&mut self, request: Request) -> Response {
        let progress = self.start_visit(request);
        let mut response = self.drive(progress);
        if response.opened_file {
            response.body = self.opened.take().expect("a file that was opened");
        }
        response
    }

    /// Runs the queue until nothing is due, as a host does. Returns the number of entries that ran.
    pub fn run_queue(&mut self) -> usize {
        let mut ran = 0;
        loop {
            let request = self.request("POST", "", None);
            let progress = self.engine.claim_queue(request);
            let claimed = self.drive(progress);
            let claimed: Value = serde_json::from_slice(&claimed.body).expect("JSON");
            let claimed = claimed["claimed"].as_array().cloned().unwrap_or_default();
            if claimed.is_empty() {
                return ran;
            }
            for entry in claimed {
                let request = self.request("POST", "", Some(entry));
                let progress = self.engine.run_queue_entry(request);
                self.drive(progress);
                ran += 1;
            }
        }
    }

    /// Performs effects until the task is done.
    pub fn drive(&mut self, mut progress: Progress<Response>) -> Response {
        loop {
            match progress {
                Progress::Done(end) => {
                    let Some(response) = self.streamed.take() else {
                        return end;
                    };
                    assert_eq!(end.status, 200, "{:?}", end.log);
                    return response;
                }
                Progress::Gone => panic!("the task is gone"),
                Progress::Waiting { task, effects } => {
                    let outcomes = effects
                        .into_iter()
                        .map(|(id, effect)| (id, self.perform(effect)))
                        .collect();
                    progress = self.engine.resume(task, self.now, outcomes);
                }
            }
        }
    }

    /// Handles a request up to the first effect that `is_reached` accepts, and suspends it there.
    pub fn handle_until(
        &mut self,
        request: Request,
        is_reached: impl Fn(&Effect) -> bool,
    ) -> Stopped {
        let progress = self.engine.handle(request);
        self.drive_until(progress, is_reached)
    }

    /// Performs effects up to the first one that `is_reached` accepts.
    pub fn drive_until(
        &mut self,
        mut progress: Progress<Response>,
        is_reached: impl Fn(&Effect) -> bool,
    ) -> Stopped {
        loop {
            let Progress::Waiting { task, effects } = progress else {
                panic!("the task ended before that effect")
            };
            if effects.iter().any(|(_, effect)| is_reached(effect)) {
                return Stopped { task, effects };
            }
            let outcomes = effects
                .into_iter()
                .map(|(id, effect)| (id, self.perform(effect)))
                .collect();
            progress = self.engine.resume(task, self.now, outcomes);
        }
    }

    /// Resumes a suspended request and finishes it.
    pub fn finish(&mut self, Stopped { task, effects }: Stopped) -> Response {
        self.drive(Progress::Waiting { task, effects })
    }

    /// Handles concurrent requests: each advances to its next effect before any other advances.
    pub fn handle_together(&mut self, requests: Vec<Request>) -> Vec<Response> {
        let mut tasks: Vec<Progress<Response>> = requests
            .into_iter()
            .map(|request| self.engine.handle(request))
            .collect();
        while tasks
            .iter()
            .any(|task| matches!(task, Progress::Waiting { .. }))
        {
            tasks = tasks
                .into_iter()
                .map(|task| match task {
                    Progress::Waiting { task, effects } => {
                        let outcomes = effects
                            .into_iter()
                            .map(|(id, effect)| (id, self.perform(effect)))
                            .collect();
                        self.engine.resume(task, self.now, outcomes)
                    }
                    done => done,
                })
                .collect();
        }
        tasks
            .into_iter()
            .map(|task| match task {
                Progress::Done(response) => response,
                _ => panic!("the task is gone"),
            })
            .collect()
    }

    /// Runs an async function of the engine as one task.
    pub fn run<T>(&mut self, work: impl AsyncFnOnce(Context) -> T + 'static) -> T
    where
        T: 'static,
    {
        let mut executor = Executor::default();
        let context = Context::new(Rc::clone(self.engine.shared()), self.now);
        let mut progress = executor.start(context.clone(), Box::pin(work(context)));
        loop {
            match progress {
                Progress::Done(value) => return value,
                Progress::Gone => panic!("the task is gone"),
                Progress::Waiting { task, effects } => {
                    let outcomes = effects
                        .into_iter()
                        .map(|(id, effect)| (id, self.perform(effect)))
                        .collect();
                    progress = executor.resume(task, self.now, outcomes);
                }
            }
        }
    }

    pub fn batch(&mut self, statements: &[Statement]) -> rusqlite::Result<Vec<StatementResult>> {
        self.batches += 1;
        self.statements += statements.len();
        host_database::batch(&mut self.database, statements)
    }
}
