//! Forms and their schemas: loading, changing and rendering them.

mod cache;
mod change;
mod defaults;
mod entries;
mod form;
mod former_names;
mod hand_over;
pub mod holds;
pub mod language;
mod markup;
mod view;

pub use self::markup::{
    CHOOSE, Visitors, check_markup, marked, rendered_markup, schema_markup, unstored_controls,
};
pub use crate::store::{Among, Defaults, Form, Source, Status};
pub use change::{ChangeDetails, change, create, delete};
pub use defaults::unknown_settings;
pub use entries::{entries_of, entry_of};
pub use form::{
    Loaded, SubmitRules, cached_form, effective_schema, front, list, load, load_among, load_any,
    load_by_any_slug, load_existing, readable_schema, schema_with_answers, schemas_of,
    submit_rules,
};
pub use hand_over::hand_over_waiting;
pub use model::{
    Condition, ConditionAction, ConditionGroup, ConditionRule, FORMER_NAMES, Fault, Field,
    FieldOption, FieldType, FormSchema, Layout, LayoutStep, LayoutType, MAX_FAULTS, NAMES_TAKEN,
    Operator, Part, SCHEMA_META_KEY, Validation, attributes, check, edit, is_reserved_name,
    messages, settings, slug, spam_settings,
};
pub use view::form_argument;
