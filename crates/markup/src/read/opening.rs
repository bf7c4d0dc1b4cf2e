//! Decides the role of an element when it opens: a control, a label, a legend, a step, a help text.

use super::elements::ElementAttributes;
use super::items::{Conditional, ItemKind, Items, Label, Link, Role, Step, index};
use super::options::{Choice, OptionsOwner};
use crate::conditions;
use crate::html::tag::Tag;
use crate::html::text::{Kind, TextRange};
use crate::html::tokens::StartTag;
use crate::markers;
use crate::warnings::WarningCode;
use model::logic::calc::fields::CALC;
use model::one_control::input_kind;
use model::{ConditionAction, FieldType};

/// Limit on nested elements with a fault's class: a field with a fault, and its message.
const MAX_FAULTS: u8 = 2;

impl<'a> Items<'a> {
    fn open_input(&mut self, tag: &StartTag<'a, '_>) {
        // On a visitor's page, the input may have a replacement type.
        let meant = input_kind(tag.raw_value(markers::KIND));
        let meant = meant.filter(|kind| kind.facts().stand_in.is_some());
        match meant.or_else(|| input_kind(tag.raw_value("type"))) {
            Some(FieldType::Submit) => _ = self.add_submit(tag),
            Some(FieldType::Checkbox) if tag.raw_value("data-cf-type") == "consent" => {
                _ = self.add_control(FieldType::Consent, tag);
            }
            Some(kind) => _ = self.add_control(kind, tag),
            None => self.ignore_button(tag),
        }
    }

    /// Begins a link, whose text may be part of a consent's label.
    pub(super) fn open_link(&mut self, tag: &StartTag<'a, '_>) -> Option<usize> {
        let is_link = tag.name.eq_ignore_ascii_case("a");
        let address = tag.attribute("href").filter(|_| is_link)?;
        Some(self.texts.open_link(address.raw_value()))
    }

    fn ignore_button(&mut self, tag: &StartTag<'a, '_>) {
        self.note_button();
        self.note_step_button(tag);
        let (code, offset) = (WarningCode::ButtonIgnored, tag.span.start);
        let message = "A button that does not submit is left out.";
        self.warnings.add(code, offset, message);
    }

    fn open_button(&mut self, tag: &StartTag<'a, '_>) -> Role {
        self.context.captures = true;
        // A button's text does not label a neighbouring control.
        self.texts.add_edge(Kind::Control);
        let kind = tag.raw_value("type");
        if kind.eq_ignore_ascii_case("button") || kind.eq_ignore_ascii_case("reset") {
            self.context.hides_text = true;
            self.ignore_button(tag);
            return Role::Plain;
        }
        Role::TextOf(self.add_submit(tag).into())
    }

    fn add_submit(&mut self, tag: &StartTag<'a, '_>) -> Option<usize> {
        self.note_button();
        let added = self.add(ItemKind::Submit, tag)?;
        self.note_field(added);
        Some(added)
    }

    fn open_choice(&mut self, tag: &StartTag<'a, '_>) -> Role {
        let Some(owner) = self.context.owner else {
            return Role::Plain;
        };
        if self.choices.len() >= super::MAX_CHOICES {
            self.is_full = true;
            return Role::Plain;
        }
        let mark = self.texts.mark();
        let choice = Choice {
            offset: index(tag.span.start),
            tag: self.tags.keep(tag),
            text: mark..mark,
            is_grouped: self.context.is_grouped,
            is_disabled: self.context.choice_is_disabled || tag.attribute("disabled").is_some(),
        };
        self.add_choice(choice, owner);
        Role::Choice(Link::from(self.choices.len() - 1))
    }

    /// Begins a fieldset or another element that contains fields.
    fn open_group(&mut self, kind: ItemKind, tag: &StartTag<'a, '_>) {
        let Some(added) = self.add(kind, tag) else {
            return;
        };
        self.context.parent = added.into();
        if kind != ItemKind::RoleGroup {
            self.context.conditions = Link::NONE;
            self.context.group = Link::NONE;
            self.context.legend = Role::TextOf(added.into());
        }
        if tag.tag == Tag::Fieldset && tag.attribute("disabled").is_some() {
            self.context.outer_is_disabled = self.context.is_disabled;
            self.context.is_disabled =
                !matches!(kind, ItemKind::Scope(_)) || self.context.is_disabled;
        }
    }

    fn open_legend(&mut self) -> Role {
        self.context.captures = true;
        self.context.is_in_legend = true;
        self.context.is_disabled = self.context.outer_is_disabled;
        match self.context.legend {
            Role::TextOf(group) => {
                let owner = group.of(&self.list);
                let is_first = owner.is_some_and(|item| item.text.is_empty());
                Some(self.context.legend).filter(|_| is_first)
            }
            Role::Title(step) => self.title_role(step),
            _ => None,
        }
        .unwrap_or_default()
    }

    /// The role of an element that may be the title of a step: it must be the first content of the step.
    fn title_role(&self, step: Link) -> Option<Role> {
        let found = step.of(&self.steps)?;
        let is_first = found.title.is_empty() && found.items_before == self.list.len();
        is_first.then_some(Role::Title(step))
    }

    fn open_heading(&mut self, tag: &StartTag<'a, '_>, attributes: &ElementAttributes<'a>) -> Role {
        if self.context.is_in_legend || self.context.label != Link::NONE {
            return Role::Plain;
        }
        self.context.captures = true;
        let is_title = attributes.class == Some(markers::STEP_TITLE_CLASS);
        let step = self.context.step;
        if step
            .of(&self.steps)
            .is_some_and(|step| is_title || !step.is_rendered)
            && let Some(role) = self.title_role(step)
        {
            return role;
        }
        let level = tag.name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
        Role::TextOf(self.add(ItemKind::Heading(level), tag).into())
    }

    fn open_step(&mut self, tag: &StartTag<'a, '_>, attributes: &ElementAttributes<'a>) {
        let is_rendered = attributes.is_rendered_step();
        if is_rendered {
            self.context.group = self.note_group(tag).into();
        }
        let is_outermost = self.context.step == Link::NONE;
        self.context.step = Link::from(self.steps.len());
        self.context.legend = Role::Title(self.context.step);
        self.steps.push(Step {
            offset: is_outermost.then_some(tag.span.start).into(),
            id: attributes.step,
            named: tag.attribute("data-title").map(|title| title.raw_value()),
            is_rendered,
            items_before: self.list.len(),
            ..Step::default()
        });
    }

    pub(super) fn note_form(&mut self, tag: &StartTag<'a, '_>) {
        self.form_count += 1;
        self.context.is_in_form = true;
        let mut traps = markers::TRAPS_OF_FORMS.iter();
        let trap = || Some(traps.find_map(|name| tag.attribute(name))?.raw_value());
        self.declared_trap = self.declared_trap.or_else(trap);
        if let Some(id) = tag.attribute("id") {
            self.forms.insert(id.raw_value());
        }
        if self.form_count == 2 {
            let (code, offset) = (WarningCode::SeveralForms, tag.span.start);
            let message = "There is more than one form; all controls are read as one form's.";
            self.warnings.add(code, offset, message);
        }
    }

    /// Notes the attributes that any element may have.
    pub(super) fn note(&mut self, tag: &StartTag<'a, '_>, attributes: &ElementAttributes<'a>) {
        if let Some(layout) = attributes.layout {
            let value = |name| Some(tag.attribute(name)?.raw_value());
            self.layout.get_or_insert(layout);
            self.exact_layout = self.exact_layout.or_else(|| value("data-cf-layout"));
            self.settings = self.settings.or_else(|| value("data-cf-settings"));
        }
        if attributes.has_conditions() {
            let outer = self.context.conditions;
            self.context.conditions = Link::from(self.conditions.len());
            self.conditions.push(conditional(tag, outer));
        }
    }

    /// Assigns help text to the control before it in its block, or else to the next control.
    pub(super) fn close_help(&mut self, text: TextRange) {
        // The star of a required field is not a help text.
        let shown = self.texts.glimpse_with_choices(text.clone());
        if !shown.contains(char::is_alphanumeric) {
            return;
        }
        let is_in_block = index(self.list.len()) > self.context.items_before_block;
        match self.list.last() {
            Some(item) if is_in_block && matches!(item.kind, ItemKind::Control(_)) => {
                self.helps.get_or_insert(item.offset, text);
            }
            _ => self.pending_help = Some((self.context.block, text)),
        }
    }

    pub(super) fn open_element(
        &mut self,
        tag: &StartTag<'a, '_>,
        attributes: &ElementAttributes<'a>,
    ) -> Role {
        match tag.tag {
            Tag::Input => self.open_input(tag),
            Tag::Textarea => {
                self.context.hides_text = true;
                return Role::TextOf(self.add_control(FieldType::Textarea, tag).into());
            }
            Tag::Select => {
                self.context.hides_text = true;
                let added = self.add_control(FieldType::Select, tag);
                let offset = index(tag.span.start);
                self.context.owner = added.map(|_| OptionsOwner::Select(offset));
                // A group around the select is not a group of its options.
                self.context.is_grouped = false;
                self.context.choice_is_disabled = false;
            }
            Tag::Datalist => {
                self.context.hides_text = true;
                if let Some(id) = attributes.id {
                    let offset = index(tag.span.start);
                    let list = *self.datalists.entry(id).or_insert(offset);
                    self.context.owner = Some(OptionsOwner::Datalist(list));
                }
            }
            Tag::Output if tag.attribute(CALC).is_some() => {
                self.context.hides_text = true;
                _ = self.add_control(FieldType::Number, tag);
            }
            Tag::Option => return self.open_choice(tag),
            Tag::Optgroup => {
                self.context.is_grouped = true;
                self.context.choice_is_disabled = tag.attribute("disabled").is_some();
            }
            Tag::Button => return self.open_button(tag),
            Tag::Label => return self.open_label(tag, attributes.class_words.is_error),
            Tag::Legend => return self.open_legend(),
            Tag::Form => self.note_form(tag),
            Tag::Hr => _ = self.add(ItemKind::Divider, tag),
            _ if tag.tag.is_heading() => return self.open_heading(tag, attributes),
            _ if attributes.class_words.is_icon || tag.name.ends_with("-icon") => {
                return Role::Ornament(true);
            }
            _ if attributes.class_words.is_addon => return Role::Ornament(false),
            _ => {}
        }
        Role::Plain
    }

    fn open_label(&mut self, tag: &StartTag<'a, '_>, is_error: bool) -> Role {
        self.context.captures = true;
        let mark = self.texts.mark();
        let label = Label {
            target: tag.attribute("for").map(|target| target.raw_value()),
            text: mark..mark,
            outer: self.context.label,
            is_error,
            offset: index(tag.span.start),
            ..Label::default()
        };
        self.context.label = Link::from(self.labels.len());
        self.labels.push(label);
        Role::Label(self.context.label)
    }

    /// Handles elements that contain fields, and help texts and paragraphs around fields.
    pub(super) fn open_wrapper(
        &mut self,
        tag: &StartTag<'a, '_>,
        attributes: &ElementAttributes<'a>,
    ) -> Option<Role> {
        let rendered = attributes.kind.and_then(FieldType::parse);
        let class = attributes.class.unwrap_or_default();
        match rendered {
            Some(FieldType::Container) => self.open_group(ItemKind::Container, tag),
            Some(kind) if tag.tag == Tag::Fieldset && kind.is_scope() => {
                self.open_group(ItemKind::Scope(kind), tag);
            }
            _ if attributes.step.is_some() || attributes.is_rendered_step() => {
                self.open_step(tag, attributes)
            }
            _ if tag.tag == Tag::Fieldset => self.open_group(ItemKind::Fieldset, tag),
            _ if attributes.is_role_group() && rendered.is_none() => {
                self.open_group(ItemKind::RoleGroup, tag)
            }
            _ if [markers::DESCRIPTION_CLASS, markers::ERROR_CLASS].contains(&class) => {
                self.context.hides_text |= class == markers::ERROR_CLASS;
                return Some(Role::Plain);
            }
            _ if attributes.is_fault(tag.tag) && self.context.faults < MAX_FAULTS => {
                self.context.faults += 1;
                return Some(Role::Fault(index(tag.span.start)));
            }
            _ if self.context.captures
                && (tag.tag == Tag::Small || self.context.label == Link::NONE) => {}
            _ if tag.tag == Tag::Small
                || (attributes.class_words.is_help && rendered.is_none()) =>
            {
                self.context.hides_text = self.context.captures;
                return Some(Role::Help);
            }
            _ if tag.tag == Tag::P && self.context.label == Link::NONE => {
                let added = self.add(ItemKind::Paragraph, tag)?;
                return Some(Role::TextOf(added.into()));
            }
            _ => {}
        }
        None
    }
}

fn conditional(tag: &StartTag<'_, '_>, outer: Link) -> Conditional {
    let attribute = |name| Some(tag.attribute(name)?.value());
    let read =
        |name, action| Some(conditions::read(&attribute(name)?, action).map(|one| vec![one]));
    let exact = attribute("data-cf-conditions").map(|exact| conditions::read_exact(&exact));
    let show = read("data-show-if", ConditionAction::Show);
    let all = [exact, show, read("data-hide-if", ConditionAction::Hide)];
    Conditional {
        outer,
        offset: index(tag.span.start),
        is_whole: all.iter().flatten().all(Option::is_some),
        rules: all.into_iter().flatten().flatten().flatten().collect(),
    }
}
