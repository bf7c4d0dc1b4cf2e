//! Fills a visitor's answers and error messages into a form's HTML, for visitors without script. Every other byte stays
//! unchanged.

mod faults;
mod sent;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::html::edits::Edits;
use super::html::tag::Tag;
use super::html::text::Texts;
use super::html::tokens::StartTag;
use super::html::tree::{self, TreeSink};
use faults::Faults;
use model::FieldType;
use model::escape;
use model::logic::input::{field_name, is_list_name};
use model::markers;
use model::one_control::input_kind;
use sent::Sent;

/// The answers and faults to show in a form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filling<'f> {
    /// The submitted values by name, where a `[]` at a name's end is ignored. A box whose name is missing was not
    /// ticked.
    pub values: &'f [(String, Vec<String>)],
    /// The faults: the field's name and the message.
    pub faults: &'f [(String, String)],
    /// A prefix that keeps the ids of several forms on one page apart; see [`super::RenderOptions::instance`].
    pub instance: &'f str,
    /// `Some` if the values come from the page's address: the names of the hidden fields whose inputs are filled in
    /// too. Controls without a value then stay unchanged, and [`markers::PREFILLED`] marks the filled controls.
    pub prefill: Option<&'f [String]>,
}

/// Fills the answers into the controls of HTML, with a message after each control that has a fault. Passwords and files
/// are never filled in, and hidden inputs keep the page's values.
pub fn fill(html: &str, filling: &Filling<'_>) -> String {
    let mut filler = Filler::of(html, filling);
    tree::read(html, &mut filler);
    filler.write_message_of_box();
    for (fault, (at, is_phrasing)) in std::mem::take(&mut filler.sets) {
        filler.write_message(fault, at, is_phrasing);
    }
    filler.edits.apply(html)
}

#[derive(Default)]
struct Filler<'a, 'f> {
    html: &'a str,
    sent: Sent<'f>,
    faults: Faults<'f>,
    prefill: Option<&'f [String]>,
    texts: Texts<'a>,
    edits: Edits,
    context: Context<'f>,
    /// The faults of controls within the open label: their messages follow the label.
    faults_in_label: Vec<(&'f str, bool)>,
    /// The faults of the open fieldset that is one field: their messages are written at the fieldset's end.
    faults_in_scope: Vec<&'f str>,
    /// The offsets for messages of sets outside such a fieldset, after the last choice. The flag says whether only
    /// phrasing content is allowed there.
    sets: BTreeMap<&'f str, (usize, bool)>,
    /// The fault of a box without a label around it.
    fault_of_box: Option<FaultOfBox<'f>>,
    /// The end of the last tag or text.
    position: usize,
    open: Vec<Node<'a, 'f>>,
}

/// A fault of a box. Its message follows the label after the box, or else the text after the box.
#[derive(Clone, Copy)]
struct FaultOfBox<'f> {
    fault: &'f str,
    /// Whether the box is one of several choices.
    is_of_set: bool,
    /// The number of open elements around the box.
    depth: usize,
    /// Whether text follows the box.
    has_text: bool,
}

/// The state within the innermost open element.
#[derive(Clone, Copy, Default)]
struct Context<'f> {
    /// The submitted values of the select around an option.
    select: Option<&'f [String]>,
    is_in_label: bool,
    /// Whether the enclosing fieldset is one field.
    is_in_scope: bool,
    /// Whether only phrasing content is allowed, so that a message cannot be a paragraph.
    is_phrasing: bool,
}

/// An open element.
struct Node<'a, 'f> {
    /// The state around the element.
    outer: Context<'f>,
    role: Role<'a, 'f>,
    text_start: u32,
}

enum Role<'a, 'f> {
    Plain,
    Scope,
    /// A textarea or select: where its content begins, and the text to replace it.
    Control {
        start: usize,
        value: Option<&'f str>,
        fault: Option<&'f str>,
    },
    /// An option of a select, before it is filled in.
    Option {
        start: usize,
        value: Option<Cow<'a, str>>,
        is_selected: bool,
    },
    Label,
}

impl<'a, 'f> Filler<'a, 'f> {
    fn of(html: &'a str, filling: &Filling<'f>) -> Filler<'a, 'f> {
        Filler {
            html,
            sent: Sent::of(filling.values),
            faults: Faults::of(filling),
            prefill: filling.prefill,
            texts: Texts::of(html),
            ..Filler::default()
        }
    }

    /// Writes the message of a fault once.
    fn write_message(&mut self, fault: &'f str, at: usize, is_phrasing: bool) {
        if let Some(message) = self.faults.message(fault, is_phrasing) {
            self.edits.replace(at..at, message);
        }
    }

    /// Writes the message of a control here. For a set it only notes this position, because the message follows the
    /// last choice.
    fn write_here(&mut self, fault: &'f str, is_of_set: bool) {
        let (at, is_phrasing) = (self.position, self.context.is_phrasing);
        if is_of_set {
            self.sets.insert(fault, (at, is_phrasing));
        } else {
            self.write_message(fault, at, is_phrasing);
        }
    }

    fn input(&mut self, tag: &StartTag<'a, '_>, name: &str, is_list: bool) {
        let kind = input_kind(tag.raw_value("type"));
        let Some(kind) = kind.filter(|kind| !kind.is_button()) else {
            return;
        };
        if self.prefill.is_some() && self.sent.values(name).is_none() {
            return;
        }
        let fills_hidden = self
            .prefill
            .is_some_and(|names| names.iter().any(|hidden| hidden == name));
        if !kind.is_seen() && !fills_hidden {
            let value = tag.value_of("value");
            return self
                .sent
                .pass_over(name, value.as_deref().unwrap_or_default());
        }
        let start = tag.span.start;
        let fault = self.faults.of_control(name);
        let is_box = kind.ticks_options();
        if is_box {
            let value = tag.value_of("value");
            let value = value.as_deref().unwrap_or("on");
            let sent = self.sent.values(name).unwrap_or_default();
            let is_ticked = sent.iter().any(|sent| sent == value);
            self.sent.pass_over(name, value);
            if is_ticked != tag.attribute("checked").is_some() {
                let checked = is_ticked.then_some("");
                self.edits.set_attribute(start, "checked", checked);
            }
            self.mark_prefilled(start);
        } else if kind.stores_in_full()
            && let Some(sent) = self.sent.next_value(name)
        {
            // Browsers warn about an empty value in a colour input.
            let value = Some(sent).filter(|sent| kind != FieldType::Color || !sent.is_empty());
            self.edits.set_attribute(start, "value", value);
            self.mark_prefilled(start);
        }
        // A part of a name or address may have its own fault.
        let is_part = !is_box && fault == Some(name) && name.contains('[');
        let is_in_scope = self.context.is_in_scope && !is_part;
        let is_of_set = kind == FieldType::Radio || (is_box && is_list);
        self.mark(tag, fault);
        let Some(fault) = fault else { return };
        if is_in_scope {
            self.faults_in_scope.push(fault);
        } else if is_box && !self.context.is_in_label {
            self.fault_of_box = Some(FaultOfBox {
                fault,
                is_of_set,
                depth: self.open.len(),
                has_text: false,
            });
        } else {
            self.write_behind(fault, is_of_set, tag.span.end);
        }
    }

    /// Marks a control that the page's address fills in.
    fn mark_prefilled(&mut self, start: usize) {
        if self.prefill.is_some() {
            self.edits
                .set_attribute(start, markers::PREFILLED, Some(""));
        }
    }

    /// Writes the message after a control, or after the label around it.
    fn write_behind(&mut self, fault: &'f str, is_of_set: bool, at: usize) {
        if self.context.is_in_label {
            self.faults_in_label.push((fault, is_of_set));
        } else {
            self.write_message(fault, at, self.context.is_phrasing);
        }
    }

    /// Writes the message of a box after the text that follows it.
    fn write_message_of_box(&mut self) {
        if let Some(pending) = self.fault_of_box.take() {
            self.write_here(pending.fault, pending.is_of_set);
        }
    }

    fn mark(&mut self, tag: &StartTag<'a, '_>, fault: Option<&'f str>) {
        if let Some(marks) = self.faults.marks(tag, fault) {
            for (name, value) in [("aria-invalid", "true"), ("aria-describedby", &marks)] {
                self.edits.set_attribute(tag.span.start, name, Some(value));
            }
        }
    }

    /// The fault of a textarea or select. The select for a telephone number's country has none.
    fn fault_of(&self, tag: &StartTag<'a, '_>, name: &str) -> Option<&'f str> {
        let is_country = tag.raw_value("class").contains(markers::COUNTRY_CLASS);
        self.faults.of_control(name).filter(|_| !is_country)
    }

    fn role_of(&mut self, tag: &StartTag<'a, '_>) -> Role<'a, 'f> {
        let name = tag.value_of("name");
        let written = name.as_deref().unwrap_or_default();
        let name = &*field_name(written);
        match tag.tag {
            Tag::Input if !name.is_empty() => self.input(tag, name, is_list_name(written)),
            Tag::Textarea | Tag::Select if !name.is_empty() => {
                let fault = self.fault_of(tag, name);
                self.mark(tag, fault);
                let mut value = None;
                if self.prefill.is_some() && self.sent.values(name).is_none() {
                    return Role::Plain;
                }
                self.mark_prefilled(tag.span.start);
                if tag.tag == Tag::Textarea {
                    value = self.sent.next_value(name);
                } else if tag.attribute("multiple").is_some() {
                    self.context.select = Some(self.sent.values(name).unwrap_or_default());
                } else {
                    // Several selects with one name take the values in order.
                    self.context.select = self.sent.next_values(name);
                }
                return Role::Control {
                    start: tag.span.end,
                    value,
                    fault,
                };
            }
            Tag::Button if name == "_cf_add" => self.write_fault_of_rows(tag),
            Tag::Option if self.context.select.is_some() => {
                return Role::Option {
                    start: tag.span.start,
                    value: tag.value_of("value"),
                    is_selected: tag.attribute("selected").is_some(),
                };
            }
            Tag::Label => {
                let before = self.fault_of_box.take();
                let before = before.map(|before| (before.fault, before.is_of_set));
                self.faults_in_label.extend(before);
                self.context.is_in_label = true;
                self.context.is_phrasing = true;
                return Role::Label;
            }
            Tag::Fieldset => {
                let kind = tag.attribute("data-cf-type");
                let is_field = kind.is_some_and(|kind| kind.raw_value() != "fieldset");
                self.context.is_in_scope = is_field;
                self.context.is_phrasing = false;
                if is_field {
                    return Role::Scope;
                }
            }
            Tag::Legend | Tag::P | Tag::Other | Tag::Small => self.context.is_phrasing = true,
            _ if tag.tag.is_heading() => self.context.is_phrasing = true,
            _ if tag.tag.is_block() || tag.tag.is_table_part() => self.context.is_phrasing = false,
            _ => {}
        }
        Role::Plain
    }
}

impl<'a, 'f> TreeSink<'a> for Filler<'a, 'f> {
    fn open(&mut self, tag: &StartTag<'a, '_>) {
        let may_have_message_after = match tag.tag {
            Tag::Label => self.fault_of_box.is_some_and(|before| !before.has_text),
            other => matches!(other, Tag::Other | Tag::Small),
        };
        if !may_have_message_after {
            self.write_message_of_box();
        }
        self.position = tag.span.end;
        let outer = self.context;
        let text_start = self.texts.mark();
        let role = self.role_of(tag);
        self.open.push(Node {
            outer,
            role,
            text_start,
        });
    }

    fn close(&mut self, _tag: Tag, end_tag: Option<Range<usize>>) {
        let depth = self.open.len();
        if self.fault_of_box.is_some_and(|fault| fault.depth == depth) {
            self.write_message_of_box();
        }
        let Some(node) = self.open.pop() else { return };
        let end = end_tag.as_ref().map(|end_tag| end_tag.end);
        self.position = end.unwrap_or(self.position);
        let inner = std::mem::replace(&mut self.context, node.outer);
        match node.role {
            Role::Plain => {}
            Role::Scope => {
                let end = end_tag.map_or(self.position, |end_tag| end_tag.start);
                for fault in std::mem::take(&mut self.faults_in_scope) {
                    self.write_message(fault, end, false);
                }
            }
            Role::Label => {
                for (fault, is_of_set) in std::mem::take(&mut self.faults_in_label) {
                    self.write_here(fault, is_of_set);
                }
            }
            Role::Control {
                start,
                value,
                fault,
            } => {
                let content_end = end_tag.as_ref().map(|end_tag| end_tag.start);
                let end = content_end.unwrap_or(self.html.len());
                if let Some(value) = value {
                    let mut content = String::new();
                    if value.starts_with(['\n', '\r']) {
                        content.push('\n');
                    }
                    escape::text(&mut content, value);
                    self.edits.replace(start..end, content);
                }
                if let Some(fault) = fault.filter(|_| self.context.is_in_scope) {
                    self.faults_in_scope.push(fault);
                } else if let Some(fault) = fault {
                    self.write_behind(fault, false, end_tag.map_or(end, |end_tag| end_tag.end));
                }
            }
            Role::Option {
                start,
                value,
                is_selected,
            } => {
                let text = node.text_start..self.texts.mark();
                let value = value.map(Cow::into_owned);
                let value = value.unwrap_or_else(|| self.texts.of_option(text));
                let is_chosen = inner.select.unwrap_or_default().contains(&value);
                if is_chosen != is_selected {
                    let selected = is_chosen.then_some("");
                    self.edits.set_attribute(start, "selected", selected);
                }
            }
        }
    }

    fn text(&mut self, raw: &'a str, span: Range<usize>) {
        self.position = span.end;
        if let Some(before) = &mut self.fault_of_box {
            before.has_text |= !raw.trim().is_empty();
        }
        self.texts.add(span, false, true);
    }
}
