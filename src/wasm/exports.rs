//! One export for each route and each job, generated from their tables.

use wasm_bindgen::prelude::*;

use super::{start, start_route};
use crate::engine::Engine;
use crate::jobs::job_table;
use crate::rest::routes::route_table;

macro_rules! exports {
    ($($name:ident $operation:literal $method:ident $path:literal $summary:literal
        [$($parameter:expr),* $(,)?]
        $status:literal $response:literal $([$($error:expr),*])? $handler:path;)*) => {$(
        #[doc = $summary]
        #[wasm_bindgen(js_name = $operation)]
        pub fn $name(request: &[u8]) -> Result<Vec<u8>, JsError> {
            start_route($operation, request)
        }
    )*};
}
route_table!(exports);

macro_rules! job_exports {
    ($($(#[$about:meta])* $name:ident $export:literal $job:path;)*) => {$(
        $(#[$about])*
        #[wasm_bindgen(js_name = $export)]
        pub fn $name(request: &[u8]) -> Result<Vec<u8>, JsError> {
            start(request, Engine::$name)
        }
    )*};
}
job_table!(job_exports);
