//! The hook registry.

/// The hooks of an instance.
#[derive(Default)]
pub struct Registry {}
