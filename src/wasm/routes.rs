//! The route table as objects, for platforms with their own router.

use browser::objects::write;
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::rest::routes::{ROUTES, Route};

/// One route of the REST API.
#[derive(Serialize, Tsify)]
pub struct RouteDescription {
    /// The method in the API's reference.
    method: &'static str,
    /// All accepted methods, since the platform's clients also use POST and PUT for PATCH.
    methods: &'static [&'static str],
    /// The path with variables in braces, such as `/cf/v1/forms/{id}`.
    path: &'static str,
    /// The operation id.
    operation: &'static str,
}

impl RouteDescription {
    fn of(route: &Route) -> RouteDescription {
        RouteDescription {
            method: route.method,
            methods: route.methods(),
            path: route.path,
            operation: route.operation,
        }
    }
}

/// The route table, so that a platform's router can register the routes one by one.
#[wasm_bindgen(unchecked_return_type = "RouteDescription[]")]
pub fn routes() -> Result<JsValue, JsError> {
    let routes: Vec<RouteDescription> = ROUTES.iter().map(RouteDescription::of).collect();
    write(&routes)
}
