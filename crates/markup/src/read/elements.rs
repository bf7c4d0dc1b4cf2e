//! What attributes say about an element's part in a form.

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
    /// What the class says.
    pub(super) class_words: ClassWords,
    /// The name of the first event handler.
    pub(super) handler: Option<&'a str>,
}

impl<'a> ElementAttributes<'a> {
    pub(super) fn of(tag: &StartTag<'a, '_>, classes: &mut Classes<'a>) -> ElementAttributes<'a> {
        let mut own = ElementAttributes::default();
        for attribute in tag.attributes.iter() {
            let member = match attribute.lower_name().as_ref() {
                "id" => &mut own.id,
                "class" => &mut own.class,
                "role" => &mut own.role,
                "style" => &mut own.style,
                "hidden" => &mut own.hidden,
                "aria-hidden" => &mut own.aria_hidden,
                "data-step" => &mut own.step,
                "data-layout" => &mut own.layout,
                "data-cf-type" => &mut own.kind,
                "data-show-if" | "data-hide-if" | "data-cf-conditions" => &mut own.conditions,
                name if name.starts_with("on") && name.len() > 2 => {
                    own.handler.get_or_insert(attribute.name());
                    continue;
                }
                _ => continue,
            };
            member.get_or_insert(attribute.raw_value());
        }
        if let Some(class) = own.class {
            own.class_words = classes.words_of(class);
        }
        own
    }

    pub(super) const fn has_conditions(&self) -> bool {
        self.conditions.is_some()
    }

    /// Whether an attribute hides it.
    pub(super) fn is_hidden(&self) -> bool {
        let says_so = |value: &str| value.eq_ignore_ascii_case("true");
        self.hidden.is_some() || self.aria_hidden.is_some_and(says_so)
    }

    /// Whether an attribute, its class or its style hides it.
    pub(super) fn hides(&self) -> bool {
        self.is_hidden() || self.class_words.is_hidden || self.is_hidden_by_style()
    }

    pub(super) fn is_role_group(&self) -> bool {
        let role = self.role.unwrap_or_default();
        role.eq_ignore_ascii_case("group") || role.eq_ignore_ascii_case("radiogroup")
    }

    /// Whether only its style hides it, which the policy of the form's page ignores. Conditions and
    /// steps show and hide by themselves.
    pub(super) fn is_hidden_by_style(&self) -> bool {
        let is_shown_by_script = self.has_conditions()
            || self.step.is_some()
            || self.class_words.is_step
            || self.hidden.is_some();
        !is_shown_by_script && self.style.is_some_and(hides)
    }

    /// Whether its class marks the message of a fault, and it is none of the elements that have
    /// one. What is rendered says what it is.
    pub(super) const fn is_fault(&self, tag: Tag) -> bool {
        self.class_words.is_error
            && self.kind.is_none()
            && !matches!(
                tag,
                Tag::Input | Tag::Select | Tag::Textarea | Tag::Label | Tag::Fieldset | Tag::Form
            )
    }

    /// Whether it is a section that rendering made.
    pub(super) fn is_rendered_step(&self) -> bool {
        self.class.is_some_and(|class| class == markers::STEP_CLASS)
    }
}

/// A cache of parsed classes: a document has few, and each many times.
#[derive(Default)]
pub(super) struct Classes<'a> {
    /// The last one of each length, up to a multiple.
    known: [(&'a str, ClassWords); 16],
}

impl<'a> Classes<'a> {
    fn words_of(&mut self, class: &'a str) -> ClassWords {
        let Some((known, says)) = self.known.get_mut(class.len() % 16) else {
            return ClassWords::of(class);
        };
        if *known != class {
            (*known, *says) = (class, ClassWords::of(class));
        }
        *says
    }
}
