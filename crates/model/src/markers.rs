//! The attributes of rendered markup from which the reader restores the schema. Authors may write them too.
//!
//! | attribute | on | value |
//! |---|---|---|
//! | `data-cf-type` | a fieldset, consent's checkbox, a structural element | the field's type, unless the element shows it |
//! | `data-cf-name` | as `data-cf-type` | the field's name |
//! | `data-cf-group` | a control, a group, a section | `group`, unless a container around it is the group |
//! | `data-cf-label`, `data-cf-description`, `data-cf-placeholder`, `data-cf-default` | a control or group | the exact text, where HTML would lose white space or cannot hold it |
//! | `data-cf-required`, `data-cf-min`, `data-cf-max`, `data-cf-pattern` | a control or group | constraints that HTML lacks for this type |
//! | `data-cf-options` | a control or group | options of a type without visible ones, as JSON; the labels of a name's or address's parts |
//! | `data-cf-image` | an option, a radio or checkbox of a set | the address of its picture |
//! | `data-cf-conditions` | as `data-show-if` | conditions beyond the published grammars, as JSON |
//! | `data-cf-no-step` | a number | rendering added its `step="any"` |
//! | `data-cf-enabled` | a control | it is not disabled, although the fieldset around it is |
//! | `data-cf-id` | a control | an `id` that is not unique in the form |
//! | `data-cf-trap` | a control | it is a spam trap |
//! | `data-cf-layout`, `data-cf-settings` | the element around all fields | the rest of the layout beyond `data-layout` and `data-step`, and `form_settings`, as JSON |
//!
//! `data-cf-label` and `data-cf-description` count only while they equal the shown text, ignoring white space. Thus
//! an author can change a label by editing the shown text.

use crate::collapse;
use crate::is_unseen;
pub use crate::label_texts::{without_last_marker, without_marker};
use crate::unicode::case::capitalized;

/// The prefix of the attributes above.
pub const PREFIX: &str = "data-cf-";

/// The `data-` attributes with a meaning in an author's HTML: parsing reads them and rendering writes them. Of
/// the names that begin with [`RESERVED`], authors may use only these (docs/html-forms.md has the same list).
#[rustfmt::skip]
pub const AUTHOR_DATA: &[&str] = &[
    "data-action", "data-calc", "data-countries", "data-decimals", "data-format", "data-hidden", "data-hide-if", "data-inputs", "data-layout",
    "data-max", "data-max-files", "data-min", "data-netlify-honeypot", "data-other", "data-parts", "data-phone", "data-prefill", "data-rank",
    "data-repeat", "data-requested", "data-seats", "data-seats-by", "data-seats-left", "data-server", "data-show-if", "data-signature",
    "data-step", "data-title", "data-twice", "data-unique", "data-unit", "data-weight", "data-weights",
    "data-cf-conditions", "data-cf-default", "data-cf-description", "data-cf-enabled",
    "data-cf-group", "data-cf-id", "data-cf-image", "data-cf-kind", "data-cf-label", "data-cf-layout", "data-cf-max",
    "data-cf-min", "data-cf-name", "data-cf-no-step", "data-cf-options", "data-cf-pattern", "data-cf-placeholder",
    "data-cf-required", "data-cf-settings", "data-cf-step", "data-cf-step-title", "data-cf-title",
    "data-cf-trap", "data-cf-type", "data-cf-way",
];

/// The attributes that only visitors' pages have, for the script.
#[rustfmt::skip]
pub const PAGE_DATA: &[&str] = &[
    "data-cf-calc", "data-cf-else", "data-cf-pipe", "data-cf-prefilled", "data-cf-range", "data-cf-rank", "data-cf-result",
    "data-cf-row", "data-cf-rows", "data-cf-signature", "data-cf-text", "data-size",
];

/// The attributes that visitors' pages leave out. The visitor's script gets expressions as parsed trees instead of
/// texts, and limits such as those on seats concern only the server.
#[rustfmt::skip]
pub const OFF_PAGES: &[&str] = &[
    "data-calc", "data-decimals", "data-format", "data-max", "data-min", "data-seats", "data-seats-by", "data-seats-left",
    "data-server", "data-unique", "data-weight", "data-weights",
];

/// The prefix of the reserved names; [`AUTHOR_DATA`] lists the exceptions.
pub const RESERVED: &str = "data-cf";

/// The prefix of every `id` that rendering generates. The reader ignores such ids.
pub const ID_PREFIX: &str = "cf-";

/// The class of the element around all fields.
pub const FIELDS_CLASS: &str = "cf-fields";
/// The class of a label.
pub const LABEL_CLASS: &str = "cf-label";
/// The class of a control.
pub const CONTROL_CLASS: &str = "cf-control";
/// The class of help text.
pub const DESCRIPTION_CLASS: &str = "cf-description";
/// The class of a fault's message.
pub const ERROR_CLASS: &str = "cf-error";
/// The class of an option that shows a select's placeholder.
pub const PLACEHOLDER_CLASS: &str = "cf-placeholder";
/// The class of the empty option that precedes the options of a select without a selected option.
pub const CHOOSE_CLASS: &str = "cf-choose";
/// The attribute with the original type of an input that [`StandIn`](crate::field_kinds::StandIn) replaces. The
/// visitor's script restores the type (visitor/script/unset.ts).
pub const KIND: &str = "data-cf-kind";
/// The attribute that marks a number input that the visitor's script converts to an unanswered range.
pub const UNSET_RANGE: &str = "data-cf-range";
/// The attribute that marks a file input over which the visitor's script places a signature pad.
pub const SIGNATURE: &str = "data-cf-signature";
/// The attribute of a repeating group on a visitor's page, with its name.
pub const ROWS: &str = "data-cf-rows";
/// The attribute of a row, with its number.
pub const ROW: &str = "data-cf-row";
/// The attribute that marks a control whose answer comes from the page's URL.
pub const PREFILLED: &str = "data-cf-prefilled";
/// The class of the country select beside a telephone number.
pub const COUNTRY_CLASS: &str = "cf-country";
/// The attribute that marks the element around the places of a ranking.
pub const PLACES: &str = "data-cf-rank";
/// The class of a calculated value.
pub const OUTPUT_CLASS: &str = "cf-output";
/// The attribute of the element that shows a calculated value; its value is the name of the field.
pub const CALCULATED: &str = "data-cf-calc";
/// The attribute of the input beside a calculated value. Browsers do not send this input.
pub const RESULT: &str = "data-cf-result";
/// The attribute that marks a control as a spam trap.
pub const TRAP: &str = "data-cf-trap";
/// The attributes by which a form element names its spam trap.
pub const TRAPS_OF_FORMS: [&str; 2] = ["netlify-honeypot", "data-netlify-honeypot"];
/// The attributes that give a text input the keyboard for addresses.
pub const URL_HINTS: [(&str, &str); 2] = [("inputmode", "url"), ("autocapitalize", "none")];
/// The format of a colour, for people.
pub const COLOR_FORMAT: &str = "#rrggbb";
/// The attributes of a text input for a colour: its pattern, and hints for the visitor.
pub const COLOR_HINTS: [(&str, &str); 3] = [
    ("pattern", "#[0-9a-fA-F]{6}"),
    ("placeholder", COLOR_FORMAT),
    ("title", COLOR_FORMAT),
];
/// The class of an option that is a choice but would be read as a placeholder without the class.
pub const OPTION_CLASS: &str = "cf-option";
/// The class of a step, or of consecutive fields with the same group.
pub const STEP_CLASS: &str = "cf-step";
/// The class of a step's title.
pub const STEP_TITLE_CLASS: &str = "cf-step-title";

/// The `autocomplete` token of a part of a name or address field.
pub const fn part_token(part: &str) -> &'static str {
    match part.as_bytes() {
        b"first" => "given-name",
        b"last" => "family-name",
        b"street" => "address-line1",
        b"street2" => "address-line2",
        b"city" => "address-level2",
        b"state" => "address-level1",
        b"postal_code" => "postal-code",
        b"country" => "country-name",
        _ => "on",
    }
}

/// The highest point of a rating without a maximum.
pub const DEFAULT_RATING: u64 = 5;

/// The highest point of a rating that is shown.
pub const MAX_RATING: u64 = 100;

/// Makes a name or value readable, for controls and choices without a label. An invisible name becomes a dash.
pub fn humanized(name: &str) -> String {
    let words = collapse(&name.replace(['_', '-', '[', ']', '.'], " "));
    match collapse(name) {
        _ if !is_unseen(&words) => capitalized(&words),
        whole if is_unseen(&whole) => "–".to_owned(),
        whole => whole,
    }
}

/// Converts a name to a part of an `id`. Letters, digits, `_` and single `-` stay; any other character becomes its
/// hexadecimal code, such as `--x5b-`. Different names give different parts, and `--` can separate the part from
/// further text.
pub fn id_part(name: &str) -> String {
    let mut part = String::with_capacity(name.len());
    for character in name.chars() {
        let is_plain = character.is_ascii_alphanumeric()
            || character == '_'
            || (character == '-' && !part.ends_with('-'));
        if is_plain {
            part.push(character);
        } else {
            part.push_str(&format!("--x{:x}-", u32::from(character)));
        }
    }
    part
}

/// The `id` that rendering generates for a field. `instance` distinguishes several forms on one page. The ids of the
/// field's parts begin with this `id`.
pub fn id_of(instance: &str, field: &str) -> String {
    let part = id_part(field);
    match instance {
        "" => [ID_PREFIX, &part].concat(),
        instance => [ID_PREFIX, instance, "--", &part].concat(),
    }
}

/// The classes of a fieldset that renders a single field.
pub const OPTIONS_CLASSES: &str = "cf-field cf-options";
