//! Infers steps where no `data-step` or `data-layout` exists: sibling fieldsets or sections that contain a button to
//! another step, or follow one with such a button. Elements with a step's class may share one button outside them.

use std::collections::BTreeSet;

use super::elements::ClassWords;
use super::items::{ItemKind, Items, Link, Step, index};
use crate::html::entities::decode_attribute;
use crate::html::tag::Tag;
use crate::html::text::{TextRange, collapse};
use crate::html::tokens::StartTag;
use model::step_words::{StepWay, way_of_text, way_of_word, words};

/// An element that may be a step.
pub(super) struct StepCandidate {
    tag: Tag,
    /// The offset of the start tag.
    offset: u32,
    /// Whether the class names a step.
    is_called_step: bool,
    /// The range of the element's items in [`Items::list`]; a fieldset's own item is the first.
    items: std::ops::Range<usize>,
    /// The start of the element's text.
    start: u32,
    /// Whether a button within the element goes to another step.
    has_button: bool,
}

/// The longest text of a button that goes to another step, in bytes.
const MAX_BUTTON_BYTES: usize = 100;

/// Whether an element may be a step: by its tag, or a `div` by its class.
pub(super) const fn may_be_step(tag: Tag, class: ClassWords) -> bool {
    match tag {
        Tag::Fieldset | Tag::Section => true,
        Tag::Div => class.is_step,
        _ => false,
    }
}

impl<'a> Items<'a> {
    /// Notes an element that may be a step; returns its index in [`Items::step_candidates`].
    pub(super) fn open_step_candidate(
        &mut self,
        tag: &StartTag<'a, '_>,
        class: ClassWords,
    ) -> usize {
        let start = self.list.len();
        self.step_candidates.push(StepCandidate {
            tag: tag.tag,
            offset: index(tag.span.start),
            is_called_step: class.is_step,
            items: start..start,
            start: self.texts.mark(),
            has_button: false,
        });
        self.step_candidates.len() - 1
    }

    /// Ends the innermost element that may be a step.
    pub(super) fn close_step_candidate(&mut self) {
        let candidate = self.context.step_candidate;
        if let Some(candidate) = candidate.of_mut(&mut self.step_candidates) {
            candidate.items.end = self.list.len();
        }
    }

    /// Notes a button that does not submit, and whether its attributes name another step.
    pub(super) fn note_step_button(&mut self, tag: &StartTag<'a, '_>) {
        let attributes = ["class", "name", "id", "data-action"].iter();
        let attributes = attributes.filter_map(|name| tag.attribute(name));
        let ways = attributes.flat_map(|value| words(value.raw_value()).filter_map(way_of_word));
        let ways: Vec<StepWay> = ways.collect();
        let text = way_of_text(tag.raw_value("value"));
        let is_one = |way: &StepWay| ways.iter().all(|other| other == way);
        let way = text.or_else(|| ways.first().copied().filter(is_one));
        self.step_buttons.push((index(tag.span.start), way));
        if text.is_some() || !ways.is_empty() {
            self.has_step_button();
        }
    }

    /// Records the text of a button that does not submit, since it may name another step.
    pub(super) fn note_step_text(&mut self, text: TextRange) {
        if self.texts.is_at_most(text.clone(), MAX_BUTTON_BYTES)
            && let Some(way) = way_of_text(&self.texts.glimpse_with_choices(text))
        {
            if let Some((_, known)) = self.step_buttons.last_mut() {
                *known = Some(way);
            }
            self.has_step_button();
        }
    }

    fn has_step_button(&mut self) {
        let candidate = self.context.step_candidate;
        match candidate.of_mut(&mut self.step_candidates) {
            Some(candidate) => candidate.has_button = true,
            None => self.has_common_step_button = true,
        }
    }

    /// Turns the candidates into steps, if buttons lead from one to the next.
    pub(super) fn find_steps(&mut self) {
        let candidates = std::mem::take(&mut self.step_candidates);
        if self.layout.is_some() || !self.steps.is_empty() {
            return;
        }
        let mut chosen: Vec<StepCandidate> = Vec::new();
        let mut is_led_to = false;
        for candidate in candidates {
            let is_apart = chosen.last().is_none_or(|before| {
                before.tag == candidate.tag && before.items.end <= candidate.items.start
            });
            // A button outside all steps leads from each to the next.
            let is_common = self.has_common_step_button && candidate.is_called_step;
            let is_step =
                candidate.has_button || is_led_to || (is_common && self.has_control(&candidate));
            if is_apart && is_step && self.can_be_step(&candidate) {
                is_led_to = candidate.has_button;
                chosen.push(candidate);
            }
        }
        for candidate in chosen.iter().filter(|_| chosen.len() > 1) {
            self.make_step(candidate);
        }
    }

    /// Drops the elements with `data-step` that contain no control, such as the entries of an indicator. Returns true
    /// if fewer than two steps are left, none of them rendered; the caller then ignores the attribute.
    pub(super) fn has_no_steps(&mut self) -> bool {
        if self.steps.is_empty() || self.exact_layout.is_some() {
            return false;
        }
        let mut holds = vec![false; self.steps.len()];
        for item in &self.list {
            if let Some(holds) = item.step.of_mut(&mut holds) {
                *holds |= item.kind.is_used();
            }
        }
        for (step, holds) in self.steps.iter_mut().zip(&holds) {
            step.id = step.id.filter(|_| *holds || step.is_rendered);
        }
        let is_step = |step: &Step<'_>| step.is_rendered || step.id.is_some();
        self.steps.iter().filter(|step| is_step(step)).count() < 2
            && !self.steps.iter().any(|step| step.is_rendered)
    }

    /// Numbers the steps without a name in order: `step-1`, `step-2` …, skipping names that another step has.
    pub(super) fn number_steps(&mut self) {
        let name_of = |step: &Step<'_>| step.id.map(|id| collapse(&decode_attribute(id)));
        let named: BTreeSet<String> = self.steps.iter().filter_map(name_of).collect();
        let mut numbers = (1..).filter(|number| !named.contains(&format!("step-{number}")));
        for step in &mut self.steps {
            if name_of(step).is_some_and(|name| name.is_empty()) {
                step.number = numbers.next().into();
            }
        }
    }

    /// Whether a candidate can be a step. A fieldset that is disabled or has conditions stays a field.
    fn can_be_step(&self, candidate: &StepCandidate) -> bool {
        let fieldset = self.list.get(candidate.items.start);
        candidate.tag != Tag::Fieldset
            || fieldset.is_some_and(|item| {
                item.kind == ItemKind::Fieldset
                    && item.conditions == Link::NONE
                    && self.attribute(item, "disabled").is_none()
            })
    }

    fn has_control(&self, candidate: &StepCandidate) -> bool {
        let items = self.list.get(candidate.items.clone()).unwrap_or_default();
        let mut kinds = items.iter().map(|item| item.kind);
        kinds.any(|kind| matches!(kind, ItemKind::Control(_)))
    }

    /// The line of text at the start of an element, if a block follows it and it labels no control.
    fn line_at_start(&self, candidate: &StepCandidate) -> Option<TextRange> {
        let line = self.texts.line_of_block(candidate.start)?;
        let label = self.labels.partition_point(|l| l.text.start < line.end);
        let label = label.checked_sub(1).and_then(|last| self.labels.get(last));
        let is_label = label.is_some_and(|label| label.text.end > line.start);
        let text = self.texts.glimpse(line.clone());
        (!is_label && text.contains(char::is_alphanumeric)).then_some(line)
    }

    fn make_step(&mut self, candidate: &StepCandidate) {
        let step = self.steps.len();
        let first = candidate.items.start;
        let mut title = 0..0;
        let is_fieldset = candidate.tag == Tag::Fieldset;
        let around = self.list.get(first).map_or(Link::NONE, |item| item.parent);
        if is_fieldset && let Some(fieldset) = self.list.get_mut(first) {
            fieldset.kind = ItemKind::Nothing;
            title = fieldset.text.clone();
        }
        let within = first + usize::from(is_fieldset)..candidate.items.end;
        let within = self.list.get_mut(within).unwrap_or_default();
        if title.is_empty()
            && let Some(item) = within.first_mut()
            && let ItemKind::Heading(_) = item.kind
        {
            item.kind = ItemKind::Nothing;
            title = item.text.clone();
        }
        let line = self.line_at_start(candidate).filter(|_| title.is_empty());
        let is_plain_text = line.is_some();
        let title = line.unwrap_or(title);
        let items = self.list.get_mut(candidate.items.clone());
        for item in items.unwrap_or_default() {
            item.step = step.into();
            if is_fieldset && item.parent.get() == Some(first) {
                item.parent = around;
            }
        }
        self.steps.push(Step {
            offset: Link::from(candidate.offset as usize),
            number: Link::from(step + 1),
            title,
            is_plain_text,
            ..Step::default()
        });
    }
}
