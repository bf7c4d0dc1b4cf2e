//! Tests of the engine, in one binary.
