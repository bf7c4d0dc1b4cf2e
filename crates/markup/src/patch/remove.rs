//! Taking a field's elements away, each of them whole.

use std::ops::Range;

use super::emptied::With;
use super::gone::Gone;
use super::outline::{Element, Outline};
use super::why::{self, NotPatched, Why};
use super::{Patch, Patched, is_set};
use crate::html::edits::Edits;
use crate::html::tag::Tag;
use crate::html::text::TextRange;
use crate::read::Place;
use model::edit::delete_field;
use model::{Field, FieldType, FormSchema};

/// The most pieces of text and elements that go with a field.
const MAX_PARTS: usize = 500;

/// Where elements are cut in half.
const NO_WHOLE: Why = Why("", "parts of other elements would go with it");

impl Patch<'_> {
    /// The markup without a field: without its controls, its label, its help, and what held nothing else.
    /// A fieldset that holds nothing more than its legend goes with its last field; where the rest would
    /// be read otherwise without them, the larger elements stay.
    pub(super) fn removed(
        &mut self,
        field: &Field,
        wanted: &FormSchema,
    ) -> Result<Patched, NotPatched> {
        let refused = |why| NotPatched::of(field, why);
        let mut outcome = Err(refused(NO_WHOLE));
        let described = self.referred_by_others(field);
        let described = Some(&described).filter(|_| !is_structure(field.kind));
        let attempts = [
            (true, described, described.is_some()),
            (true, described, false),
            (true, None, false),
            (false, None, false),
        ];
        for (is_thorough, described, has_addons) in attempts {
            let with = With {
                is_thorough,
                described,
                has_addons,
            };
            let mut parts = self.parts_of(field, with).map_err(refused)?;
            // An end tag that is left out; what ends there too is not around it.
            parts.retain(|part| !part.is_empty());
            if parts.len() > MAX_PARTS {
                return Err(refused(NO_WHOLE));
            }
            let mut gone = Gone::of(parts.clone());
            self.empty_around(&parts, &mut gone, with);
            if let Some(described) = described {
                // What stands behind the element that held the field.
                self.take_belongings(&mut gone, described);
                let parts = gone.0.clone();
                self.empty_around(&parts, &mut gone, with);
            }
            if is_thorough {
                self.take_line_breaks(&mut gone);
            }
            if !self.keeps_the_rest(&gone) || self.takes_others(field, &gone) {
                continue;
            }
            let wanted = self.without_emptied(wanted, field, &gone);
            for part in gone.0 {
                self.edits.replace(part, String::new());
            }
            self.refer(&field.name, None);
            outcome = self.reading_as(&wanted, field, None);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    /// The bytes that are a field's own.
    fn parts_of(&self, field: &Field, with: With<'_>) -> Result<Vec<Range<usize>>, Why> {
        let element = self.outline.at(self.place.offset as usize);
        let element = element.and_then(|element| self.outline.elements.get(element));
        let element = element.ok_or(why::NO_CONTROL)?;
        let controls = match field.kind {
            FieldType::Fieldset | FieldType::Container => {
                // What it holds stays.
                let content = element.content();
                let mut parts = vec![
                    element.span().start..content.start,
                    content.end..element.span().end,
                ];
                parts.extend(self.named_by(&self.place.label));
                return Ok(parts);
            }
            FieldType::Heading | FieldType::Paragraph | FieldType::Divider => {
                return match self.is_all_text(&element.content()) {
                    true => Ok(vec![element.span()]),
                    false => Err(Why("", "it holds more than its text")),
                };
            }
            _ if is_set(field) => self.set_of(field)?,
            _ if element.name == Tag::Fieldset => return self.whole_fieldset(element, field),
            _ => vec![self.control()?],
        };
        let whole = self.whole(&controls);
        let mut holders = self.outline.around(&whole);
        let fieldset = holders
            .by_ref()
            .take_while(|holder| self.holds_only(*holder, &controls))
            .find(|holder| self.is(*holder, Tag::Fieldset));
        let fieldset = fieldset.and_then(|index| self.outline.elements.get(index));
        if fieldset.is_none() && self.names_the_next(field) {
            return Err(Why("", "the text that names it names the next field too"));
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for control in &controls {
            parts.extend(self.named_by(&self.own_text(&controls, self.label_of(*control, field))));
            parts.extend(self.outline.elements.get(*control).map(Element::span));
        }
        parts.extend(self.named_by(&self.own_text(&controls, self.place.label.clone())));
        let help = self.own_text(&controls, self.place.help.clone());
        parts.extend(self.texts_at(&help, true));
        parts.extend(self.unticked(field));
        if is_set(field) {
            let all = self.all_of_set(field).into_iter();
            for disabled in all.filter(|control| !controls.contains(control)) {
                let span = self.outline.elements.get(disabled).map(Element::span);
                let label = span.and_then(|span| self.label_around(&span));
                parts.push(label.ok_or(NO_WHOLE)?);
            }
        }
        if let Some(described) = with.described {
            let controls = controls.iter();
            parts.extend(controls.flat_map(|control| self.described_by(*control, described)));
            let mut gone = Gone::of(parts);
            self.take_belongings(&mut gone, described);
            parts = gone.0;
        }
        if let Some(fieldset) = fieldset {
            if self.is_all_own(fieldset, &parts) {
                return Ok(vec![fieldset.span()]);
            }
            // It would be a field of its own; what else it holds stays.
            let (span, content) = (fieldset.span(), fieldset.content());
            parts.extend([span.start..content.start, content.end..span.end]);
        }
        Ok(parts)
    }

    /// Whether a fieldset holds nothing but those parts and the elements that lay them out.
    fn is_all_own(&self, fieldset: &Element, parts: &[Range<usize>]) -> bool {
        let own = Gone::of(parts.to_vec());
        let texts = self.outline.texts_in(&fieldset.content());
        self.is_all_plain(&fieldset.content(), |at| own.holds(at))
            && texts.iter().all(|text| own.holds(text.start))
    }

    /// A text, unless another field or choice has it too, as the rows of a table have the heads of its
    /// columns.
    fn own_text(&self, controls: &[usize], text: TextRange) -> TextRange {
        let is_part = |other: &TextRange| text.start < other.end && other.start < text.end;
        let own = |offset: u32| {
            let starts =
                |control: &usize| self.outline.elements.get(*control).map(|e| e.span().start);
            offset == self.place.offset
                || controls
                    .iter()
                    .filter_map(starts)
                    .any(|start| start == offset as usize)
        };
        let places = self.read.places.iter();
        let places =
            places.flat_map(|place| [(place.offset, &place.label), (place.offset, &place.help)]);
        let choices = self
            .read
            .choice_labels
            .iter()
            .map(|(offset, text)| (*offset, text));
        let mut others = places.chain(choices).filter(|(_, other)| is_part(other));
        match others.any(|(offset, _)| !own(offset)) {
            true => 0..0,
            false => text,
        }
    }

    /// Whether the text before a control, as "ZIP / Town", stands before the next one too, which has no
    /// other.
    fn names_the_next(&self, field: &Field) -> bool {
        let fields = self.read.schema.fields.iter().zip(&self.read.places);
        let mut behind = fields
            .skip_while(|(known, _)| known.name != field.name)
            .skip(1);
        let Some((next, place)) = behind.next() else {
            return false;
        };
        let around = |offset: u32| {
            let element = self.outline.at(offset as usize)?;
            self.outline.elements.get(element).map(Element::around)
        };
        let texts = self.texts_at(&self.place.label, false);
        let is_before = texts.last().is_some_and(|text| {
            let label = self.label_around(text).unwrap_or(text.clone());
            label.end <= self.place.offset as usize
        });
        let asks = next.kind.captures_value() && next.kind != FieldType::Hidden;
        is_before
            && asks
            && next.label.is_empty()
            && around(place.offset) == around(self.place.offset)
    }

    /// Whether a control goes that has another's name.
    fn takes_others(&self, field: &Field, gone: &Gone) -> bool {
        let control = self.control().ok();
        let elements = self.outline.elements.iter().enumerate();
        let mut controls = elements.filter(|(_, e)| e.is_control() && gone.holds(e.span().start));
        controls.any(|(index, _)| {
            let name = self.outline.value(index, "name").unwrap_or_default();
            Some(index) != control && !name.is_empty() && !is_named_so(&name, field)
        })
    }

    /// A fieldset that is one field: it holds the field's controls, words, and what lays them out.
    fn whole_fieldset(&self, fieldset: &Element, field: &Field) -> Result<Vec<Range<usize>>, Why> {
        let is_own = |start: usize| {
            let control = self.outline.control_at(start);
            let name = control.and_then(|control| self.outline.value(control, "name"));
            name.is_some_and(|name| is_named_so(&name, field))
        };
        let is_plain = |start: usize| {
            let element = self.outline.at(start);
            let element = element.and_then(|element| self.outline.elements.get(element));
            element.is_some_and(|element| {
                matches!(
                    element.name,
                    Tag::Option | Tag::Optgroup | Tag::Legend | Tag::Label | Tag::Small
                )
            })
        };
        match self.is_all_plain(&fieldset.content(), |at| is_own(at) || is_plain(at)) {
            true => Ok(vec![fieldset.span()]),
            false => Err(NO_WHOLE),
        }
    }

    /// The hidden inputs that say what is sent when no box is ticked.
    fn unticked(&self, field: &Field) -> Vec<Range<usize>> {
        if field.kind != FieldType::Checkbox && field.kind != FieldType::Consent {
            return Vec::new();
        }
        let is_one = |(index, element): &(usize, &Element)| {
            let value = |name| self.outline.value(*index, name);
            element.name == Tag::Input
                && value("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
                && value("name").is_some_and(|name| name == field.name)
        };
        let elements = self.outline.elements.iter().enumerate();
        let hidden = elements.filter(is_one);
        hidden.map(|(_, element)| element.span()).collect()
    }

    /// What is wanted, without the fieldsets that go with the field.
    fn without_emptied(&self, wanted: &FormSchema, field: &Field, gone: &Gone) -> FormSchema {
        let fields = self.read.schema.fields.iter().zip(&self.read.places);
        let goes = |(known, place): &(&Field, &Place)| {
            let is_emptied = known.kind == FieldType::Fieldset && known.name != field.name;
            let around = self.outline.at(place.offset as usize);
            let around = around.and_then(|around| self.outline.elements.get(around));
            is_emptied
                && around.is_some_and(|e| gone.holds(e.span().start) && gone.holds(e.content().end))
        };
        let mut wanted = wanted.clone();
        for (emptied, _) in fields.filter(goes) {
            if let Ok((without, _)) = delete_field(&wanted, &emptied.name, false) {
                wanted = without;
            }
        }
        wanted
    }

    /// The label or legend that a text is of, or else the pieces of the text.
    fn named_by(&self, range: &TextRange) -> Vec<Range<usize>> {
        let texts = self.texts_at(range, false);
        let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
            return texts;
        };
        // What a button says stands in it, whatever is around.
        let is_button = |holder| self.is(holder, Tag::Button);
        let is_said_within = self.outline.around(first).any(is_button);
        if is_said_within {
            return texts;
        }
        match self.label_around(&(first.start..last.end)) {
            Some(label) => vec![label],
            None => texts,
        }
    }

    /// Whether every element that does not go as a whole stays where it is in the tree, and no text
    /// begins a tag or reference with what comes behind it then.
    fn keeps_the_rest(&self, gone: &Gone) -> bool {
        let begins = |part: &Range<usize>| {
            let before = self.html.get(..part.start).unwrap_or_default();
            before.ends_with(['<', '&', '#']) || before.ends_with("</")
        };
        if gone.0.iter().any(begins) {
            return false;
        }
        let mut edits = Edits::default();
        for part in &gone.0 {
            edits.replace(part.clone(), String::new());
        }
        let left = edits.apply(self.html);
        let left = Outline::of(&left);
        // The element that stays around each, by its place among those that stay.
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut kept = left.elements.iter();
        let mut count = 0;
        for element in &self.outline.elements {
            let around = element.around();
            let around = around.and_then(|around| places.get(around).copied().flatten());
            if gone.holds(element.span().start) {
                places.push(around);
                continue;
            }
            let is_same = kept
                .next()
                .is_some_and(|kept| kept.name == element.name && kept.around() == around);
            if !is_same {
                return false;
            }
            places.push(Some(count));
            count += 1;
        }
        kept.next().is_none()
    }
}

/// Whether a field is none that asks for an answer or sends them.
const fn is_structure(kind: FieldType) -> bool {
    kind.holds_fields()
        || matches!(
            kind,
            FieldType::Heading | FieldType::Paragraph | FieldType::Divider
        )
}

/// Whether a control of that name is a field's, or one of its parts.
pub(super) fn is_named_so(name: &str, field: &Field) -> bool {
    let rest = name.strip_prefix(field.name.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}
