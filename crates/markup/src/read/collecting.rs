//! Collecting the items while elements open and close.

use std::collections::btree_map::Entry;
use std::ops::Range;

use super::elements::Notable;
use super::found_steps::may_be_step;
use super::item::MAX_ID_BYTES;
use super::items::{Context, ItemKind, Items, Link, Node, Role, index};
use super::questions::is_seen;
use crate::html::entities::decode_attribute;
use crate::html::tag::Tag;
use crate::html::tokens::StartTag;
use crate::html::tree::TreeSink;
use crate::warnings::WarningCode;

impl<'a> TreeSink<'a> for Items<'a> {
    type Node = Node<'a>;

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Node<'a> {
        if self.is_full {
            return Node::PASSED_OVER;
        }
        self.contexts_around.push(self.context);
        let notable = Notable::of(tag, &mut self.classes);
        let parts_text = tag.tag.parts_text();
        if tag.tag == Tag::Br {
            self.texts.add_line_break();
        } else if parts_text {
            self.part_text();
        }
        if self.context.captures && notable.is_hidden {
            self.context.hides_text = true;
        }
        let node = Node {
            role: Role::Plain,
            id: notable.id.filter(|id| self.is_first_of_id(id)),
            start: self.texts.mark(),
            items_before: index(self.list.len()),
            labels_before: index(self.labels.len()),
            hidden_at: Link::from(notable.is_hidden_by_style().then(|| index(tag.span.start))),
        };
        if may_be_step(tag.tag, notable.says) {
            self.context.step_candidate = self.open_step_candidate(tag, notable.says).into();
        }
        if tag.tag == Tag::Table || tag.tag.is_table_part() {
            self.open_table_part(tag);
        }
        let conditions = self.note(tag, &notable);
        self.context.conditions = conditions.into();
        self.context.is_follow_up |= notable.says.is_follow_up;
        self.context.is_in_cell |= matches!(tag.tag, Tag::Td | Tag::Th | Tag::Dd);
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
        let wrapper = if holds_content {
            self.open_wrapper(tag, &notable, conditions)
        } else {
            None
        };
        let role = match wrapper {
            Some(role) => role,
            None => self.open_element(tag, &notable, conditions),
        };
        let losses_before = self.losses.len();
        self.context.hides_text |= self.note_losses(tag, &notable, node.items_before);
        let opens_block = parts_text && !matches!(role, Role::Help | Role::Choice(_));
        if opens_block {
            self.blocks += 1;
            self.context.block = self.blocks;
            self.context.items_before_block = index(self.list.len());
        }
        let role = match role {
            Role::Plain if opens_block => Role::Block,
            Role::Fault(_) if self.losses.len() > losses_before => {
                Role::Fault(Some(index(losses_before)))
            }
            role => role,
        };
        Node { role, ..node }
    }

    fn close(&mut self, tag: Tag, node: Node<'a>, _end_tag: Option<Range<usize>>) {
        if self.is_full {
            return;
        }
        let text = node.start..self.texts.mark();
        let block = self.context.block;
        let around = self.contexts_around.pop().unwrap_or_default();
        let is_step = self.context.step_candidate != around.step_candidate;
        if is_step && let Some(stage) = self.context.step_candidate.get() {
            self.close_step_candidate(stage);
        }
        self.context = around;
        if let Some(known) = node
            .id
            .and_then(|id| self.texts_by_id.get_mut(&decode_attribute(id)))
        {
            known.clone_from(&text);
        }
        if tag == Tag::Table || tag.is_table_part() {
            self.close_table_part(tag, &node, &text);
        }
        match node.role {
            Role::Plain if tag == Tag::Button => self.note_step_text(text),
            Role::Plain | Role::Block => {}
            Role::Label(label) => {
                if let Some(label) = self.labels.get_mut(label as usize) {
                    label.text = text;
                }
            }
            Role::TextOf(item) => {
                let has_label = index(self.labels.len()) > node.labels_before;
                if let Some(item) = self.list.get_mut(item as usize) {
                    item.text = text;
                    if has_label && matches!(item.what, ItemKind::Heading(_)) {
                        // It is there to make the label look like one.
                        item.what = ItemKind::Nothing;
                    }
                }
            }
            Role::Paragraph(item) => {
                let is_alone = index(self.list.len()) == node.items_before + 1
                    && index(self.labels.len()) == node.labels_before
                    && !self.texts.is_blank(text.clone());
                if let Some(item) = self.list.get_mut(item as usize) {
                    item.text = text;
                    let is_rendered = || self.tags.attribute(item.offset, "data-cf-type").is_some();
                    if !is_alone && !is_rendered() {
                        item.what = ItemKind::Nothing;
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
            Role::Fault(loss) => {
                let is_message =
                    self.close_fault(loss, text, (node.items_before, node.labels_before));
                if is_message && let Some(id) = node.id {
                    // What names it among others by its id describes nothing.
                    self.texts_by_id.insert(decode_attribute(id), 0..0);
                }
            }
            Role::Help => {
                if index(self.list.len()) == node.items_before {
                    self.close_help(text);
                }
            }
        }
        self.warn_of_hidden_controls(&node);
        self.name_by_element(tag, &node, is_step);
        if self
            .pending_help
            .as_ref()
            .is_some_and(|(of, _)| *of == block)
            && block != self.context.block
        {
            self.pending_help = None;
        }
        if tag == Tag::Button {
            self.texts.add_control();
        } else if tag.parts_text() && tag != Tag::Br {
            self.part_text();
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        if self.is_full {
            return;
        }
        let Context {
            hides_text,
            is_in_form,
            ..
        } = self.context;
        self.texts.add(span, hides_text, is_in_form);
    }

    fn nested_form(&mut self, tag: &StartTag<'a, '_>) {
        self.note_form(tag);
    }

    fn skipped(&mut self, tag: &StartTag<'a, '_>) {
        let items_before = index(self.list.len());
        let notable = Notable::of(tag, &mut self.classes);
        self.note_losses(tag, &notable, items_before);
    }
}

impl<'a> Items<'a> {
    /// Whether no element before has that id, whose text is then noted when it ends.
    fn is_first_of_id(&mut self, id: &'a str) -> bool {
        let mark = self.texts.mark();
        match self.texts_by_id.entry(decode_attribute(id)) {
            Entry::Vacant(entry) if (1..=MAX_ID_BYTES).contains(&id.len()) => {
                entry.insert(mark..mark);
                true
            }
            _ => false,
        }
    }

    /// Tells of a style that was to hide what it holds.
    fn warn_of_hidden_controls(&mut self, node: &Node<'_>) {
        let items = self.list.get(node.items_before as usize..);
        if let Some(offset) = node.hidden_at.get()
            && items.unwrap_or_default().iter().any(is_seen)
        {
            self.warnings.add(
                WarningCode::NotHidden,
                offset as usize,
                "No style hides a control on the form's page: `hidden` does, or `data-show-if`.",
            );
        }
    }

    /// Notes the edge of an element that parts texts. An option parts those of its select alone.
    fn part_text(&mut self) {
        match self.context.owner {
            Some(_) => self.texts.add_choice_edge(),
            None => self.texts.add_break(),
        }
    }
}
