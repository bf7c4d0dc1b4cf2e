//! The first half of reading: what stands in the document that a field may come from, in its
//! order, with what surrounds it. Nothing is decoded or copied yet.

use std::collections::BTreeMap;
use std::ops::Range;

use super::elements::{Notable, help_class, input_kind};
use crate::forms::FieldType;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::{TextRange, Texts};
use crate::markup::html::tokens::{Attribute, StartTag, find};
use crate::markup::html::tree::TreeSink;
use crate::markup::markers;
use crate::markup::warnings::{WarningCode, Warnings};

/// What an item of a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An input, textarea or select; radios and checkboxes are one item each.
    Control(FieldType),
    /// A submit button.
    Submit,
    /// A heading, by its level.
    Heading(u8),
    /// Text on its own.
    Paragraph,
    /// A thematic break.
    Divider,
    /// A fieldset.
    Fieldset,
    /// An element marked as a container.
    Container,
    /// An element of the role `group` or `radiogroup`.
    RoleGroup,
    /// A fieldset that rendering made for one field of this type.
    Scope(FieldType),
    /// What turned out to be nothing.
    Nothing,
}

/// One item.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) what: What,
    /// Its attributes, in [`Items::attributes`].
    pub(super) attributes: Range<u32>,
    /// Where its start tag begins.
    pub(super) offset: u32,
    /// Where it stands in the text.
    pub(super) mark: u32,
    /// Its own text: of a textarea, heading, button or paragraph, or a legend.
    pub(super) text: TextRange,
    /// The label around it, in [`Items::labels`].
    pub(super) label: Option<u32>,
    /// The fieldset, container, role group or scope around it.
    pub(super) parent: Option<u32>,
    /// The innermost conditions around it or on it, in [`Items::conditions`].
    pub(super) conditions: Option<u32>,
    /// The step around it, in [`Items::steps`].
    pub(super) step: Option<u32>,
    /// The attribute that names its group, in [`Items::attributes`].
    pub(super) group: Option<u32>,
    /// Whether a fieldset around it is disabled.
    pub(super) is_disabled: bool,
    /// Help text beside it.
    pub(super) help: Option<TextRange>,
}

/// A label element.
#[derive(Clone, Debug)]
pub(super) struct Label<'a> {
    pub(super) target: Option<Attribute<'a>>,
    pub(super) text: TextRange,
    /// Whether it labels a control within it.
    pub(super) has_control: bool,
}

/// An option of a select or datalist.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The select, in [`Items::list`], or the datalist, in [`Items::datalists`].
    pub(super) owner: Owner,
    pub(super) attributes: Range<u32>,
    pub(super) offset: u32,
    pub(super) text: TextRange,
    pub(super) is_grouped: bool,
    pub(super) is_disabled: bool,
}

/// What an option belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Select(u32),
    Datalist(u32),
}

/// An element that carries conditions.
#[derive(Clone, Debug)]
pub(super) struct Conditional {
    pub(super) outer: Option<u32>,
    pub(super) attributes: Range<u32>,
    pub(super) offset: u32,
}

/// An element with `data-step`, or a section that rendering made.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The value of `data-step`, in [`Items::attributes`]; none for a section of a group.
    pub(super) id: Option<u32>,
    pub(super) attributes: Range<u32>,
    pub(super) title: TextRange,
    /// Whether rendering made it, so that the step says nothing about groups.
    pub(super) is_rendered: bool,
    items_before: usize,
}

/// The items of a document.
pub(super) struct Items<'a> {
    pub(super) list: Vec<Item>,
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) texts: Texts<'a>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) choices: Vec<Choice>,
    pub(super) datalists: BTreeMap<&'a str, u32>,
    pub(super) conditions: Vec<Conditional>,
    pub(super) steps: Vec<Step>,
    /// The text of each element with an `id`, by the id as written.
    pub(super) texts_by_id: BTreeMap<&'a str, TextRange>,
    /// `data-layout`, `data-cf-layout` and `data-cf-settings`, as written.
    pub(super) layout: Option<&'a str>,
    pub(super) exact_layout: Option<&'a str>,
    pub(super) settings: Option<&'a str>,
    pub(super) forms: BTreeMap<&'a str, ()>,
    pub(super) form_count: u32,
    pub(super) warnings: Warnings,
    /// Whether there were more than [`super::MAX_ITEMS`].
    pub(super) is_full: bool,
    context: Context,
    pending_help: Option<(u32, TextRange)>,
    blocks: u32,
}

/// What holds for everything within the open elements.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    label: Option<u32>,
    parent: Option<u32>,
    conditions: Option<u32>,
    step: Option<u32>,
    group: Option<u32>,
    owner: Option<Owner>,
    legend: Option<LegendOf>,
    is_grouped: bool,
    is_disabled: bool,
    outer_is_disabled: bool,
    choice_is_disabled: bool,
    /// Within an element whose text counts.
    captures: bool,
    /// Within an element whose text is for nobody.
    hides_text: bool,
    block: u32,
    items_before_block: u32,
}

#[derive(Clone, Copy, Debug)]
enum LegendOf {
    Item(u32),
    Step(u32),
}

/// What is kept for an open element.
pub(super) struct Node<'a> {
    role: Role,
    id: Option<&'a str>,
    start: u32,
    items_before: u32,
    labels_before: u32,
    outer: Context,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Plain,
    Label(u32),
    /// The element's text becomes the item's.
    TextOf(u32),
    Paragraph(u32),
    Title(u32),
    Choice(u32),
    Help,
    Block,
}

impl<'a> Items<'a> {
    pub(super) fn of(html: &'a str) -> Items<'a> {
        Items {
            list: Vec::new(),
            attributes: Vec::new(),
            texts: Texts::of(html),
            labels: Vec::new(),
            choices: Vec::new(),
            datalists: BTreeMap::new(),
            conditions: Vec::new(),
            steps: Vec::new(),
            texts_by_id: BTreeMap::new(),
            layout: None,
            exact_layout: None,
            settings: None,
            forms: BTreeMap::new(),
            form_count: 0,
            warnings: Warnings::default(),
            is_full: false,
            context: Context::default(),
            pending_help: None,
            blocks: 0,
        }
    }

    /// The attributes of a range.
    pub(super) fn within(&self, range: &Range<u32>) -> &[Attribute<'a>] {
        self.attributes
            .get(range.start as usize..range.end as usize)
            .unwrap_or_default()
    }

    /// The attribute of an item by its lower-case name.
    pub(super) fn attribute(&self, item: &Item, name: &str) -> Option<&Attribute<'a>> {
        find(self.within(&item.attributes), name)
    }

    fn keep(&mut self, tag: &StartTag<'a, '_>) -> Range<u32> {
        let start = index(self.attributes.len());
        self.attributes.extend_from_slice(tag.attributes);
        start..index(self.attributes.len())
    }

    /// The kept attribute of that name.
    fn kept(&self, attributes: &Range<u32>, name: &str) -> Option<u32> {
        let found = self
            .within(attributes)
            .iter()
            .position(|attribute| attribute.name.eq_ignore_ascii_case(name))?;
        Some(attributes.start + index(found))
    }

    fn add(&mut self, what: What, tag: &StartTag<'a, '_>, conditions: Option<u32>) -> Option<u32> {
        if self.list.len() >= super::MAX_ITEMS {
            self.is_full = true;
            return None;
        }
        let attributes = self.keep(tag);
        let mark = self.texts.mark();
        let own_group = self.kept(&attributes, "data-cf-group");
        self.list.push(Item {
            what,
            attributes,
            offset: index(tag.span.start),
            mark,
            text: mark..mark,
            label: None,
            parent: self.context.parent,
            conditions,
            step: self.context.step,
            group: own_group.or(self.context.group),
            is_disabled: self.context.is_disabled,
            help: None,
        });
        Some(index(self.list.len() - 1))
    }

    /// Adds a control and ties it to the label and help text around it.
    fn add_control(
        &mut self,
        kind: FieldType,
        tag: &StartTag<'a, '_>,
        conditions: Option<u32>,
    ) -> Option<u32> {
        if tag
            .attribute("name")
            .is_none_or(|name| name.raw_value.is_empty())
        {
            self.warnings.add(
                WarningCode::ControlWithoutName,
                tag.span.start,
                "A control without a name is never submitted.",
            );
            return None;
        }
        let added = self.add(What::Control(kind), tag, conditions)?;
        self.texts.add_control();
        let label = self.context.label.filter(|_| kind != FieldType::Hidden);
        let label = label.filter(|label| self.claims(*label, tag));
        let help = match kind {
            FieldType::Hidden => None,
            _ => self.pending_help.take().map(|(_, text)| text),
        };
        let mark = self.texts.mark();
        if let Some(item) = self.list.get_mut(added as usize) {
            item.label = label;
            item.help = help;
            item.mark = mark;
        }
        Some(added)
    }

    /// Whether the label around a control labels it: without `for`, the first control within.
    fn claims(&mut self, label: u32, tag: &StartTag<'a, '_>) -> bool {
        let Some(label) = self.labels.get_mut(label as usize) else {
            return false;
        };
        let is_free = !label.has_control;
        label.has_control = true;
        match &label.target {
            None => is_free,
            Some(target) => tag
                .attribute("id")
                .is_some_and(|id| id.value() == target.value()),
        }
    }

    fn open_input(&mut self, tag: &StartTag<'a, '_>, conditions: Option<u32>) {
        let written = tag.attribute("type").map_or("", |kind| kind.raw_value);
        let is_consent = tag
            .attribute("data-cf-type")
            .is_some_and(|kind| kind.raw_value == "consent");
        match input_kind(written) {
            Some(FieldType::Submit) => {
                self.add(What::Submit, tag, conditions);
            }
            Some(FieldType::Checkbox) if is_consent => {
                self.add_control(FieldType::Consent, tag, conditions);
            }
            Some(kind) => {
                self.add_control(kind, tag, conditions);
            }
            None => self.ignore_button(tag),
        }
    }

    fn ignore_button(&mut self, tag: &StartTag<'a, '_>) {
        self.warnings.add(
            WarningCode::ButtonIgnored,
            tag.span.start,
            "A button that does not submit has no place in a schema.",
        );
    }

    fn open_button(&mut self, tag: &StartTag<'a, '_>, conditions: Option<u32>) -> Role {
        self.context.captures = true;
        let kind = tag.attribute("type").map_or("", |kind| kind.raw_value);
        if kind.eq_ignore_ascii_case("button") || kind.eq_ignore_ascii_case("reset") {
            self.context.hides_text = true;
            self.ignore_button(tag);
            return Role::Plain;
        }
        self.add(What::Submit, tag, conditions)
            .map_or(Role::Plain, Role::TextOf)
    }

    fn open_choice(&mut self, tag: &StartTag<'a, '_>) -> Role {
        let Some(owner) = self.context.owner else {
            return Role::Plain;
        };
        if self.choices.len() >= super::MAX_CHOICES {
            self.is_full = true;
            return Role::Plain;
        }
        let attributes = self.keep(tag);
        let mark = self.texts.mark();
        self.choices.push(Choice {
            owner,
            attributes,
            offset: index(tag.span.start),
            text: mark..mark,
            is_grouped: self.context.is_grouped,
            is_disabled: self.context.choice_is_disabled || tag.attribute("disabled").is_some(),
        });
        Role::Choice(index(self.choices.len() - 1))
    }

    /// A fieldset or another element that holds fields.
    fn open_group(&mut self, what: What, tag: &StartTag<'a, '_>, conditions: Option<u32>) {
        let Some(added) = self.add(what, tag, conditions) else {
            return;
        };
        self.context.parent = Some(added);
        if what != What::RoleGroup {
            self.context.conditions = None;
            self.context.group = None;
            self.context.legend = Some(LegendOf::Item(added));
        }
        if tag.tag == Tag::Fieldset && tag.attribute("disabled").is_some() {
            self.context.outer_is_disabled = self.context.is_disabled;
            self.context.is_disabled = !matches!(what, What::Scope(_)) || self.context.is_disabled;
        }
    }

    fn open_legend(&mut self) -> Role {
        self.context.captures = true;
        self.context.is_disabled = self.context.outer_is_disabled;
        match self.context.legend {
            Some(LegendOf::Item(item)) => {
                let is_first = self
                    .list
                    .get(item as usize)
                    .is_some_and(|item| item.text.is_empty());
                if is_first {
                    Role::TextOf(item)
                } else {
                    Role::Plain
                }
            }
            Some(LegendOf::Step(step)) => self.title_role(step).unwrap_or(Role::Plain),
            None => Role::Plain,
        }
    }

    /// The role of an element that may be the title of a step: the first thing within it.
    fn title_role(&mut self, step: u32) -> Option<Role> {
        let found = self.steps.get(step as usize)?;
        (found.title.is_empty() && found.items_before == self.list.len())
            .then_some(Role::Title(step))
    }

    fn open_heading(
        &mut self,
        tag: &StartTag<'a, '_>,
        notable: &Notable<'a>,
        conditions: Option<u32>,
    ) -> Role {
        self.context.captures = true;
        let is_rendered_title = notable
            .class
            .is_some_and(|class| class.raw_value == markers::STEP_TITLE_CLASS);
        if let Some(step) = self.context.step
            && (is_rendered_title
                || self
                    .steps
                    .get(step as usize)
                    .is_some_and(|s| !s.is_rendered))
            && let Some(role) = self.title_role(step)
        {
            return role;
        }
        let level = tag.name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
        self.add(What::Heading(level), tag, conditions)
            .map_or(Role::Plain, Role::TextOf)
    }

    fn open_step(&mut self, tag: &StartTag<'a, '_>, notable: &Notable<'a>) {
        let attributes = self.keep(tag);
        let id = self.kept(&attributes, "data-step");
        let is_rendered = notable.is_rendered_step();
        if is_rendered {
            self.context.group = self.kept(&attributes, "data-cf-group");
        }
        self.steps.push(Step {
            id,
            attributes,
            title: 0..0,
            is_rendered,
            items_before: self.list.len(),
        });
        let step = index(self.steps.len() - 1);
        self.context.step = Some(step);
        self.context.legend = Some(LegendOf::Step(step));
    }

    fn note_form(&mut self, tag: &StartTag<'a, '_>) {
        self.form_count += 1;
        if let Some(id) = tag.attribute("id") {
            self.forms.insert(id.raw_value, ());
        }
        if self.form_count == 2 {
            self.warnings.add(
                WarningCode::SeveralForms,
                tag.span.start,
                "There is more than one form; all controls are read as one form's.",
            );
        }
    }

    /// Notes what any element may carry, and gives the conditions that hold for it.
    fn note(&mut self, tag: &StartTag<'a, '_>, notable: &Notable<'a>) -> Option<u32> {
        if let Some(layout) = notable.layout {
            self.layout.get_or_insert(layout.raw_value);
            self.exact_layout = self.exact_layout.or(notable.exact_layout);
            self.settings = self.settings.or(notable.settings);
        }
        if !notable.has_conditions {
            return self.context.conditions;
        }
        let attributes = self.keep(tag);
        self.conditions.push(Conditional {
            outer: self.context.conditions,
            attributes,
            offset: index(tag.span.start),
        });
        Some(index(self.conditions.len() - 1))
    }

    /// Help text belongs to the control before it in its block, else to the next one.
    fn close_help(&mut self, text: TextRange) {
        if self.texts.is_blank_with_hidden(text.clone()) {
            return;
        }
        let is_in_block = index(self.list.len()) > self.context.items_before_block;
        match self.list.last_mut() {
            Some(item) if is_in_block && matches!(item.what, What::Control(_)) => {
                item.help.get_or_insert(text);
            }
            _ => self.pending_help = Some((self.context.block, text)),
        }
    }

    fn open_element(
        &mut self,
        tag: &StartTag<'a, '_>,
        notable: &Notable<'a>,
        conditions: Option<u32>,
    ) -> Role {
        match tag.tag {
            Tag::Input => self.open_input(tag, conditions),
            Tag::Textarea => {
                self.context.hides_text = true;
                let added = self.add_control(FieldType::Textarea, tag, conditions);
                return added.map_or(Role::Plain, Role::TextOf);
            }
            Tag::Select => {
                self.context.hides_text = true;
                let added = self.add_control(FieldType::Select, tag, conditions);
                self.context.owner = added.map(Owner::Select);
            }
            Tag::Datalist => {
                self.context.hides_text = true;
                if let Some(id) = notable.id {
                    let next = index(self.datalists.len());
                    let list = *self.datalists.entry(id.raw_value).or_insert(next);
                    self.context.owner = Some(Owner::Datalist(list));
                }
            }
            Tag::Option => return self.open_choice(tag),
            Tag::Optgroup => {
                self.context.is_grouped = true;
                self.context.choice_is_disabled = tag.attribute("disabled").is_some();
            }
            Tag::Button => return self.open_button(tag, conditions),
            Tag::Label => {
                self.context.captures = true;
                let mark = self.texts.mark();
                self.labels.push(Label {
                    target: tag.attribute("for").copied(),
                    text: mark..mark,
                    has_control: false,
                });
                let label = index(self.labels.len() - 1);
                self.context.label = Some(label);
                return Role::Label(label);
            }
            Tag::Legend => return self.open_legend(),
            Tag::Form => self.note_form(tag),
            Tag::Hr => {
                self.add(What::Divider, tag, conditions);
            }
            _ if tag.tag.is_heading() => return self.open_heading(tag, notable, conditions),
            _ => {}
        }
        Role::Plain
    }

    /// Elements that hold fields, and text beside them.
    fn open_wrapper(
        &mut self,
        tag: &StartTag<'a, '_>,
        notable: &Notable<'a>,
        conditions: Option<u32>,
    ) -> Option<Role> {
        self.context.conditions = conditions;
        let rendered = notable
            .kind
            .and_then(|kind| FieldType::parse(kind.raw_value));
        let class = notable.class.map_or("", |class| class.raw_value);
        match rendered {
            Some(FieldType::Container) => self.open_group(What::Container, tag, conditions),
            Some(
                kind @ (FieldType::Radio
                | FieldType::Checkbox
                | FieldType::Rating
                | FieldType::Name
                | FieldType::Address),
            ) if tag.tag == Tag::Fieldset => self.open_group(What::Scope(kind), tag, conditions),
            _ if notable.step.is_some() || notable.is_rendered_step() => {
                self.open_step(tag, notable);
            }
            _ if tag.tag == Tag::Fieldset => self.open_group(What::Fieldset, tag, conditions),
            _ if notable.is_role_group() && rendered.is_none() => {
                self.open_group(What::RoleGroup, tag, conditions)
            }
            _ if class == markers::DESCRIPTION_CLASS => return Some(Role::Plain),
            _ if class == markers::ERROR_CLASS => {
                self.context.hides_text = true;
                return Some(Role::Plain);
            }
            _ if self.context.captures
                && (tag.tag == Tag::Small || self.context.label.is_none()) => {}
            _ if tag.tag == Tag::Small || (help_class(class) && rendered.is_none()) => {
                self.context.hides_text = self.context.captures;
                return Some(Role::Help);
            }
            _ if tag.tag == Tag::P => {
                let added = self.add(What::Paragraph, tag, conditions)?;
                return Some(Role::Paragraph(added));
            }
            _ => {}
        }
        None
    }
}

/// A length as an index; documents are smaller than 4 GiB.
pub(super) fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<'a> TreeSink<'a> for Items<'a> {
    type Node = Node<'a>;

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Node<'a> {
        let outer = self.context;
        let notable = Notable::of(tag);
        let parts_text = tag.tag.parts_text();
        if parts_text {
            self.texts.add_break();
        }
        if self.context.captures && notable.is_hidden {
            self.context.hides_text = true;
        }
        let node = Node {
            role: Role::Plain,
            id: notable.id.map(|id| id.raw_value),
            start: self.texts.mark(),
            items_before: index(self.list.len()),
            labels_before: index(self.labels.len()),
            outer,
        };
        let conditions = self.note(tag, &notable);
        let holds_content = !matches!(
            tag.tag,
            Tag::Input
                | Tag::Textarea
                | Tag::Select
                | Tag::Button
                | Tag::Option
                | Tag::Optgroup
                | Tag::Label
                | Tag::Legend
                | Tag::Hr
        ) && !tag.tag.is_heading();
        let wrapper = match holds_content {
            true => self.open_wrapper(tag, &notable, conditions),
            false => None,
        };
        let role = match wrapper {
            Some(role) => role,
            None => self.open_element(tag, &notable, conditions),
        };
        let opens_block = parts_text && !matches!(role, Role::Help | Role::Choice(_));
        if opens_block {
            self.blocks += 1;
            self.context.block = self.blocks;
            self.context.items_before_block = index(self.list.len());
        }
        let role = match role {
            Role::Plain if opens_block => Role::Block,
            role => role,
        };
        Node { role, ..node }
    }

    fn close(&mut self, tag: Tag, node: Node<'a>, _end_tag: Option<Range<usize>>) {
        let text = node.start..self.texts.mark();
        let block = self.context.block;
        self.context = node.outer;
        if let Some(id) = node.id.filter(|id| !id.is_empty()) {
            self.texts_by_id.entry(id).or_insert_with(|| text.clone());
        }
        match node.role {
            Role::Plain | Role::Block => {}
            Role::Label(label) => {
                if let Some(label) = self.labels.get_mut(label as usize) {
                    label.text = text;
                }
            }
            Role::TextOf(item) => {
                if let Some(item) = self.list.get_mut(item as usize) {
                    item.text = text;
                }
            }
            Role::Paragraph(item) => {
                let is_alone = index(self.list.len()) == node.items_before + 1
                    && index(self.labels.len()) == node.labels_before
                    && !self.texts.is_blank(text.clone());
                let is_rendered = self
                    .list
                    .get(item as usize)
                    .is_some_and(|item| self.attribute(item, "data-cf-type").is_some());
                if let Some(item) = self.list.get_mut(item as usize) {
                    item.text = text;
                    if !is_alone && !is_rendered {
                        item.what = What::Nothing;
                    }
                }
            }
            Role::Title(step) => {
                if let Some(step) = self.steps.get_mut(step as usize) {
                    step.title = text;
                }
            }
            Role::Choice(choice) => {
                if let Some(choice) = self.choices.get_mut(choice as usize) {
                    choice.text = text;
                }
            }
            Role::Help => {
                if index(self.list.len()) == node.items_before {
                    self.close_help(text);
                }
            }
        }
        if self
            .pending_help
            .as_ref()
            .is_some_and(|(of, _)| *of == block)
            && block != self.context.block
        {
            self.pending_help = None;
        }
        if tag.parts_text() {
            self.texts.add_break();
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.texts.add(span, self.context.hides_text);
    }

    fn nested_form(&mut self, tag: &StartTag<'a, '_>) {
        self.note_form(tag);
    }
}
