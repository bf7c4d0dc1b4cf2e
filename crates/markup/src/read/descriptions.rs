//! Takes paragraphs beside a control or a set of choices as its help text.

use super::items::{ItemKind, Items, Link, Node, index};
use super::questions::is_choice;
use super::sets::written_name;
use model::FieldType;
use model::check::MAX_TEXT_CHARS;

impl Items<'_> {
    /// Makes the only paragraph of a fieldset, before its choices of one name, what describes them: the
    /// legend names them.
    pub(super) fn describe_by_sentence(&mut self, node: &Node<'_>) {
        let start = node.items_before as usize;
        let Some([fieldset, sentence, choices @ ..]) = self.list.get(start..) else {
            return;
        };
        let mut set = None;
        let mut count = 0;
        let mut follow_ups = 0;
        let is_one_set = choices.iter().all(|item| match item.what {
            ItemKind::Nothing | ItemKind::Control(FieldType::Hidden) => true,
            _ if count > 1 && !is_choice(item) => {
                let name = set.as_ref().and_then(|(_, name)| *name);
                follow_ups += 1;
                name.is_some_and(|name| self.asks_further(item, Link::NONE, name, follow_ups))
            }
            _ if !is_choice(item) => false,
            _ => {
                count += 1;
                let name = self.attribute(item, "name").map(|name| name.raw_value);
                *set.get_or_insert((item.what, name)) == (item.what, name)
            }
        });
        let is_described = fieldset.what == ItemKind::Fieldset
            && !fieldset.text.is_empty()
            && self.help_of(fieldset).is_empty()
            && sentence.what == ItemKind::Paragraph
            && sentence.conditions == fieldset.conditions
            && sentence.parent.get() == Some(node.items_before)
            && self.texts.is_at_most(sentence.text.clone(), MAX_TEXT_CHARS)
            && self.attribute(sentence, "data-cf-type").is_none()
            && self.attribute(fieldset, "aria-describedby").is_none();
        if !is_one_set || count < 2 || !is_described {
            return;
        }
        let (offset, help) = (fieldset.offset, sentence.text.clone());
        if let Some([_, sentence, ..]) = self.list.get_mut(start..) {
            sentence.what = ItemKind::Nothing;
            self.note_help(offset, help);
        }
    }

    /// Makes the only paragraph of an element, behind a label for the box right before the element, what
    /// describes that box.
    pub(super) fn describe_by_paragraph(&mut self, node: &Node<'_>) {
        let start = node.items_before as usize;
        let tail = start.checked_sub(1).and_then(|tail| self.list.get(tail..));
        let own = self.labels.get(node.labels_before as usize..);
        let (Some([tick, paragraph]), Some([label])) = (tail, own) else {
            return;
        };
        let attribute = |name| self.attribute(tick, name);
        let is_target = || {
            let target = self.target(label);
            target.is_some_and(|target| attribute("id").is_some_and(|id| id.value() == target))
        };
        let is_list = || attribute("name").is_some_and(|name| name.raw_value.ends_with("[]"));
        let describes = tick.what == ItemKind::Control(FieldType::Checkbox)
            && paragraph.what == ItemKind::Paragraph
            && tick.label == Link::NONE
            && label.text.end <= paragraph.text.start
            && (tick.conditions, tick.parent) == (paragraph.conditions, paragraph.parent)
            && self.help_of(tick).is_empty()
            && self
                .texts
                .is_at_most(paragraph.text.clone(), MAX_TEXT_CHARS)
            && is_target()
            && !is_list()
            && attribute("aria-describedby").is_none()
            && self.attribute(paragraph, "data-cf-type").is_none();
        if describes {
            let (offset, help) = (tick.offset, paragraph.text.clone());
            if let Some(paragraph) = self.list.get_mut(start) {
                paragraph.what = ItemKind::Nothing;
            }
            self.note_help(offset, help);
            self.described_boxes.push(index(start));
        }
    }

    /// Makes paragraphs of their own again of those behind the labels of boxes that turned out to be
    /// choices: the help of one choice is not that of all.
    pub(super) fn part_from_choices(&mut self, is_choice: impl Fn(&str) -> bool) {
        for paragraph in std::mem::take(&mut self.described_boxes) {
            let before = (paragraph as usize).checked_sub(1);
            let Some(tick) = before.and_then(|before| self.list.get(before)) else {
                continue;
            };
            if is_choice(&written_name(self, tick)) {
                let offset = tick.offset;
                if let Some(paragraph) = self.list.get_mut(paragraph as usize) {
                    paragraph.what = ItemKind::Paragraph;
                }
                self.take_help(offset);
            }
        }
    }
}
