//! Edits of the options of a select or datalist.

use std::collections::BTreeSet;

use super::texts::Marker;
use super::{Patch, Why};
use crate::forms::{Field, FieldOption};
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
