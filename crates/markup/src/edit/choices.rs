//! Updates the options of a select and the choices of a set, each in its element, so that unchanged options keep every
//! byte.

use std::iter::once;
use std::ops::Range;

use super::outline::{Element, Outline};
use super::update::Rendered;
use super::{Choice, Editor};
use crate::html::edits::Edits;
use crate::html::entities::decode_text;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::id_part;
use model::option_steps::{Step, steps};
use model::{Field, FieldOption, escape};

impl Editor<'_> {
    /// Updates the options in their elements. Returns false if an old option has no element, or if the field gets
    /// another kind of element. The result is also false if no old option stays and their number changes, or if both
    /// the order and an option change.
    pub(super) fn update_options(
        &mut self,
        choices: &[Choice],
        was: &Rendered<'_>,
        becomes: &Rendered<'_>,
    ) -> bool {
        let (from, to) = (&was.field.options, &becomes.field.options);
        let of_option = |option: &FieldOption| {
            let mut choices = choices.iter();
            choices.find(|choice| self.value_of(choice) == option.value)
        };
        let known: Vec<&Choice> = from.iter().filter_map(of_option).collect();
        // A select's placeholder precedes its options.
        let before = was.options.len().saturating_sub(from.len());
        let is_same =
            becomes.main.tag == was.main.tag && becomes.options.len() == before + to.len();
        if known.len() != from.len() || !is_same {
            return false;
        }
        let units: Vec<Range<usize>> = known.iter().map(|choice| self.unit(choice)).collect();
        let Some(steps) = steps(from, to) else {
            return self.reorder(&units, from, to);
        };
        let stays = |option: &FieldOption| to.iter().any(|other| other.value == option.value);
        if from.len() != to.len() && !from.iter().any(stays) {
            return false;
        }
        if before > 0
            && let Some(choice) = choices.first()
        {
            self.update_choice(choice, was, 0, becomes, 0);
        }
        let mut last = None;
        for step in steps {
            match step {
                Step::Update(old, new) => {
                    if let Some(choice) = known.get(old) {
                        self.update_choice(choice, was, before + old, becomes, before + new);
                    }
                    last = Some(old);
                }
                Step::Remove(old) => self.remove_unit(&units, old),
                Step::Insert(new) => {
                    let like = last.unwrap_or_default();
                    let Some((choice, unit)) = known.get(like).zip(units.get(like)) else {
                        continue;
                    };
                    let html = self.new_choice(choice, unit, becomes, before + new);
                    let gap = self.gap_before(&units, like.max(1));
                    let gap = gap.map_or("", |gap| self.outline.source(&gap));
                    let (at, html) = match last {
                        Some(_) => (unit.end, [gap, &html].concat()),
                        None => (unit.start, [&html, gap].concat()),
                    };
                    self.edits.replace(at..at, html);
                }
            }
        }
        true
    }

    /// The value that a choice submits.
    fn value_of(&self, (element, _): &Choice) -> String {
        match self.outline.attribute(element, "value") {
            Some(value) => value.replace('\n', " "),
            None if element.tag == Tag::Option => {
                collapse(&decode_text(self.outline.source(&element.content)))
            }
            None => "on".to_owned(),
        }
    }

    /// Updates the attributes and the text of one choice.
    fn update_choice(
        &mut self,
        (element, texts): &Choice,
        was: &Rendered<'_>,
        old: usize,
        becomes: &Rendered<'_>,
        new: usize,
    ) {
        let Some((old, new)) = was.options.get(old).zip(becomes.options.get(new)) else {
            return;
        };
        self.update_attributes(element, &was.attributes(old), &becomes.attributes(new));
        let text = becomes.text_of(new);
        if was.text_of(old) != text {
            if self.outline.attribute(element, "value").is_none() {
                let value = becomes.outline.attribute(new, "value");
                self.set(element, "value", value.as_deref());
            }
            self.replace_text(texts, &text);
        }
    }

    /// The range of a choice with its label, or of the largest element that contains nothing else.
    fn unit(&self, (element, texts): &Choice) -> Range<usize> {
        let mut unit = element.span.clone();
        if element.tag == Tag::Option {
            return unit;
        }
        for text in texts {
            let around = self.outline.around(text.clone());
            let label = around.take_while(|around| !around.span.contains(&element.span.start));
            let label = label.last().map_or(text, |label| &label.span);
            unit = unit.start.min(label.start)..unit.end.max(label.end);
        }
        let is_one_of_several = self.read.choice_labels.len() > 1;
        let alone = |around: &&Element| around.tag == Tag::Label;
        let around = match self.wrapper(&unit) {
            Some(wrapper) if is_one_of_several => Some(wrapper),
            _ => self.outline.around(unit.clone()).next().filter(alone),
        };
        around.map_or(unit, |around| around.span.clone())
    }

    /// The range between a unit and the previous unit, if it contains only white space and `<br>`.
    fn gap_before(&self, units: &[Range<usize>], at: usize) -> Option<Range<usize>> {
        let gap = units.get(at.checked_sub(1)?)?.end..units.get(at)?.start;
        let mut parts = self.outline.source(&gap).split('>').map(str::trim);
        let is_free = |part: &str| part.is_empty() || matches!(part, "<br" | "<br/" | "<br /");
        parts.all(is_free).then_some(gap)
    }

    fn remove_unit(&mut self, units: &[Range<usize>], at: usize) {
        let Some(unit) = units.get(at).cloned() else {
            return;
        };
        let before = self.gap_before(units, at);
        let behind = self.gap_before(units, at + 1);
        let span = match (before, behind) {
            (Some(gap), _) => gap.start..unit.end,
            (None, Some(gap)) => unit.start..gap.end,
            (None, None) => unit,
        };
        self.edits.replace(span, String::new());
    }

    /// The HTML of a new choice, modelled on a neighbouring one.
    fn new_choice(
        &self,
        (element, texts): &Choice,
        unit: &Range<usize>,
        becomes: &Rendered<'_>,
        new: usize,
    ) -> String {
        let Some(new) = becomes.options.get(new) else {
            return String::new();
        };
        let like = self.outline.source(unit);
        let outline = Outline::of(like);
        let mut elements = outline.elements.iter();
        let control = elements.find(|element| element.tag == Tag::Input);
        let (Some(control), [text]) = (control, texts.as_slice()) else {
            return becomes.outline.source(&new.span).to_owned();
        };
        let mut edits = Edits::default();
        let mut set = |element: &Element, name: &str, value: Option<&str>| {
            edits.set_attribute(element.span.start, name, value);
        };
        let old_id = self.outline.attribute(element, "id");
        let id = old_id.as_ref().map(|id| self.free_id(id));
        for element in &outline.elements {
            for attribute in outline.attributes(element).iter() {
                let name = attribute.lower_name();
                let is_of_neighbour = name.starts_with("data-") || name.starts_with("aria-");
                match name.as_ref() {
                    "for" => set(element, "for", id.as_deref()),
                    "id" if element.span == control.span => set(element, "id", id.as_deref()),
                    "id" | "checked" | "title" => set(element, &name, None),
                    _ if is_of_neighbour => set(element, &name, None),
                    _ => {}
                }
            }
        }
        for attribute in becomes.attributes(new) {
            if attribute.name() != "type" {
                set(control, attribute.name(), Some(&attribute.value()));
            }
        }
        let text = text.start.saturating_sub(unit.start)..text.end.saturating_sub(unit.start);
        let (span, written) = written(&outline, &text, &becomes.text_of(new));
        edits.replace(span, written);
        edits.apply(like)
    }

    /// Returns the id, with a number appended if an element already has this id.
    pub(super) fn free_id(&self, like: &str) -> String {
        let numbered = (2..).map(|number| format!("{like}-{number}"));
        let mut ids = once(like.to_owned()).chain(numbered);
        let has = |id: &String| {
            let mut elements = self.outline.elements.iter();
            elements.any(|element| self.outline.attribute(element, "id").as_deref() == Some(id))
        };
        ids.find(|id| !has(id)).unwrap_or_default()
    }

    /// Reorders the choices. Returns false if anything but the order changes.
    fn reorder(
        &mut self,
        units: &[Range<usize>],
        from: &[FieldOption],
        to: &[FieldOption],
    ) -> bool {
        let places: Vec<usize> = to
            .iter()
            .filter_map(|option| from.iter().position(|known| known == option))
            .collect();
        let is_same = places.len() == from.len() && to.len() == from.len();
        for (unit, place) in units.iter().zip(places).filter(|_| is_same) {
            let source = units.get(place).map(|unit| self.outline.source(unit));
            let source = source.unwrap_or_default().to_owned();
            self.edits.replace(unit.clone(), source);
        }
        is_same
    }

    /// Adds a help text, to which the control or set refers by `aria-describedby`.
    pub(super) fn add_help(&mut self, control: &Element, holder: &Element, to: &Field) {
        let id = self.free_id(&[&id_part(&to.name), "-help"].concat());
        let mut help = format!("<small id=\"{id}\">");
        escape::text(&mut help, &to.description);
        help.push_str("</small>");
        let label = self.read.texts.spans(self.place.label.clone(), true);
        let label = label.first().cloned().unwrap_or(control.span.clone());
        let holds_both = |element: &&Element| {
            element.tag.parts_text()
                && element.content.start <= label.start.min(control.span.start)
                && label.end.max(control.span.end) <= element.content.end
        };
        let block = self.outline.with_around(control).find(holds_both);
        let wrapper = self.wrapper(&control.span).map(|outer| outer.span.clone());
        let block = block.filter(|block| wrapper.is_some_and(|all| all.start <= block.span.start));
        let legend = self.outline.named(holder.content.clone(), Tag::Legend);
        let at = if holder.tag == Tag::Fieldset {
            legend
                .first()
                .map_or(holder.content.start, |legend| legend.span.end)
        } else if let Some(block) = block {
            let content = self.outline.source(&block.content);
            block.content.start + content.trim_ascii_end().len()
        } else {
            let around = self.outline.with_around(control);
            let around = around.filter(|element| element.tag == Tag::Label).last();
            around.unwrap_or(control).span.end
        };
        self.edits.replace(at..at, help);
        let known = self.outline.attribute(holder, "aria-describedby");
        let ids = known.map_or_else(|| id.clone(), |known| format!("{known} {id}"));
        self.set(holder, "aria-describedby", Some(ids.trim()));
    }
}

/// The range of a text without the white space around it, and the HTML that replaces this range.
pub(super) fn written(
    outline: &Outline<'_>,
    place: &Range<usize>,
    text: &str,
) -> (Range<usize>, String) {
    let old = outline.source(place);
    let start = place.start + (old.len() - old.trim_ascii_start().len());
    let mut written = String::new();
    escape::text(&mut written, text);
    (start..start + old.trim_ascii().len(), written)
}
