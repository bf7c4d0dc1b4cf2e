//! Tests of the engine, in one binary.

mod engine;
mod host;
