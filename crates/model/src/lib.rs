//! The types of the specification and their rules: fields, schemas, settings, submissions, conditions, validation,
//! templates and dates. All of it is pure: no I/O, no WebAssembly.

/// Declares an enumeration with a wire name for each variant, the list of all variants, and JSON as the wire name.
macro_rules! wire_enum {
    ($(#[$of_enum:meta])* $visibility:vis enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$of_enum])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        impl $name {
            /// Every variant, in order.
            #[allow(dead_code, reason = "not every enumeration is listed")]
            $visibility const ALL: [$name; [$($wire),*].len()] = [$($name::$variant),*];

            /// The name on the wire.
            $visibility const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $wire,)* }
            }

            /// The variant with a name on the wire.
            #[allow(dead_code, reason = "not every enumeration is read")]
            $visibility fn parse(name: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|variant| variant.as_str() == name)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let name = <String>::deserialize(deserializer)?;
                let unknown = || serde::de::Error::unknown_variant(&name, &[$($wire),*]);
                $name::parse(&name).ok_or_else(unknown)
            }
        }
    };
}

#[macro_use]
pub mod values;

mod action_settings;
pub mod addresses;
pub mod allowed_html;
pub mod analytics;
mod asking;
pub mod attributes;
pub mod check;
pub mod class_words;
mod condition;
pub mod condition_text;
pub mod cut;
pub mod dates;
pub mod edit;
pub mod entities;
pub mod escape;
mod fault;
mod field;
pub mod field_kinds;
pub mod field_variants;
pub mod file_types;
mod filenames;
pub mod front_settings;
mod given;
pub mod hiding;
pub mod label_texts;
pub mod links;
pub mod logic;
pub mod markers;
pub mod messages;
pub mod one_control;
pub mod option_steps;
pub mod ordered;
pub mod parts;
pub mod plan;
mod principal;
pub mod rows;
mod schema;
mod setting_kinds;
pub mod setting_table;
pub mod settings;
pub mod slug;
pub mod spam_settings;
pub mod spam_traps;
pub mod status;
pub mod step_words;
mod submission;
pub mod unicode;
pub mod unite;
pub mod warnings;
mod web_addresses;
pub mod words;

pub use condition::{Condition, ConditionAction, ConditionGroup, ConditionRule, Operator};
pub use fault::{Fault, MAX_FAULTS};
pub use field::{Field, FieldOption, FieldType, Validation, is_reserved_name};
pub use field_kinds::Part;
pub use principal::{CAPABILITY, Principal, UNFILTERED_HTML};
pub use schema::{
    FORMER_NAMES, FormSchema, Layout, LayoutStep, LayoutType, NAMES_TAKEN, remember_rename,
};
pub use submission::{Data, Labels, StoredFile, Submission, json_text};

/// The meta key under which a form's schema is stored (specification, FormSchema).
pub const SCHEMA_META_KEY: &str = "_cf_form_schema";

/// The largest integer that JavaScript's numbers hold exactly.
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Whether all characters of a text are invisible.
pub fn is_unseen(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
    })
}

/// A text with its ASCII white space collapsed, as a browser shows it.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
