//! Labels a control, or a set of choices, by the text before it: the last line of text in the outermost block that
//! contains only that field. In a table's cell, the cells to the left count too.

use super::fields::Builder;
use super::items::{Item, ItemKind};
use super::labels::LabelText;
use crate::html::text::{TextRange, collapse};
use model::label_texts::{is_note, is_question};

/// The longest text that may be a label, in bytes; a longer text is an explanation.
const MAX_LABEL_BYTES: usize = 300;

/// The highest rank of a heading that may be a label; headings of higher rank are titles of sections.
const MIN_LABEL_HEADING: u8 = 3;

impl Builder<'_, '_> {
    /// Finds the label in the text before a control or a set of choices, and before its help. The search does not enter
    /// other blocks before `from`. The exception is a paragraph that ends like a question, which labels the next field
    /// even from another block.
    pub(super) fn label_before(
        &mut self,
        item: &Item,
        from: u32,
        help: &TextRange,
    ) -> Option<LabelText> {
        let texts = &self.items.texts;
        let start = match item.label.of(&self.items.labels) {
            Some(label) => label.text.start,
            None if item.is_in_label => return None,
            None => item.mark.saturating_sub(1),
        };
        let is_help_between = (from..start).contains(&help.start) && !help.is_empty();
        let end = if is_help_between { help.start } else { start };
        let mut line = texts.line_before(from, end);
        if line.is_empty() {
            // A label without a target labels the next control.
            let label = texts.line_before(0, end);
            if self.labels.is_for_nothing(self.items, &label) {
                line = label;
            }
        }
        let field = self.unplaced_texts.last().copied();
        let is_line_of = |field: &&Item| line.start < field.text.end && field.text.start < line.end;
        let asks = |place: &TextRange| is_question(&texts.glimpse(place.clone()));
        // The label of a scale's lowest point may come between a question and its choices.
        let is_open = line.is_empty() || (item.is_choice() && !asks(&line));
        let asking = field.filter(|field| {
            let end = if line.is_empty() { end } else { line.start };
            is_open && texts.is_blank(field.text.end..end) && asks(&field.text)
        });
        let field = asking.or_else(|| field.filter(is_line_of));
        let place = asking.map_or(line.clone(), |field| field.text.clone());
        let text = texts.glimpse(place.clone());
        let has_placeholder = !self.items.raw_value(item, "placeholder").is_empty();
        let is_sentence = !item.is_choice() && text.ends_with(['.', '!', ';', '。', '！']);
        let may_label = !is_sentence
            && text.contains(char::is_alphabetic)
            && !is_note(&text, has_placeholder)
            && texts.is_at_most(place.clone(), MAX_LABEL_BYTES)
            && field.is_none_or(|field| self.may_become_label(field, item, is_question(&text)));
        if may_label && field.is_some() {
            self.unplaced_texts.pop();
        }
        let label = LabelText::of(self.items, Some(place).filter(|_| may_label)?)?.without_colon();
        Some(label).filter(|label| !label.text.is_empty())
    }

    /// Whether a heading or paragraph may label a control instead of becoming a field. For a control with a
    /// placeholder, the text must be a question, and must be a paragraph or within the control's block.
    fn may_become_label(&self, text: &Item, control: &Item, is_question: bool) -> bool {
        let parent = |item: &Item| {
            let mut parent = item.parent;
            while let Some(owner) = self.set_owner(parent) {
                parent = owner.parent;
            }
            parent
        };
        let is_title = matches!(text.kind, ItemKind::Heading(..MIN_LABEL_HEADING));
        !is_title
            && text.conditions == control.conditions
            && parent(text) == parent(control)
            && (self.items.raw_value(control, "placeholder").is_empty()
                || (is_question
                    && (text.kind == ItemKind::Paragraph || text.text.start >= control.label_from)))
            && self.items.attribute(text, "data-cf-type").is_none()
    }

    /// The text after a checkbox or radio button, or a label without a target after another control.
    pub(super) fn text_behind(&self, item: &Item, is_box: bool) -> Option<LabelText> {
        let text = self.labels.text_after(self.items, item);
        let is_label = is_box || self.labels.is_for_nothing(self.items, &text);
        let text = Some(text).filter(|_| is_label && !item.is_in_label)?;
        Some(LabelText::of(self.items, text)?.without_colon())
    }

    /// The tooltip, which labels a control without any other label.
    pub(super) fn title_of(&self, item: &Item) -> Option<LabelText> {
        let title = self.items.value(item, "title")?;
        LabelText::unplaced(Some(collapse(&title)))
    }
}
