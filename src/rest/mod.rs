//! The REST API `cf/v1`: one route table, one dispatcher, one error table.

mod arguments;
#[cfg(not(target_arch = "wasm32"))]
mod components;
mod conditional;
mod convert;
mod form_members;
pub mod handlers;
mod negotiate;
#[cfg(not(target_arch = "wasm32"))]
pub mod openapi;
pub mod paging;
mod parameters;
mod reference;
mod route;
mod route_parameters;
pub mod routes;

pub use arguments::Arguments;
pub use conditional::Precondition;
pub use model::{CAPABILITY, MAX_SAFE_INTEGER};

use crate::error::Error;
use crate::forms::{self, ChangeDetails, Form};
use crate::http::{Fetch, Principal, Request, Response};
use crate::task::Context;
use routes::{ROUTES, Route};

/// The path of the API below the REST root.
pub const NAMESPACE: &str = "/cf/v1";

/// The input of a handler.
pub struct Call {
    /// The context for calls to the host.
    pub cx: Context,
    /// The request's parameters, checked against the route.
    pub arguments: Arguments,
    /// The caller, who has [`CAPABILITY`].
    pub principal: Principal,
    /// The version that the caller expects.
    pub precondition: Precondition,
    /// The `Sec-Fetch` headers of the caller's browser.
    pub fetch: Fetch,
}

impl Call {
    /// Loads the form whose id is in the path.
    pub async fn form(&self) -> Result<Form, Error> {
        forms::load_existing(&self.cx, self.arguments.id("id")).await
    }

    /// Changes the form whose id is in the path, if it has the version that the caller expects. Returns the changed
    /// form and the result of `edit`.
    pub async fn change_form<T>(
        &self,
        edit: &mut dyn FnMut(&mut Form) -> Result<T, Error>,
    ) -> Result<(Form, T), Error> {
        self.change_form_with(&ChangeDetails::default(), edit).await
    }

    /// Changes the form like [`Call::change_form`], with details such as a summary.
    pub async fn change_form_with<T>(
        &self,
        details: &ChangeDetails,
        edit: &mut dyn FnMut(&mut Form) -> Result<T, Error>,
    ) -> Result<(Form, T), Error> {
        let id = self.arguments.id("id");
        let mut result = None;
        let mut checked = |form: &mut Form| {
            self.precondition.check(form.revision)?;
            result = Some(edit(form)?);
            Ok(())
        };
        let form = forms::change(&self.cx, id, &self.principal, details, &mut checked).await?;
        let result = result.ok_or_else(|| Error::Internal("a form was not edited".to_owned()))?;
        Ok((form, result))
    }

    /// The absolute URL of a path below the namespace.
    pub fn address(&self, path: &str) -> String {
        let site = self.cx.base_url();
        let root = &self.cx.shared().configuration().rest_root;
        format!("{site}{root}{NAMESPACE}{path}")
    }
}

/// Responds to a request by its method and path.
pub async fn handle(cx: Context, mut request: Request) -> Response {
    let method = negotiate::method(&request);
    let path = request.path.trim_end_matches('/').to_owned();
    let outcome = match method.as_str() {
        "OPTIONS" => match ROUTES.iter().find(|route| route.captures(&path).is_some()) {
            Some(route) => reference::part(&cx, route.path).await,
            None => Err(Error::NoRoute),
        },
        _ => dispatch(&cx, &mut request, &method, &path).await,
    };
    negotiate::finish(&cx, &request, &method, &path, outcome)
}

/// Responds to a request by a known route, for platforms with their own router.
pub async fn call(cx: Context, route: &'static Route, mut request: Request) -> Response {
    let path = request.path.trim_end_matches('/').to_owned();
    let outcome = match route.captures(&path) {
        Some(captures) => run(&cx, route, captures, &mut request).await,
        None => Err(Error::NoRoute),
    };
    negotiate::finish(&cx, &request, route.method, &path, outcome)
}

async fn dispatch(
    cx: &Context,
    request: &mut Request,
    method: &str,
    path: &str,
) -> Result<Response, Error> {
    let wanted = if method == "HEAD" { "GET" } else { method };
    let found = ROUTES
        .iter()
        .filter(|route| route.methods().contains(&wanted))
        .find_map(|route| route.captures(path).map(|captures| (route, captures)));
    let (route, captures) = found.ok_or(Error::NoRoute)?;
    run(cx, route, captures, request).await
}

async fn run(
    cx: &Context,
    route: &'static Route,
    captures: Vec<(&'static str, String)>,
    request: &mut Request,
) -> Result<Response, Error> {
    let principal = authorize(request, route)?;
    // Authorise before reading the body.
    if route.takes_image() || route.takes_file() {
        // The handler lets the host read the body.
        request.body_waits = false;
    }
    let read = request.read_body(cx).await;
    read.map_err(|fault| Error::of_body(&fault))?;
    let arguments = arguments::read(route, captures, request)?;
    let precondition = conditional::read(request);
    let call = Call {
        cx: cx.clone(),
        arguments,
        principal,
        precondition,
        fetch: Fetch::of(request),
    };
    (route.handler)(call).await
}

/// Whether a caller may use a route.
fn may(principal: &Principal, route: &Route) -> bool {
    principal.can(CAPABILITY) && (!principal.only_reads_submissions() || route.reads_submissions())
}

fn authorize(request: &Request, route: &Route) -> Result<Principal, Error> {
    if let Some(failure) = &request.failure {
        return Err(Error::Authentication(failure.clone()));
    }
    match &request.principal {
        Some(principal) if may(principal, route) => Ok(principal.clone()),
        _ => Err(Error::Forbidden),
    }
}
