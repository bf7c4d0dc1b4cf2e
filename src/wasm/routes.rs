//! The route table as objects, for a platform's own router.

use browser::objects::write;
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::with_engine;
use crate::rest::routes::{ROUTES, Route};

/// One route of the REST API.
#[derive(Serialize, Tsify)]
pub struct RouteDescription {
    /// The method that the documents name.
    method: &'static str,
    /// All accepted methods, since the platform's clients also use POST and PUT for PATCH.
    methods: &'static [&'static str],
    /// The path with variables in braces, such as `/cf/v1/forms/{id}`.
    path: &'static str,
    /// The operation id.
    operation: &'static str,
    /// A summary in one line.
    summary: &'static str,
}

/// The routes with their arguments, as clients of the platform's REST conventions discover them.
#[derive(Tsify)]
#[allow(dead_code, reason = "only its TypeScript type is used")]
pub struct NamespaceIndex {
    /// The namespace, such as `cf/v1`.
    namespace: String,
    /// The routes by pattern, such as `/cf/v1/forms/(?P<id>[\\d]+)`.
    #[tsify(type = "Record<string, Record<string, unknown>>")]
    routes: (),
}

impl RouteDescription {
    fn of(route: &Route) -> RouteDescription {
        RouteDescription {
            method: route.method,
            methods: route.methods(),
            path: route.path,
            operation: route.operation,
            summary: route.summary,
        }
    }
}

/// The route table, so that a platform's router can register the routes one by one.
#[wasm_bindgen(unchecked_return_type = "RouteDescription[]")]
pub fn routes() -> Result<JsValue, JsError> {
    let routes: Vec<RouteDescription> = ROUTES.iter().map(RouteDescription::of).collect();
    write(&routes)
}

/// The namespace index, for the platform's own index of all namespaces.
#[wasm_bindgen(js_name = namespaceIndex, unchecked_return_type = "NamespaceIndex")]
pub fn namespace_index() -> Result<JsValue, JsError> {
    let index = with_engine(|engine| {
        let configuration = engine.shared().configuration();
        let root = format!("{}{}", configuration.base_url, configuration.rest_root);
        crate::rest::namespace(ROUTES, &root)
    })?;
    write(&index)
}
