//! Handles the end of elements, by their role in the form.

use std::collections::btree_map::Entry;
use std::ops::Range;

use super::elements::ElementAttributes;
use super::found_steps::may_be_step;
use super::items::{Hidden, ItemKind, Items, Link, MAX_ID_BYTES, Node, Role, index};
use crate::html::entities::decode_attribute;
use crate::html::tag::Tag;
use crate::html::text::{Kind, TextRange};
use crate::html::tokens::StartTag;
use crate::html::tree::TreeSink;
use crate::warnings::WarningCode;

/// Maximum number of letters of a text next to a control that counts as a unit, not as a label.
const MAX_ADDON_LETTERS: usize = 3;

impl<'a> TreeSink<'a> for Items<'a> {
    fn open(&mut self, tag: &StartTag<'a, '_>) {
        if self.is_full {
            return;
        }
        let around = self.context;
        self.fields_within.push(Default::default());
        let mut attributes = ElementAttributes::of(tag, &mut self.classes);
        attributes.step = attributes.step.filter(|_| !self.ignores_steps);
        let parts_text = tag.tag.parts_text();
        if tag.tag == Tag::Br {
            self.texts.add_edge(Kind::Line);
        } else if parts_text {
            self.part_text();
        }
        self.context.hides_text |= self.context.captures && attributes.is_hidden();
        let node = Node {
            around,
            role: Role::Plain,
            id: attributes.id.and_then(|id| self.note_id(id)).into(),
            start: self.texts.mark(),
            items_before: self.list.len(),
            labels_before: self.labels.len(),
            link: self.open_link(tag).into(),
            is_conditional: attributes.has_conditions() || attributes.class_words.is_follow_up,
            hidden_at: attributes.hides().then_some(tag.span.start).into(),
            is_hidden_by_style: attributes.is_hidden_by_style(),
        };
        self.context.is_hidden |= attributes.hides();
        self.context.is_called_trap |= attributes.class_words.is_trap && tag.tag != Tag::Form;
        if may_be_step(tag.tag, attributes.class_words) {
            self.context.step_candidate =
                self.open_step_candidate(tag, attributes.class_words).into();
        }
        self.open_row(tag);
        self.note(tag, &attributes);
        let may_hold_fields = !tag.tag.is_part_of_field() && !tag.tag.is_heading();
        let wrapper = may_hold_fields.then(|| self.open_wrapper(tag, &attributes));
        let role = wrapper
            .flatten()
            .unwrap_or_else(|| self.open_element(tag, &attributes));
        self.context.hides_text |= self.note_losses(tag, &attributes, node.items_before);
        let opens_block = parts_text && !matches!(role, Role::Help | Role::Choice(_));
        if opens_block {
            self.blocks += 1;
            self.context.block = self.blocks;
            self.context.items_before_block = index(self.list.len());
        }
        self.nodes.push(Node { role, ..node });
    }

    fn close(&mut self, tag: Tag, _end_tag: Option<Range<usize>>) {
        let Some(node) = self.nodes.pop().filter(|_| !self.is_full) else {
            return;
        };
        let text = node.start..self.texts.mark();
        if let Some(link) = node.link.get() {
            self.texts.close_link(link);
        }
        let block = self.context.block;
        let around = node.around;
        if self.context.step_candidate != around.step_candidate {
            self.close_step_candidate();
        }
        let group = Some(self.context.parent).filter(|parent| *parent != around.parent);
        self.context = around;
        if let Some(known) = node.id.of_mut(&mut self.texts_of_ids) {
            *known = text.clone();
        }
        if tag.is_table_part() {
            self.close_row(tag, &node, text.clone());
        }
        match node.role {
            Role::Plain if tag == Tag::Button => self.note_step_text(text),
            Role::Label(at) => set(at.of_mut(&mut self.labels).map(|one| &mut one.text), text),
            Role::Title(at) => set(at.of_mut(&mut self.steps).map(|one| &mut one.title), text),
            Role::Choice(at) => set(at.of_mut(&mut self.choices).map(|one| &mut one.text), text),
            Role::TextOf(at) => self.close_text_of(at, text, &node),
            Role::Fault(offset) => self.close_fault(offset, text, &node),
            Role::Ornament(is_icon)
                if self.list.len() == node.items_before
                    && self.labels.len() == node.labels_before =>
            {
                self.close_ornament(is_icon, text);
            }
            Role::Help if self.list.len() == node.items_before => self.close_help(text),
            Role::Plain | Role::Help | Role::Ornament(_) => {}
        }
        let items = node.items_before..self.list.len();
        if let Some(offset) = node.hidden_at.get()
            && !items.is_empty()
        {
            self.hidden.push(Hidden {
                offset: index(offset),
                is_by_style: node.is_hidden_by_style,
                text: node.start..self.texts.mark(),
                items,
            });
        }
        self.close_fields_within(tag, &node, group.unwrap_or_default());
        if block != self.context.block {
            self.pending_help.take_if(|(of, _)| *of == block);
        }
        if tag == Tag::Button {
            self.texts.add_edge(Kind::Control);
        } else if tag.parts_text() && tag != Tag::Br {
            self.part_text();
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        if !self.is_full {
            self.texts
                .add(span, self.context.hides_text, self.context.is_in_form);
        }
    }

    fn nested_form(&mut self, tag: &StartTag<'a, '_>) {
        self.note_form(tag);
    }

    fn skipped(&mut self, tag: &StartTag<'a, '_>) {
        let (attributes, around) = (ElementAttributes::of(tag, &mut self.classes), self.context);
        self.note(tag, &attributes);
        self.context = around;
        self.note_losses(tag, &attributes, self.list.len());
    }
}

impl<'a> Items<'a> {
    /// Notes an element by its id, if it is the first with that id. The text is set when the element ends.
    fn note_id(&mut self, id: &'a str) -> Option<usize> {
        let mark = self.texts.mark();
        match self.ids.entry(decode_attribute(id)) {
            Entry::Vacant(entry) if (1..=MAX_ID_BYTES).contains(&id.len()) => {
                entry.insert(index(self.texts_of_ids.len()));
                self.texts_of_ids.push(mark..mark);
                Some(self.texts_of_ids.len() - 1)
            }
            _ => None,
        }
    }

    /// Ends an element whose text belongs to an item. A heading around a label only styles the label, so its item is
    /// discarded. The item of a paragraph is kept if the paragraph contains only text, or if rendering wrote it.
    fn close_text_of(&mut self, at: Link, text: TextRange, node: &Node) {
        let has_label = self.labels.len() > node.labels_before;
        let is_alone = self.list.len() == node.items_before + 1 && !has_label;
        let is_blank = || self.texts.is_blank(text.clone());
        let Some(item) = at.of_mut(&mut self.list) else {
            return;
        };
        let kept = self.tags.attributes(item.tag);
        let is_rendered = || kept.get("data-cf-type").is_some();
        let is_nothing = match item.kind {
            ItemKind::Heading(_) => has_label,
            ItemKind::Paragraph => (!is_alone || is_blank()) && !is_rendered(),
            _ => false,
        };
        if is_nothing {
            item.kind = ItemKind::Nothing;
        }
        item.text = text;
    }

    /// Excludes two kinds of text from labels: the name of a ligature icon, such as Material's `mail`, and a unit next
    /// to a control, such as a currency.
    fn close_ornament(&mut self, is_icon: bool, text: TextRange) {
        let shown = self.texts.glimpse(text.clone());
        let letters = shown.chars().filter(|c| c.is_alphabetic()).count();
        let is_ligature = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if is_icon && shown.chars().all(is_ligature) {
            self.texts.hide(text);
        } else if !is_icon && (letters <= MAX_ADDON_LETTERS || shown.contains("://")) {
            for place in self.texts.spans(text.clone(), false) {
                let addon = self.html.get(place.clone()).unwrap_or_default().trim();
                self.note_loss(WarningCode::ContentDropped, addon, index(place.start));
            }
            self.texts.hide(text);
        }
    }

    /// Adds a separator at the edge of an element. The edge of an option separates only texts of its select.
    fn part_text(&mut self) {
        let owner = self.context.owner;
        self.texts
            .add_edge(owner.map_or(Kind::Break, |_| Kind::ChoiceEdge));
    }
}

/// Sets the text of a known entry.
fn set(known: Option<&mut TextRange>, text: TextRange) {
    if let Some(known) = known {
        *known = text;
    }
}
