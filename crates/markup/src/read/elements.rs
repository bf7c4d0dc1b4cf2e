//! Reads the attributes that determine an element's role in a form.

use crate::html::tag::Tag;
use crate::html::tokens::StartTag;
use crate::markers;
pub(super) use model::class_words::ClassWords;
use model::hiding::hides;

/// The attributes that any element may carry, as written.
#[derive(Default)]
pub(super) struct ElementAttributes<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) class: Option<&'a str>,
    pub(super) kind: Option<&'a str>,
    pub(super) step: Option<&'a str>,
    pub(super) layout: Option<&'a str>,
    role: Option<&'a str>,
    /// The first attribute with conditions.
    conditions: Option<&'a str>,
    hidden: Option<&'a str>,
    aria_hidden: Option<&'a str>,
    style: Option<&'a str>,
    /// The meaning of the class names.
    pub(super) class_words: ClassWords,
    /// The name of the first event handler.
    pub(super) handler: Option<&'a str>,
}

impl<'a> ElementAttributes<'a> {
    pub(super) fn of(tag: &StartTag<'a, '_>, classes: &mut Classes<'a>) -> ElementAttributes<'a> {
        let mut found = ElementAttributes::default();
        for attribute in tag.attributes.iter() {
            let member = match attribute.lower_name().as_ref() {
                "id" => &mut found.id,
                "class" => &mut found.class,
                "role" => &mut found.role,
                "style" => &mut found.style,
                "hidden" => &mut found.hidden,
                "aria-hidden" => &mut found.aria_hidden,
                "data-step" => &mut found.step,
                "data-layout" => &mut found.layout,
                "data-cf-type" => &mut found.kind,
                "data-show-if" | "data-hide-if" | "data-cf-conditions" => &mut found.conditions,
                name if name.starts_with("on") && name.len() > 2 => {
                    found.handler.get_or_insert(attribute.name());
                    continue;
                }
                _ => continue,
            };
            member.get_or_insert(attribute.raw_value());
        }
        if let Some(class) = found.class {
            found.class_words = classes.words_of(class);
        }
        found
    }

    pub(super) const fn has_conditions(&self) -> bool {
        self.conditions.is_some()
    }

    /// Whether an attribute hides the element.
    pub(super) fn is_hidden(&self) -> bool {
        let is_true = |value: &str| value.eq_ignore_ascii_case("true");
        self.hidden.is_some() || self.aria_hidden.is_some_and(is_true)
    }

    /// Whether an attribute, the class or the style hides the element.
    pub(super) fn hides(&self) -> bool {
        self.is_hidden() || self.class_words.is_hidden || self.is_hidden_by_style()
    }

    pub(super) fn is_role_group(&self) -> bool {
        let role = self.role.unwrap_or_default();
        role.eq_ignore_ascii_case("group") || role.eq_ignore_ascii_case("radiogroup")
    }

    /// Whether only an inline style hides the element. The content security policy of the form's page ignores inline
    /// styles. Steps, and elements with conditions, do not count, because the script shows and hides them.
    pub(super) fn is_hidden_by_style(&self) -> bool {
        let is_shown_by_script = self.has_conditions()
            || self.step.is_some()
            || self.class_words.is_step
            || self.hidden.is_some();
        !is_shown_by_script && self.style.is_some_and(hides)
    }

    /// Whether the class marks the message of a fault. Elements that may themselves have a fault are excluded, and so
    /// are rendered elements, which state their type.
    pub(super) const fn is_fault(&self, tag: Tag) -> bool {
        self.class_words.is_error
            && self.kind.is_none()
            && !matches!(
                tag,
                Tag::Input | Tag::Select | Tag::Textarea | Tag::Label | Tag::Fieldset | Tag::Form
            )
    }

    /// Whether the element is a section that rendering made.
    pub(super) fn is_rendered_step(&self) -> bool {
        self.class.is_some_and(|class| class == markers::STEP_CLASS)
    }
}

/// A cache of parsed classes: a document has few different classes, each used often.
#[derive(Default)]
pub(super) struct Classes<'a> {
    /// The last class of each length, modulo the size of the cache.
    known: [(&'a str, ClassWords); 16],
}

impl<'a> Classes<'a> {
    fn words_of(&mut self, class: &'a str) -> ClassWords {
        let Some((known, class_words)) = self.known.get_mut(class.len() % 16) else {
            return ClassWords::of(class);
        };
        if *known != class {
            (*known, *class_words) = (class, ClassWords::of(class));
        }
        *class_words
    }
}
