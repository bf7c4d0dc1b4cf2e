//! Reads the attributes of a control or group into the members of a field.

use crate::html::attributes::Attribute;
use crate::html::text::collapse;
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::attributes::{Home, MAX_ATTRIBUTE_VALUE_CHARS, Member, home_of, is_script_address};
pub(super) use model::cut::{cut, cut_fully, cut_text};
use model::logic::number::number_of;
use model::logic::pattern::Pattern;
use model::{Field, FieldType, Validation};
use serde_json::Number;

/// The maximum number of attributes that a field holds.
const MAX_ATTRIBUTES: usize = 100;

/// The values of attributes that become members of a field only in combination with its labels, options and type.
#[derive(Debug, Default)]
pub(super) struct Exact {
    pub(super) label: Option<String>,
    pub(super) description: Option<String>,
    pub(super) default_value: Option<String>,
    pub(super) options: Option<String>,
    pub(super) aria_label: Option<String>,
    pub(super) value: Option<String>,
    class: Option<String>,
    placeholder: Option<String>,
    pub(super) is_checked: bool,
    pub(super) is_enabled: bool,
    has_no_step: bool,
}

/// Reads attributes into a field. If a name occurs twice, the first attribute counts.
pub(super) fn read<'a>(
    field: &mut Field,
    attributes: impl Iterator<Item = Attribute<'a>>,
    warnings: &mut Warnings,
) -> Exact {
    let mut offset = None;
    let mut reader = Reader {
        field,
        warnings,
        exact: Exact::default(),
    };
    for attribute in attributes {
        offset.get_or_insert(attribute.place.name.0 as usize);
        reader.take(&attribute);
    }
    let mut exact = reader.exact;
    let step = field.attributes.get("step");
    if exact.has_no_step && step.is_some_and(|step| step == "any") {
        field.attributes.remove("step");
    }
    field.css_class = exact.class.take().unwrap_or_default();
    field.placeholder = exact.placeholder.take().unwrap_or_default();
    let bound = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    let (min, max) = (bound(&field.validation.min), bound(&field.validation.max));
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        field.validation.min = None;
        let message = "The minimum is left out: it is greater than the maximum.";
        warnings.add(WarningCode::BoundInvalid, offset.unwrap_or(0), message);
    }
    exact
}

struct Reader<'f> {
    field: &'f mut Field,
    warnings: &'f mut Warnings,
    exact: Exact,
}

impl Reader<'_> {
    fn take(&mut self, attribute: &Attribute<'_>) {
        let text = || attribute.value().into_owned();
        let short = || cut(attribute.value());
        let bound = || number_of(attribute.value().trim());
        let Reader { field, exact, .. } = self;
        let validation = &mut field.validation;
        match attribute.lower_name().as_ref() {
            "value" => _ = exact.value.get_or_insert_with(text),
            "id" if attribute.raw_value().starts_with(markers::ID_PREFIX) => {}
            "class" => {
                let class = || author_class(field.kind, &attribute.value());
                exact.class.get_or_insert_with(class);
            }
            "checked" => exact.is_checked = true,
            "aria-label" => _ = exact.aria_label.get_or_insert_with(text),
            "placeholder" | "data-cf-placeholder" => {
                exact.placeholder.get_or_insert_with(short);
            }
            "required" | "data-cf-required" => field.required = true,
            "data-cf-label" => _ = exact.label.get_or_insert_with(text),
            "data-cf-description" => _ = exact.description.get_or_insert_with(text),
            "data-cf-default" => _ = exact.default_value.get_or_insert_with(short),
            "data-cf-options" => _ = exact.options.get_or_insert_with(text),
            "data-cf-enabled" => exact.is_enabled = true,
            "data-cf-no-step" => exact.has_no_step = true,
            "data-cf-min" => validation.min = validation.min.take().or_else(bound),
            "data-cf-max" => validation.max = validation.max.take().or_else(bound),
            "data-cf-pattern" => {
                let pattern = Some(text())
                    .filter(|pattern| Pattern::of(pattern).is_ok() && !pattern.is_empty());
                validation.pattern = validation.pattern.take().or(pattern);
            }
            "data-cf-id" => {
                let id = field.attributes.entry("id".to_owned());
                id.or_insert_with(text);
            }
            "name" | "type" | "for" | "form" | "list" | "selected" | "aria-describedby"
            | "aria-labelledby" | "data-show-if" | "data-hide-if" | "data-layout" | "data-step" => {
            }
            name if name.starts_with(markers::PREFIX) => {}
            name => self.take_other(name, attribute),
        }
    }

    fn take_other(&mut self, name: &str, attribute: &Attribute<'_>) {
        match home_of(self.field.kind, name) {
            Home::Member(member @ (Member::Min | Member::Max)) => {
                let bound = self.bound(attribute);
                let Validation { min, max, .. } = &mut self.field.validation;
                let target = if member == Member::Min { min } else { max };
                *target = target.take().or(bound);
            }
            Home::Member(Member::Pattern) => self.take_pattern(attribute),
            Home::Member(_) => {}
            Home::Nowhere(reason) => {
                let is_unsafe =
                    name.starts_with("on") || matches!(name, "style" | "srcdoc" | "formaction");
                let code = if is_unsafe {
                    WarningCode::UnsafeAttribute
                } else {
                    WarningCode::AttributeDropped
                };
                self.warn(code, attribute, &format!("`{name}` is left out. {reason}"));
            }
            Home::Attributes => self.keep(name, attribute),
        }
    }

    fn keep(&mut self, name: &str, attribute: &Attribute<'_>) {
        let value = attribute.value();
        if value.contains([':', '&']) && is_script_address(&value) {
            let message = format!("`{name}` is left out: its address runs script.");
            return self.warn(WarningCode::UnsafeAttribute, attribute, &message);
        }
        let attributes = &mut self.field.attributes;
        if attributes.contains_key(name) {
            return;
        }
        if attributes.len() >= MAX_ATTRIBUTES || value.chars().count() > MAX_ATTRIBUTE_VALUE_CHARS {
            let message = "The field has too many or too long attributes.";
            return self.warn(WarningCode::AttributeDropped, attribute, message);
        }
        attributes.insert(name.to_owned(), value.into_owned());
    }

    /// Reads a pattern. If the server cannot enforce it, it stays an attribute for browsers.
    fn take_pattern(&mut self, attribute: &Attribute<'_>) {
        let pattern = attribute.value();
        let text = || pattern.clone().into_owned();
        match Pattern::of(&pattern) {
            _ if pattern.is_empty() => {}
            Ok(_) => _ = self.field.validation.pattern.get_or_insert_with(text),
            Err(error) => {
                let message = format!("Only browsers enforce this pattern: {error}.");
                self.warn(WarningCode::PatternNotEnforced, attribute, &message);
                self.keep("pattern", attribute);
            }
        }
    }

    fn bound(&mut self, attribute: &Attribute<'_>) -> Option<Number> {
        let text = attribute.value();
        let bound = if self.field.kind.bounds_number() {
            number_of(text.trim())
        } else {
            leading_count(&text)
        };
        if bound.is_none() {
            let message = "This bound is left out: it is not a number of the right kind.";
            self.warn(WarningCode::BoundInvalid, attribute, message);
        }
        bound
    }

    fn warn(&mut self, code: WarningCode, attribute: &Attribute<'_>, message: &str) {
        self.warnings
            .add(code, attribute.place.name.0 as usize, message);
    }
}

/// Reads the number at the start of a text, as browsers read lengths.
fn leading_count(text: &str) -> Option<Number> {
    let text = text.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse::<u32>().ok().map(Number::from)
}

/// The author's classes, without the leading classes that rendering writes.
fn author_class(kind: FieldType, class: &str) -> String {
    let rendered = if class.starts_with(markers::OPTIONS_CLASSES) {
        markers::OPTIONS_CLASSES
    } else {
        kind.class()
    };
    match class.strip_prefix(rendered) {
        Some("") => String::new(),
        Some(rest) if rest.starts_with(' ') => cut(rest.get(1..).unwrap_or_default()),
        _ => cut(collapse(class)),
    }
}
