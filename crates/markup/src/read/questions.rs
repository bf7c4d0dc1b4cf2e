//! Finds the text that labels a control where no label does: the question before a set of choices or
//! before a lone control in the same element, and a label without `for` behind one.

use std::ops::Range;

use super::MAX_MARKUP_BYTES;
use super::items::{Item, ItemKind, Items, Node};
use crate::html::tag::Tag;
use crate::html::text::TextRange;
use model::FieldType;

/// The most items of an element that is looked through for a question; with more, the work would
/// grow with how deep elements nest.
const MAX_ITEMS_ASKED: usize = 64;

/// The longest question, in bytes: a longer text says more than a name.
const MAX_QUESTION_BYTES: usize = 300;

/// How many bytes of a document are looked at again.
const MAX_LOOKED_AT: usize = 4 * MAX_MARKUP_BYTES;

/// Greater headings are the title of more than a field.
const LEAST_OF_QUESTIONS: u8 = 3;

/// The one field of an element that nothing in the element names, with the text before it.
struct QuestionedField {
    /// The first control, in [`Items::list`].
    first: usize,
    /// The last paragraph or heading before it.
    text: Option<usize>,
    /// Whether it has a name, though not one that everybody sees: only a question takes its place.
    has_hint: bool,
}

impl Items<'_> {
    /// Looks for such texts in an element that closes.
    pub(super) fn name_by_element(&mut self, tag: Tag, node: &Node<'_>, is_step: bool) {
        let within = node.items_before as usize..self.list.len();
        if within.is_empty() || within.len() > MAX_ITEMS_ASKED || !self.may_look(within.clone()) {
            return;
        }
        self.take_label_behind(node);
        if !may_ask(tag) {
            return;
        }
        match tag {
            Tag::Fieldset => self.describe_by_sentence(node),
            _ => self.describe_by_paragraph(node),
        }
        let items = self.list.get(within.clone()).unwrap_or_default();
        let Some(first) = items.iter().position(is_seen).map(|at| within.start + at) else {
            return;
        };
        let Some((offset, end)) = self.start_of(first) else {
            return;
        };
        let known = match self.questions.last() {
            Some((last, _)) if *last >= offset => {
                self.questions.partition_point(|(at, _)| *at < offset)
            }
            _ => self.questions.len(),
        };
        let is_known = self
            .questions
            .get(known)
            .is_some_and(|(at, _)| *at == offset);
        let label = self.labels.get(node.labels_before as usize);
        if is_known || label.is_some_and(|label| label.text.start < end) {
            return;
        }
        let Some(asked) = self.asked(within) else {
            return;
        };
        let question = match asked.text {
            Some(text) => self.take_text(text, asked.first, tag, is_step),
            None => {
                let line = self.line_above(asked.first, node.start..end);
                let line = line.filter(|line| {
                    !asked.has_hint || is_question(&self.texts.glimpse(line.clone()))
                });
                let is_end = line
                    .as_ref()
                    .is_some_and(|line| self.is_end_of_scale(line, node));
                let above = is_end.then(|| self.text_above(node, &asked)).flatten();
                above
                    .and_then(|text| self.take_text(text, asked.first, tag, is_step))
                    .or(line)
            }
        };
        if let Some(question) = question {
            // Those of follow-ups within are known already.
            self.questions.insert(known, (offset, question));
        }
    }

    /// The question that is asked where a control begins.
    pub(super) fn question_at(&self, offset: u32) -> Option<TextRange> {
        let known = &self.questions;
        let found = known.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
        known.get(found).map(|(_, text)| text.clone())
    }

    /// Whether there is work left for another look at items, whose tags are read again.
    fn may_look(&mut self, within: Range<usize>) -> bool {
        let count = within.len();
        if let [first, .., last] = self.list.get(within).unwrap_or_default() {
            self.looked_at += (last.offset - first.offset) as usize;
        }
        self.looked_at += count;
        self.looked_at <= MAX_LOOKED_AT
    }

    /// Gives the element's only control its only label, where that stands behind and points nowhere.
    fn take_label_behind(&mut self, node: &Node<'_>) {
        let label = node.labels_before as usize;
        if label + 1 != self.labels.len() {
            return;
        }
        let items = self.list.get_mut(node.items_before as usize..);
        let mut controls = items.into_iter().flatten().filter(|item| is_seen(item));
        let (Some(control), None) = (controls.next(), controls.next()) else {
            return;
        };
        if let Some(label) = self.labels.get_mut(label)
            && label.target.is_none()
            && !label.has_control
            && label.text.start >= control.mark
            && control.label.get().is_none()
        {
            label.has_control = true;
            control.label = Some(node.labels_before).into();
        }
    }

    /// The controls of an element, if they are one field that nothing within names: the choices of
    /// one name, or one control of another kind.
    fn asked(&self, within: Range<usize>) -> Option<QuestionedField> {
        let mut asked: Option<QuestionedField> = None;
        let mut text = None;
        let mut count = 0;
        let mut set = None;
        let mut follow_ups = 0;
        for (place, item) in within.clone().zip(self.list.get(within.clone())?) {
            match (item.what, &asked) {
                (ItemKind::Nothing | ItemKind::Control(FieldType::Hidden), _) => {}
                (ItemKind::Heading(_), None) => text = Some(place),
                (ItemKind::Paragraph, None) if text.is_none() || self.asks(item) => {
                    text = Some(place)
                }
                (ItemKind::Paragraph, None) => {}
                (ItemKind::Fieldset, None) if place == within.start && item.text.is_empty() => {}
                (ItemKind::RoleGroup, None) if place == within.start && !self.is_named(item) => {}
                (ItemKind::Control(_), None) => {
                    count = 1;
                    set = is_choice(item)
                        .then(|| self.attribute(item, "name"))
                        .flatten();
                    let has_hint = !is_choice(item) && self.has_hint(item);
                    let text = text.filter(|text| !has_hint || self.asks_at(*text));
                    asked = Some(QuestionedField {
                        first: place,
                        text,
                        has_hint,
                    });
                }
                // What a choice asks further, as "Other: …".
                (ItemKind::Control(_), Some(_))
                    if item.is_in_label && item.label.get().is_none() => {}
                (ItemKind::Control(_), Some(QuestionedField { first, .. })) => {
                    let first = self.list.get(*first)?;
                    let name = set.as_ref()?.raw_value;
                    let is_same = first.what == item.what;
                    if is_same && self.attribute(item, "name")?.raw_value == name {
                        count += 1;
                        continue;
                    }
                    follow_ups += 1;
                    if count < 2 || !self.asks_further(item, first.conditions, name, follow_ups) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let asked = asked?;
        let first = self.list.get(asked.first)?;
        let is_one_field = match first.what {
            _ if is_choice(first) => count > 1,
            ItemKind::Control(FieldType::Consent) => false,
            _ => first.label.get().is_none() && !self.is_named(first),
        };
        is_one_field.then_some(asked)
    }

    /// Whether a control or group says its name itself.
    fn is_named(&self, item: &Item) -> bool {
        ["aria-label", "aria-labelledby"]
            .iter()
            .any(|name| self.attribute(item, name).is_some())
    }

    /// Whether a control shows a word of its own where nothing is written or pointed at.
    fn has_hint(&self, item: &Item) -> bool {
        ["placeholder", "title"]
            .iter()
            .any(|name| self.attribute(item, name).is_some())
    }

    /// Whether the text of an item ends as a question does.
    fn asks_at(&self, text: usize) -> bool {
        self.list.get(text).is_some_and(|item| self.asks(item))
    }

    /// Takes a paragraph or heading for a question: it is no field then.
    fn take_text(
        &mut self,
        text: usize,
        first: usize,
        tag: Tag,
        is_step: bool,
    ) -> Option<TextRange> {
        let first = self.list.get(first)?;
        let item = self.list.get(text)?;
        let is_title = match item.what {
            ItemKind::Heading(level) => {
                level < LEAST_OF_QUESTIONS
                    || is_step
                    || tag == Tag::Section
                    || self.begins_step(text)
            }
            _ => false,
        };
        let is_rendered = self.attribute(item, "data-cf-type").is_some();
        let is_apart = item.conditions != first.conditions || item.parent != first.parent;
        let may_be = is_choice(first) || self.names_alone(&item.text);
        if is_title || is_rendered || is_apart || !may_be || !self.can_ask(&item.text) {
            return None;
        }
        let range = item.text.clone();
        self.list.get_mut(text)?.what = ItemKind::Nothing;
        Some(range)
    }

    /// The line of text above a control, or above its help.
    fn line_above(&self, first: usize, range: TextRange) -> Option<TextRange> {
        let help = self.help_of(self.list.get(first)?);
        let end = if help.is_empty() {
            range.end
        } else {
            help.start.min(range.end)
        };
        let line = self.texts.line_above(range.start..end.max(range.start));
        let may_be = is_choice(self.list.get(first)?) || self.names_alone(&line);
        (may_be && self.can_ask(&line)).then_some(line)
    }

    /// Whether the line of text before choices is but one end of a scale, which has another behind them:
    /// "Not at all 1 2 3 Very much".
    fn is_end_of_scale(&self, line: &TextRange, node: &Node<'_>) -> bool {
        let label = self.labels.get(node.labels_before as usize..);
        let Some((first, last)) = label.and_then(|own| Some((own.first()?, own.last()?))) else {
            return false;
        };
        let is_beside =
            line.end <= first.text.start && self.texts.before(first.text.start).start <= line.start;
        is_beside
            && !is_question(&self.texts.glimpse(line.clone()))
            && !self.texts.is_blank(self.texts.after(last.text.end))
    }

    /// The small heading or paragraph right above an element, if it may name the choices in it.
    fn text_above(&self, node: &Node<'_>, asked: &QuestionedField) -> Option<usize> {
        let above = (node.items_before as usize).checked_sub(1)?;
        let item = self.list.get(above)?;
        let may_be = match item.what {
            ItemKind::Heading(_) => true,
            ItemKind::Paragraph => self.names_alone(&item.text),
            _ => false,
        };
        let is_right_above = self.texts.is_blank(item.text.end..node.start);
        (may_be && is_right_above && is_choice(self.list.get(asked.first)?)).then_some(above)
    }

    /// Whether a text may name a lone control: a sentence that asks nothing is a notice.
    pub(super) fn names_alone(&self, range: &TextRange) -> bool {
        let is_short = self.texts.is_at_most(range.clone(), MAX_QUESTION_BYTES);
        is_short
            && !self
                .texts
                .glimpse(range.clone())
                .ends_with(['.', '!', '。', '！', ';'])
    }

    /// Whether a text ends as a question does.
    fn asks(&self, item: &Item) -> bool {
        self.can_ask(&item.text) && is_question(&self.texts.glimpse(item.text.clone()))
    }

    /// Takes the paragraph or heading right before a control that has no name, or before a set of
    /// choices, if it ends as a question does.
    pub(super) fn take_question_before(&mut self, first: usize) {
        let Some(control) = self.list.get(first) else {
            return;
        };
        if !is_choice(control) && control.label.get().is_some() {
            return;
        }
        // The paragraph around the control is open yet.
        let is_open = |item: &Item| item.what == ItemKind::Paragraph && item.text.is_empty();
        let around = first
            .checked_sub(1)
            .and_then(|around| self.list.get(around));
        let text = first.checked_sub(if around.is_some_and(is_open) { 2 } else { 1 });
        let Some((text, item)) = text.and_then(|text| Some((text, self.list.get(text)?))) else {
            return;
        };
        let is_text = matches!(
            item.what,
            ItemKind::Paragraph | ItemKind::Heading(LEAST_OF_QUESTIONS..)
        );
        let start = item.text.end;
        // The control's tag is read again only where there is such a text.
        if !is_text || !self.asks(item) || (!is_choice(control) && self.is_named(control)) {
            return;
        }
        // Before choices it may be the first end of a scale.
        let may_be_between = |between: TextRange| {
            let is_scale = self.list.get(first).is_some_and(is_choice);
            self.texts.is_blank(between.clone())
                || (is_scale && !is_question(&self.texts.glimpse(between)))
        };
        if let Some((offset, end)) = self.start_of(first)
            && self.texts.is_at_most(start..end, MAX_QUESTION_BYTES)
            && may_be_between(start..end)
            && let Some(question) = self.take_text(text, first, Tag::Div, false)
        {
            self.questions.push((offset, question));
        }
    }

    /// Where a control begins in the document, and where a question before it ends in the text:
    /// before the control or its own label. None when a label around it is another's.
    fn start_of(&self, first: usize) -> Option<(u32, u32)> {
        let first = self.list.get(first)?;
        let end = match first.label.get() {
            Some(label) => self.labels.get(label as usize)?.text.start,
            None if first.is_in_label => return None,
            None => first.mark.saturating_sub(1),
        };
        Some((first.offset, end))
    }

    pub(super) fn can_ask(&self, range: &TextRange) -> bool {
        self.texts.is_at_most(range.clone(), MAX_QUESTION_BYTES)
            && self
                .texts
                .glimpse(range.clone())
                .contains(char::is_alphanumeric)
    }

    /// Whether an item is the first of the step around it, if it is one.
    fn begins_step(&self, item: usize) -> bool {
        let stage = self.context.step_candidate.get();
        let stage = stage.and_then(|stage| self.step_candidates.get(stage as usize));
        stage.is_some_and(|stage| stage.begins_with(item))
    }
}

pub(super) const fn is_choice(item: &Item) -> bool {
    matches!(
        item.what,
        ItemKind::Control(FieldType::Radio | FieldType::Checkbox)
    )
}

/// Whether a text ends as a question does, but for a mark that an answer is required.
pub(super) fn is_question(text: &str) -> bool {
    let text = text.strip_suffix("(required)").unwrap_or(text);
    let text = text.trim_end_matches(['*', '＊', ' ']);
    text.ends_with([':', '：', '?', '？', '؟'])
}

/// Whether a control can be seen.
pub(super) fn is_seen(item: &Item) -> bool {
    matches!(item.what, ItemKind::Control(kind) if kind != FieldType::Hidden)
}

/// Whether an element may be there for one field and its question. Cells, terms and forms hold more.
const fn may_ask(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Div
            | Tag::P
            | Tag::Li
            | Tag::Section
            | Tag::Article
            | Tag::Fieldset
            | Tag::Td
            | Tag::Dd
            | Tag::Other
    )
}
