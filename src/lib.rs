//! The form engine of cf-forms. The engine does no I/O: handlers are `async fn`s that request effects, which the host
//! performs (`docs/architecture.md`).

#[macro_use(json)]
extern crate model;

pub mod action_types;
pub mod actions;
pub mod analytics;
pub mod engine;
pub mod error;
pub mod files;
pub mod forms;
pub mod frame;
pub mod front;
pub mod hooks;
pub mod http;
pub mod jobs;
pub mod json;
pub mod pages;
pub mod rest;
pub mod security;
pub mod spam;
pub mod store;
pub mod submissions;
pub mod task;

pub use import;
pub use markup;
pub use model::{dates, logic, ordered};

#[cfg(target_arch = "wasm32")]
mod wasm;
