//! The types of the specification and their rules: fields, schemas, settings, submissions, conditions, validation,
//! templates and dates. The crate is pure: its functions do no I/O and need no WebAssembly.

/// Declares an enumeration with a wire name for each variant and a list of all variants. JSON has the wire names.
macro_rules! wire_enum {
    ($(#[$of_enum:meta])* $visibility:vis enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$of_enum])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)*
        }

        impl $name {
            /// Every variant, in order.
            #[allow(dead_code, reason = "some enumerations do not need the list")]
            $visibility const ALL: [$name; [$($wire),*].len()] = [$($name::$variant),*];

            /// The wire name, which JSON contains.
            $visibility const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $wire,)* }
            }

            /// The variant with a wire name.
            #[allow(dead_code, reason = "some enumerations are never parsed")]
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
#[cfg(feature = "page-texts")]
pub mod page_words;
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

/// Whether the build contains the texts that only the API's reference needs. `src/rest/openapi.rs` writes the
/// reference in native builds, so the WebAssembly module leaves these texts out.
pub const HAS_REFERENCE: bool = !cfg!(target_arch = "wasm32");

/// The largest integer up to which JavaScript's numbers are exact (2^53 - 1).
pub const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// Whether all characters of a text are invisible.
pub fn is_unseen(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
    })
}

/// Trims a text and collapses its ASCII white space, as a browser shows it.
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
