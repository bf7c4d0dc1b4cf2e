//! Forms and their schemas: the shapes of the specification and the rules on writing them.

mod cache;
mod condition;
mod field;
mod schema;

pub use cache::SchemaCache;
pub use condition::{Condition, ConditionAction, ConditionGroup, ConditionRule, Operator};
pub use field::{Field, FieldOption, FieldType, Validation};
pub use schema::{FormSchema, Layout, LayoutStep, LayoutType};

/// The meta key under which a form's schema is stored (specification, FormSchema).
pub const SCHEMA_META_KEY: &str = "_cf_form_schema";
