//! Forms and their schemas: the shapes of the specification and the rules on writing them.

pub mod attributes;
mod cache;
mod change;
pub mod check;
mod condition;
mod defaults;
pub mod edit;
mod fault;
mod field;
mod form;
mod hand_over;
mod markup;
pub mod messages;
mod read;
mod schema;
pub mod settings;
pub mod slug;
pub mod spam_settings;
mod status;
mod view;

pub use cache::SchemaCache;
pub use change::{NewForm, change, create, delete};
pub use condition::{Condition, ConditionAction, ConditionGroup, ConditionRule, Operator};
pub use defaults::Defaults;
pub use fault::{Fault, MAX_FAULTS};
pub use field::{Field, FieldOption, FieldType, Part, Validation, is_reserved_name};
pub use form::{Form, Source, effective_schema, list, load, load_by_slug};
pub use hand_over::hand_over_waiting;
pub use markup::{check_markup, rendered_markup};
pub use schema::{FormSchema, Layout, LayoutStep, LayoutType};
pub use status::Status;
pub use view::FormView;

/// The meta key under which a form's schema is stored (specification, FormSchema).
pub const SCHEMA_META_KEY: &str = "_cf_form_schema";
