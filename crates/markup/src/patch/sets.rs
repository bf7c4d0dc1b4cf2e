//! Edits of a field that is a set of radios or checkboxes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::gone::{Gone, is_line_break};
use super::options::{is_chosen, is_in_order, is_in_place, sources_of};
use super::plain::is_of_script;
use super::texts::Marker;
use super::{Patch, Why};
use crate::html::tag::Tag;
use model::ordered::Gather;
use model::{Field, FieldOption, FieldType};

/// The most radios or checkboxes of a set that is edited in place.
const MAX_SET: usize = 200;

/// The most bytes of a choice that is copied for a new one.
const MAX_CHOICE: usize = 20_000;

/// What a choice that is like none of the others is refused with.
const UNLIKE: Why = Why("options", "the choices are not marked up alike");

impl Patch<'_> {
    pub(super) fn update_set(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        let controls = self.set_of(from)?;
        if from.options != to.options && to.options.len() > MAX_SET {
            return Err(Why("options", "there are too many"));
        }
        if from.kind != to.kind {
            return Err(Why("type", "its elements would have to become others"));
        }
        if to.options.is_empty() {
            return Err(Why(
                "options",
                "the last of its choices would go, and the field with it",
            ));
        }
        for (member, is_same) in [
            ("css_class", from.css_class == to.css_class),
            ("placeholder", from.placeholder == to.placeholder),
            ("validation", from.validation == to.validation),
            ("attributes", from.attributes == to.attributes),
        ] {
            if !is_same {
                return Err(Why(member, "no element says it for all of the choices"));
            }
        }
        self.update_help(from, to)?;
        self.update_set_label(from, to)?;
        self.update_conditions(&controls, from, to)?;
        if from.name != to.name {
            for control in self.all_of_set(from) {
                self.update_name(control, from, to);
            }
        }
        let sources = sources_of(&from.options, &to.options);
        let kept = sources.iter().flatten().count();
        let mut behind = sources.iter().skip_while(|source| source.is_some());
        let only_come = kept == from.options.len() && behind.all(Option::is_none);
        let only_go = kept == to.options.len();
        if is_in_place(&sources, from.options.len()) {
            let pairs = from.options.iter().zip(&to.options);
            for (control, (before, after)) in controls.iter().zip(pairs) {
                self.update_choice(*control, (before, from), (after, to))?;
            }
        } else if is_in_order(&sources) && (only_come || only_go) {
            self.change_choices(&controls, from, to)?;
        } else {
            self.move_choices(&controls, &sources, (from, to))?;
        }
        if from.required != to.required {
            self.update_set_required(&controls, to);
        }
        Ok(())
    }

    fn update_choice(
        &mut self,
        control: usize,
        (before, from): (&FieldOption, &Field),
        (after, to): (&FieldOption, &Field),
    ) -> Result<(), Why> {
        if before.value != after.value {
            self.set(control, "value", Some(&after.value));
        }
        if before.label != after.label {
            let texts = self.texts_at(&self.label_of(control, from), false);
            match texts.is_empty() {
                true => self.set(control, "aria-label", Some(&after.label)),
                false => {
                    let (from, to) = (&before.label, &after.label);
                    self.set_text("options", &texts, from, to, Marker::None)?;
                }
            }
        }
        if from.default_value != to.default_value || before.value != after.value {
            let is_chosen = is_chosen(to, &after.value);
            self.set(control, "checked", is_chosen.then_some(""));
        }
        Ok(())
    }

    /// Puts each choice with its bytes where another was, and copies of the last one between and
    /// behind them.
    fn move_choices(
        &mut self,
        controls: &[usize],
        sources: &[Option<usize>],
        (from, to): (&Field, &Field),
    ) -> Result<(), Why> {
        let choices: Result<Vec<Range<usize>>, Why> = controls
            .iter()
            .map(|control| self.choice(*control, from))
            .collect();
        let choices = choices?;
        let is_apart = |pair: &[Range<usize>]| match pair {
            [one, other] => one.end <= other.start,
            _ => true,
        };
        if !choices.windows(2).all(is_apart) {
            return Err(UNLIKE);
        }
        let mut texts = Vec::new();
        for (number, (wanted, source)) in to.options.iter().zip(sources).enumerate() {
            let known = source.and_then(|source| {
                let choice = controls.get(source).zip(choices.get(source));
                choice.zip(from.options.get(source))
            });
            let Some(((control, choice), before)) = known else {
                let number = controls.len() + number;
                texts.push(self.copied_choice(controls, (number, wanted), (from, to))?);
                continue;
            };
            let others = std::mem::take(&mut self.edits);
            self.update_name(*control, from, to);
            let updated = self.update_choice(*control, (before, from), (wanted, to));
            let own = std::mem::replace(&mut self.edits, others);
            updated?;
            texts.push(own.apply_within(self.html, choice.clone()));
        }
        let between = self.between(controls, from).unwrap_or_default();
        self.fill(&choices, &texts, &between);
        let left = choices.iter().skip(texts.len()).cloned();
        let mut gone = Gone::of(left.collect());
        self.take_line_breaks(&mut gone);
        for choice in gone.0 {
            self.edits.replace(choice, String::new());
        }
        Ok(())
    }

    /// Takes choices away, or puts others behind the last one.
    fn change_choices(&mut self, controls: &[usize], from: &Field, to: &Field) -> Result<(), Why> {
        let wanted: BTreeSet<&str> = to.options.iter().map(|o| o.value.as_str()).gather();
        let mut after = to.options.iter().peekable();
        let mut last = None;
        let mut gone = Vec::new();
        for (control, before) in controls.iter().zip(&from.options) {
            last = Some(*control);
            if !wanted.contains(before.value.as_str()) {
                gone.push(self.choice(*control, from)?);
                continue;
            }
            match after.next_if(|option| option.value == before.value) {
                Some(option) => self.update_choice(*control, (before, from), (option, to))?,
                None => return Err(UNLIKE),
            }
        }
        let mut gone = Gone::of(gone);
        self.take_line_breaks(&mut gone);
        for choice in gone.0 {
            self.edits.replace(choice, String::new());
        }
        let last = last.ok_or(UNLIKE)?;
        let between = self.between(controls, from).unwrap_or_default();
        for (number, option) in (controls.len()..).zip(after) {
            let copy = self.copied_choice(controls, (number, option), (from, to))?;
            let end = self.choice(last, from)?.end;
            self.edits.insert(end, format!("{between}{copy}"));
        }
        Ok(())
    }

    /// The bytes of one choice: the largest element that holds it alone, or else from its control to
    /// the end of its label or the other way round.
    fn choice(&self, control: usize, field: &Field) -> Result<Range<usize>, Why> {
        let element = self.outline.elements.get(control).ok_or(UNLIKE)?;
        let texts = self.texts_at(&self.label_of(control, field), false);
        let mut choice = element.span();
        if let (Some(first), Some(last)) = (texts.first(), texts.last()) {
            let text = first.start..last.end;
            let label = self.label_around(&text).unwrap_or(text);
            choice = choice.start.min(label.start)..choice.end.max(label.end);
        }
        choice = self.whole_elements(choice);
        for holder in self.outline.around(&choice.clone()) {
            let Some(around) = self.outline.elements.get(holder) else {
                continue;
            };
            let is_own = !matches!(around.name, Tag::Fieldset)
                && self.holds_one(holder, control)
                && self.lays_out_only(&(around.content().start..choice.start))
                && self.lays_out_only(&(choice.end..around.content().end));
            if !is_own {
                break;
            }
            choice = around.span();
        }
        Ok(choice)
    }

    /// Whether those bytes, of no more than a choice that can be copied, hold no words, and nothing that
    /// does more than to lay out others. They are read for each choice that is copied.
    fn lays_out_only(&self, bytes: &Range<usize>) -> bool {
        bytes.len() <= MAX_CHOICE
            && self.outline.is_blank(bytes)
            && self.is_all_plain(bytes, |_| false)
    }

    /// Whether an element holds that control and no other field or choice.
    fn holds_one(&self, holder: usize, control: usize) -> bool {
        let offset = |index: usize| self.outline.elements.get(index).map(|e| e.span().start);
        self.holds_only(holder, &[control])
            && (offset(control) == Some(self.place.offset as usize)
                || self
                    .outline
                    .elements
                    .get(holder)
                    .is_some_and(|holder| !holder.span().contains(&(self.place.offset as usize))))
    }

    /// A choice of the bytes of the last one, but for its value, label and the number of its id.
    fn copied_choice(
        &mut self,
        controls: &[usize],
        (number, option): (usize, &FieldOption),
        (from, to): (&Field, &Field),
    ) -> Result<String, Why> {
        let control = controls.last().copied().ok_or(UNLIKE)?;
        let choice = self.choice(control, from)?;
        if choice.len() > MAX_CHOICE {
            return Err(UNLIKE);
        }
        let label = self.texts_at(&self.label_of(control, from), false);
        let written = std::mem::take(&mut self.edits);
        self.set(control, "value", Some(&option.value));
        let is_chosen = is_chosen(to, &option.value);
        self.set(control, "checked", is_chosen.then_some(""));
        if from.name != to.name {
            self.update_name(control, from, to);
        }
        self.leave_out_own(&choice);
        let renumbered = self.renumber(control, &choice, number);
        let before = from.options.last().map_or("", |option| &option.label);
        let copied = match label.as_slice() {
            [] => {
                self.set(control, "aria-label", Some(&option.label));
                Ok(())
            }
            texts => self.set_text("options", texts, before, &option.label, Marker::None),
        };
        let edits = std::mem::replace(&mut self.edits, written);
        renumbered.and(copied)?;
        Ok(edits.apply_within(self.html, choice))
    }

    /// Leaves what a script of the author's does with one choice alone out of a copy: event handlers,
    /// and data that the engine does not read.
    fn leave_out_own(&mut self, choice: &Range<usize>) {
        let first = self.outline.at_or_behind(choice.start);
        for element in first..self.outline.at_or_behind(choice.end) {
            let Some(tag) = self.outline.tag(element) else {
                continue;
            };
            let names = tag.attributes.iter().map(|attribute| attribute.name);
            let own: BTreeSet<&str> = names.filter(|name| is_of_script(name)).gather();
            for name in own {
                self.set(element, name, None);
            }
        }
    }

    /// Gives the one id of a choice's control, and its label's `for`, a number that no other has.
    fn renumber(
        &mut self,
        control: usize,
        choice: &Range<usize>,
        number: usize,
    ) -> Result<(), Why> {
        let id = self.outline.value(control, "id");
        let fresh = id.as_ref().map(|id| format!("{id}-{}", number + 1));
        if let Some(id) = &id
            && self.numbers_behind(id).contains(&(number + 1))
        {
            return Err(UNLIKE);
        }
        let first = self
            .outline
            .elements
            .partition_point(|e| e.span().start < choice.start);
        let end = self
            .outline
            .elements
            .partition_point(|e| e.span().start < choice.end);
        for element in first..end {
            let names = |name| self.outline.value(element, name);
            if element != control && names("id").is_some() {
                return Err(UNLIKE);
            }
            let target = names("for");
            if target.is_some() && target == id {
                self.set(element, "for", fresh.as_deref());
            }
        }
        self.set(control, "id", fresh.as_deref());
        Ok(())
    }

    /// The numbers that stand behind an id anywhere in the document.
    fn numbers_behind(&mut self, id: &str) -> &BTreeSet<usize> {
        let (html, numbers) = (self.html, &mut self.numbers);
        if numbers.as_ref().is_none_or(|(of, _)| of != id) {
            let stem = format!("{id}-");
            let behind = html.split(&stem).skip(1).filter_map(|rest| {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                rest.get(..digits)?.parse::<usize>().ok()
            });
            *numbers = Some((id.to_owned(), behind.gather()));
        }
        &numbers.get_or_insert_default().1
    }

    /// The white space and line break between the last two choices.
    fn between(&self, controls: &[usize], field: &Field) -> Option<String> {
        let [.., one, other] = controls else {
            return None;
        };
        let start = self.choice(*one, field).ok()?.end;
        let between = self
            .html
            .get(start..self.choice(*other, field).ok()?.start)?;
        is_line_break(between).then(|| between.to_owned())
    }

    /// The inputs of a set that are its options: of more, those that can be chosen.
    pub(super) fn set_of(&self, field: &Field) -> Result<Vec<usize>, Why> {
        let mut controls = self.all_of_set(field);
        if controls.len() > field.options.len() {
            controls.retain(|control| self.outline.value(*control, "disabled").is_none());
        }
        match controls.len() == field.options.len() && controls.len() <= MAX_SET {
            true => Ok(controls),
            false => Err(Why("options", "some choices of the markup are no options")),
        }
    }

    /// The inputs of a set, by their name.
    pub(super) fn all_of_set(&self, field: &Field) -> Vec<usize> {
        let kind = match field.kind {
            FieldType::Radio => "radio",
            _ => "checkbox",
        };
        let is_of_set = |index: &usize| {
            let value = |name| self.outline.value(*index, name);
            let is_named = value("name")
                .is_some_and(|name| name.strip_suffix("[]").unwrap_or(&name) == field.name);
            let is_kind = value("type").is_some_and(|own| own.eq_ignore_ascii_case(kind));
            self.is(*index, Tag::Input) && is_named && is_kind
        };
        (0..self.outline.elements.len()).filter(is_of_set).collect()
    }
}
