//! Edits of the options of a select or datalist.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::outline::Element;
use super::texts::Marker;
use super::{Patch, Why};
use crate::html::escape;
use crate::html::tag::Tag;
use model::ordered::Gather;
use model::{Field, FieldOption};

/// An option would come or go from one `optgroup` to another, which readers see and the schema does not
/// say.
const SEVERAL_GROUPS: Why = Why("options", "they stand in several groups");

impl<'a> Patch<'a> {
    pub(super) fn update_options(
        &mut self,
        control: usize,
        from: &Field,
        to: &Field,
    ) -> Result<(), Why> {
        let missing = Why("options", "no element of the markup holds them");
        let owner = self.owner_of(control).ok_or(missing)?;
        let elements = self.matched(owner, &from.options).ok_or(missing)?;
        let sources = sources_of(&from.options, &to.options);
        if is_in_place(&sources, from.options.len()) {
            let pairs = elements.iter().zip(&from.options).zip(&to.options);
            for ((element, before), after) in pairs {
                self.update_option(*element, before, after)?;
            }
            return Ok(());
        }
        if !is_in_order(&sources) {
            return self.move_options(owner, &elements, &sources, (from, to));
        }
        let known: BTreeSet<&str> = to.options.iter().map(|o| o.value.as_str()).gather();
        let mut before = elements.iter().zip(&from.options).peekable();
        let mut last = None;
        let mut gone = Vec::new();
        let mut filled = BTreeSet::new();
        for wanted in &to.options {
            // What is wanted no more, before the next that is.
            while let Some((element, _)) = before.next_if(|(_, o)| !known.contains(&*o.value)) {
                gone.push(*element);
                last = Some(*element);
            }
            match before.next_if(|(_, option)| option.value == wanted.value) {
                Some((element, option)) => {
                    self.update_option(*element, option, wanted)?;
                    last = Some(*element);
                }
                None => {
                    let next = before.peek().map(|(element, _)| **element);
                    let group = self.insert_option(owner, (last, next), wanted, to)?;
                    filled.insert(group);
                }
            }
        }
        gone.extend(before.map(|(element, _)| *element));
        self.cut_options(&gone, &filled);
        Ok(())
    }

    /// Takes options away, in their order, and each `optgroup` that is left with none.
    fn cut_options(&mut self, gone: &[usize], filled: &BTreeSet<Option<usize>>) {
        let groups: BTreeSet<Option<usize>> = gone.iter().map(|o| self.around(*o)).gather();
        for option in gone {
            self.cut(*option);
        }
        for group in groups.difference(filled).flatten() {
            let is_gone = |option: &usize| gone.binary_search(option).is_ok();
            let is_emptied = self.is(*group, Tag::Optgroup)
                && self.outline.options_of(*group).iter().all(is_gone);
            if is_emptied {
                self.cut(*group);
            }
        }
    }

    /// The element around another.
    fn around(&self, element: usize) -> Option<usize> {
        self.outline.elements.get(element)?.around()
    }

    /// Whether options that are in other places then are all in the group that they were in.
    fn stay_in_groups(&self, elements: &[usize], sources: &[Option<usize>]) -> bool {
        let groups: Vec<_> = elements.iter().map(|e| self.around(*e)).collect();
        let is_one = groups.windows(2).all(|two| two.first() == two.last());
        let is_own = |(place, source): (usize, &Option<usize>)| {
            source.is_some_and(|source| groups.get(source) == groups.get(place))
        };
        is_one || (sources.len() == groups.len() && sources.iter().enumerate().all(is_own))
    }

    /// Says a select's placeholder by its first option, which is empty.
    pub(super) fn update_asking_option(
        &mut self,
        select: usize,
        from: &Field,
        to: &Field,
    ) -> Result<(), Why> {
        let option = |label: &str| FieldOption {
            value: String::new(),
            label: label.to_owned(),
        };
        let options = self.outline.options_of(select);
        let asks = options.first().copied().filter(|first| {
            let value = self.outline.value(*first, "value");
            value.is_some_and(|value| value.is_empty()) && !from.placeholder.is_empty()
        });
        match asks {
            Some(asks) if to.placeholder.is_empty() => {
                let bytes = self.bytes_of(asks);
                let start = bytes.start - self.space_before(asks).len();
                self.edits.replace(start..bytes.end, String::new());
                Ok(())
            }
            Some(asks) => {
                self.update_option(asks, &option(&from.placeholder), &option(&to.placeholder))
            }
            None if from.placeholder.is_empty() => {
                let content = self.outline.elements.get(select).map(Element::content);
                let space = options
                    .first()
                    .map_or("", |first| self.space_before(*first));
                let written = new_option(&option(&to.placeholder), false);
                let at = content.map_or(0, |content| content.start);
                self.edits.insert(at, format!("{space}{written}"));
                Ok(())
            }
            None => Err(Why("placeholder", "no first option says it")),
        }
    }

    /// Puts each option with its bytes where another was, and new ones between and behind them.
    fn move_options(
        &mut self,
        owner: usize,
        elements: &[usize],
        sources: &[Option<usize>],
        (from, to): (&Field, &Field),
    ) -> Result<(), Why> {
        if !self.stay_in_groups(elements, sources) {
            return Err(SEVERAL_GROUPS);
        }
        let is_select = self.is(owner, Tag::Select);
        let places: Vec<Range<usize>> = elements.iter().map(|e| self.bytes_of(*e)).collect();
        let mut texts = Vec::new();
        for (wanted, source) in to.options.iter().zip(sources) {
            let known = source.and_then(|source| {
                let element = elements.get(source).zip(places.get(source));
                element.zip(from.options.get(source))
            });
            let Some(((element, bytes), before)) = known else {
                texts.push(new_option(
                    wanted,
                    is_select && is_chosen(to, &wanted.value),
                ));
                continue;
            };
            let others = std::mem::take(&mut self.edits);
            let updated = self.update_option(*element, before, wanted);
            if is_select {
                let is_chosen = is_chosen(to, &wanted.value);
                self.set(*element, "selected", is_chosen.then_some(""));
            }
            let own = std::mem::replace(&mut self.edits, others);
            updated?;
            texts.push(own.apply_within(self.html, bytes.clone()));
        }
        let space = elements.last().map_or("", |last| self.space_before(*last));
        let mut end = self.fill(&places, &texts, space);
        for left in places.iter().skip(texts.len()) {
            let between = self.html.get(end..left.start).unwrap_or_default();
            let start = match between.trim_ascii().is_empty() {
                true => end,
                false => left.start,
            };
            self.edits.replace(start..left.end, String::new());
            end = left.end;
        }
        Ok(())
    }

    /// Writes texts into places, one into each; those that are over behind the last place, parted by
    /// some text. Says where the last place ends that has one.
    pub(super) fn fill(
        &mut self,
        places: &[Range<usize>],
        texts: &[String],
        between: &str,
    ) -> usize {
        let mut end = 0;
        for (number, text) in texts.iter().enumerate() {
            match places.get(number) {
                Some(place) => {
                    self.edits.replace(place.clone(), text.clone());
                    end = place.end;
                }
                None => self.edits.insert(end, format!("{between}{text}")),
            }
        }
        end
    }

    /// Marks the options that are chosen at first.
    pub(super) fn select_options(&mut self, select: usize, to: &Field) {
        let chosen: BTreeSet<&str> = to.default_value.split('\n').gather();
        for option in self.outline.options_of(select) {
            let value = self.value_of(option);
            // What asks to choose stays what is seen at first.
            if value.is_empty() && to.default_value.is_empty() {
                continue;
            }
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

    /// Writes an option behind one and before another, on a line of its own where they are, and says
    /// in which element.
    fn insert_option(
        &mut self,
        owner: usize,
        (behind, before): (Option<usize>, Option<usize>),
        option: &FieldOption,
        to: &Field,
    ) -> Result<Option<usize>, Why> {
        let is_select = self.is(owner, Tag::Select);
        let written = new_option(option, is_select && is_chosen(to, &option.value));
        let group = behind.or(before).map(|known| self.around(known));
        let is_between_groups = before.is_some_and(|before| group != Some(self.around(before)));
        match (behind, before) {
            _ if is_between_groups => return Err(SEVERAL_GROUPS),
            (Some(behind), _) => {
                let space = self.space_before(behind);
                let at = self.bytes_of(behind).end;
                self.edits.insert(at, format!("{space}{written}"));
            }
            (None, Some(before)) => {
                let space = self.space_before(before);
                let at = self.bytes_of(before).start;
                self.edits.insert(at, format!("{written}{space}"));
            }
            (None, None) => {
                let content = self.outline.elements.get(owner).map(Element::content);
                self.edits
                    .insert(content.map_or(0, |content| content.start), written);
            }
        }
        Ok(group.unwrap_or(Some(owner)))
    }

    /// The bytes of an option. Without its end tag it reaches to the next tag.
    fn bytes_of(&self, option: usize) -> Range<usize> {
        let span = self.outline.elements.get(option);
        let span = span.map_or(0..0, |element| element.span());
        let bytes = self.html.get(span.clone()).unwrap_or_default();
        span.start..span.start + bytes.trim_ascii_end().len()
    }

    /// The white space before an element.
    fn space_before(&self, element: usize) -> &'a str {
        let start = self.bytes_of(element).start;
        let before = self.html.get(..start).unwrap_or_default();
        before
            .get(before.trim_ascii_end().len()..)
            .unwrap_or_default()
    }
}

fn new_option(option: &FieldOption, is_selected: bool) -> String {
    let mut written = "<option value=\"".to_owned();
    escape::attribute_value(&mut written, &option.value);
    written.push('"');
    if is_selected {
        written.push_str(" selected");
    }
    written.push('>');
    escape::text(&mut written, &option.label);
    written.push_str("</option>");
    written
}

/// Whether a field has that value at first.
pub(super) fn is_chosen(field: &Field, value: &str) -> bool {
    let mut chosen = field.default_value.split('\n');
    !field.default_value.is_empty() && chosen.any(|chosen| chosen == value)
}

/// Where each option was, if there was one of its value.
pub(super) fn sources_of(before: &[FieldOption], after: &[FieldOption]) -> Vec<Option<usize>> {
    let places: BTreeMap<&str, usize> = before
        .iter()
        .map(|option| option.value.as_str())
        .zip(0..)
        .gather();
    let place = |option: &FieldOption| places.get(option.value.as_str()).copied();
    after.iter().map(place).collect()
}

/// Whether the options of these sources are where they were, of so many, and the others may be what
/// those in their places become.
pub(super) fn is_in_place(sources: &[Option<usize>], count: usize) -> bool {
    let is_own = |(place, source): (usize, &Option<usize>)| source.is_none_or(|s| s == place);
    sources.len() == count && sources.iter().enumerate().all(is_own)
}

/// Whether those that were there follow each other as they did.
pub(super) fn is_in_order(sources: &[Option<usize>]) -> bool {
    let mut kept = sources.iter().flatten();
    let mut last = kept.next();
    kept.all(|source| last.replace(source).is_some_and(|last| last < source))
}
