//! One export for each route, made from the route table.

use wasm_bindgen::prelude::*;

use super::start_route;
use crate::rest::routes::route_table;

macro_rules! exports {
    ($($name:ident $operation:literal $method:ident $path:literal $summary:literal
        [$($parameter:expr),* $(,)?]
        $status:literal $answer:literal $([$($error:expr),*])? $handler:path;)*) => {$(
        #[doc = $summary]
        #[wasm_bindgen(js_name = $operation)]
        pub fn $name(request: &[u8]) -> Result<Vec<u8>, JsError> {
            start_route($operation, request)
        }
    )*};
}
route_table!(exports);
