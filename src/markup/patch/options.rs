//! Edits of the options of a select or datalist.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::texts::Marker;
use super::{Patch, Why};
use crate::forms::{Field, FieldOption, FieldType};
use crate::markup::html::escape;
use crate::markup::html::tag::Tag;
use crate::ordered::Gather;

impl Patch<'_> {
    pub(super) fn update_options(
        &mut self,
        control: usize,
        from: &Field,
        to: &Field,
    ) -> Result<(), Why> {
        let missing = Why("options", "no element of the markup holds them");
        let owner = self.owner_of(control).ok_or(missing)?;
        let elements = self.matched(owner, &from.options).ok_or(missing)?;
        if let Some(order) = order_of(&from.options, &to.options) {
            return self.reorder_options(&elements, &order, (from, to));
        }
        if from.options.len() == to.options.len() {
            let pairs = elements.iter().zip(&from.options).zip(&to.options);
            for ((element, before), after) in pairs {
                self.update_option(*element, before, after)?;
            }
            return Ok(());
        }
        let known: BTreeSet<&str> = to.options.iter().map(|o| o.value.as_str()).gather();
        let mut before = elements.iter().zip(&from.options).peekable();
        let mut last = None;
        for wanted in &to.options {
            // What is wanted no more, before the next that is.
            while let Some((element, _)) = before.next_if(|(_, o)| !known.contains(&*o.value)) {
                self.cut(*element);
                last = Some(*element);
            }
            match before.next_if(|(_, option)| option.value == wanted.value) {
                Some((element, option)) => {
                    self.update_option(*element, option, wanted)?;
                    last = Some(*element);
                }
                None => self.insert_option(owner, last, wanted, to),
            }
        }
        for (element, _) in before {
            self.cut(*element);
        }
        Ok(())
    }

    /// Puts each option with its bytes where another was.
    fn reorder_options(
        &mut self,
        elements: &[usize],
        order: &[usize],
        (from, to): (&Field, &Field),
    ) -> Result<(), Why> {
        let spans: Vec<Range<usize>> = elements
            .iter()
            .filter_map(|element| self.outline.elements.get(*element))
            .map(|element| {
                // Without its end tag an option reaches to the next tag.
                let bytes = self.html.get(element.span.clone()).unwrap_or_default();
                element.span.start..element.span.start + bytes.trim_ascii_end().len()
            })
            .collect();
        let chosen: BTreeSet<&str> = to.default_value.split('\n').gather();
        for ((place, wanted), source) in spans.iter().zip(&to.options).zip(order) {
            let found = elements.get(*source).zip(spans.get(*source));
            let Some(((element, span), before)) = found.zip(from.options.get(*source)) else {
                continue;
            };
            let others = std::mem::take(&mut self.edits);
            let updated = self.update_option(*element, before, wanted);
            let is_chosen = !to.default_value.is_empty() && chosen.contains(wanted.value.as_str());
            if self.is(*element, Tag::Option) && from.kind == FieldType::Select {
                self.set(*element, "selected", is_chosen.then_some(""));
            }
            let own = std::mem::replace(&mut self.edits, others);
            updated?;
            let moved = own.apply_within(self.html, span.clone());
            self.edits.replace(place.clone(), moved);
        }
        Ok(())
    }

    /// Marks the options that are chosen at first.
    pub(super) fn select_options(&mut self, select: usize, to: &Field) {
        let chosen: BTreeSet<&str> = to.default_value.split('\n').gather();
        for option in self.outline.options_of(select) {
            let value = self.value_of(option);
            let is_chosen = !to.default_value.is_empty() && chosen.contains(value.as_str());
            let was_chosen = self.outline.value(option, "selected").is_some();
            if is_chosen != was_chosen {
                self.set(option, "selected", is_chosen.then_some(""));
            }
        }
    }

    /// The select itself, or the datalist that an input names.
    fn owner_of(&self, control: usize) -> Option<usize> {
        let element = self.outline.elements.get(control)?;
        match element.name {
            Tag::Select => Some(control),
            _ => self.outline.with_id(&self.outline.value(control, "list")?),
        }
    }

    /// The elements of a field's options, in their order; some elements are no option of it.
    fn matched(&self, owner: usize, options: &[FieldOption]) -> Option<Vec<usize>> {
        let mut elements = self.outline.options_of(owner).into_iter();
        let find = |option: &FieldOption| elements.find(|e| self.value_of(*e) == option.value);
        options.iter().map(find).collect()
    }

    fn value_of(&self, option: usize) -> String {
        match self.outline.value(option, "value") {
            Some(value) => value.replace('\n', " "),
            None => self.outline.text_of(option),
        }
    }

    fn update_option(
        &mut self,
        option: usize,
        before: &FieldOption,
        after: &FieldOption,
    ) -> Result<(), Why> {
        let has_value = self.outline.value(option, "value").is_some();
        let label = self.outline.value(option, "label");
        let is_labelled = label.is_some_and(|label| !label.is_empty());
        if before.label != after.label {
            let elements = &self.outline.elements;
            let content = elements.get(option).map_or(0..0, |e| e.content());
            let texts = self.outline.texts_in(&content);
            if is_labelled {
                self.set(option, "label", Some(&after.label));
            } else if texts.is_empty() {
                let mut written = String::new();
                escape::text(&mut written, &after.label);
                self.edits.insert(content.start, written);
            } else {
                let (from, to) = (&before.label, &after.label);
                self.set_text("options", &texts, from, to, Marker::None)?;
            }
        }
        let is_said = match has_value || is_labelled {
            true => before.value == after.value,
            false => after.value == after.label,
        };
        if !is_said {
            self.set(option, "value", Some(&after.value));
        }
        Ok(())
    }

    /// Writes an option behind another, or first, on a line of its own where the others are.
    fn insert_option(
        &mut self,
        owner: usize,
        behind: Option<usize>,
        option: &FieldOption,
        to: &Field,
    ) {
        let Some(owner) = self.outline.elements.get(owner) else {
            return;
        };
        let neighbour = behind.and_then(|behind| self.outline.elements.get(behind));
        let at = neighbour.map_or(owner.content().start, |neighbour| {
            // Without its end tag an option reaches to the next tag.
            let bytes = self.html.get(neighbour.span.clone()).unwrap_or_default();
            neighbour.span.start + bytes.trim_ascii_end().len()
        });
        let before = neighbour.and_then(|neighbour| self.html.get(..neighbour.span.start));
        let space = before.map_or("", |before| {
            before
                .get(before.trim_ascii_end().len()..)
                .unwrap_or_default()
        });
        let mut written = format!("{space}<option value=\"");
        escape::attribute_value(&mut written, &option.value);
        written.push('"');
        if owner.name == Tag::Select && to.default_value.split('\n').any(|v| v == option.value) {
            written.push_str(" selected");
        }
        written.push('>');
        escape::text(&mut written, &option.label);
        written.push_str("</option>");
        self.edits.insert(at, written);
    }
}

/// Where each option of a new order was, if it is the same ones in another order.
pub(super) fn order_of(before: &[FieldOption], after: &[FieldOption]) -> Option<Vec<usize>> {
    let places: BTreeMap<&str, usize> = before
        .iter()
        .map(|option| option.value.as_str())
        .zip(0..)
        .gather();
    let order: Option<Vec<usize>> = after
        .iter()
        .map(|option| places.get(option.value.as_str()).copied())
        .collect();
    let is_other = |order: &Vec<usize>| !order.iter().copied().eq(0..before.len());
    order.filter(|order| before.len() == after.len() && is_other(order))
}
