//! The hooks, by which plugins extend the engine. Names, order and semantics are those of `@wordpress/hooks`.
//!
//! The registry contains the callbacks' numbers and their order; the functions stay with the host. Inside a task, each
//! call of a callback is an effect (`run`). Outside of tasks, the host's JavaScript asks the registry for one callback
//! after another and calls it.

mod name;
mod registry;
mod run;

pub use name::{NameError, check_hook_name, check_namespace};
pub use registry::{Callback, Kind, Registry, RunId};
pub use run::CallbackFault;
