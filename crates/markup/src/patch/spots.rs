//! Where a new field may be put: by its position, in its group, else last of those that ask for an answer.

use super::Patch;
use crate::html::text::collapse;
use model::{Field, FieldType};

/// Where a field may be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Before the field of that position.
    Before(usize),
    /// Behind it.
    Behind(usize),
    /// Behind its row, item or column, among those of other fields.
    InRows(usize),
    /// At the end of an element.
    Within(usize),
    /// At the end of the form, or of the markup.
    End,
}

impl Patch<'_> {
    /// The position that a field gets which asks for the one behind all: where nothing that asks for an
    /// answer is behind the first button that sends, the place before that. A button, a heading, a text
    /// and a divider may stand behind.
    pub(super) fn before_buttons(&self, field: &Field, position: usize) -> usize {
        let count = self.read.schema.fields.len();
        let goes_before = field.kind.captures_value() || field.kind.holds_fields();
        if position < count || !goes_before {
            return position;
        }
        let behind = (0..count).rfind(|index| self.asks(*index));
        let mut behind = behind.map_or(0, |last| last + 1)..count;
        behind.find(|index| self.sends(*index)).unwrap_or(position)
    }

    /// Where the field may be put, best first, and whether it says its group itself there.
    pub(super) fn spots(&mut self, field: &Field, position: Option<usize>) -> Vec<(Spot, bool)> {
        let count = self.read.schema.fields.len();
        let has_group = field.group.is_some();
        let mut spots = Vec::new();
        if let Some(position) = position {
            let last = position.checked_sub(1).filter(|_| self.sends(position));
            let last = last.filter(|last| is_seen(field) && self.asks(*last));
            let rows = last.filter(|last| self.ends_rows(*last, Some(position)));
            let rows = rows.map(Spot::InRows).into_iter();
            let before = (position < count).then_some(Spot::Before(position));
            let behind = position.min(count).checked_sub(1).map(Spot::Behind);
            let end = (position >= count).then_some(Spot::End);
            let found: Vec<Spot> = rows.chain(before).chain(behind).chain(end).collect();
            spots.extend(found.iter().map(|spot| (*spot, false)));
            spots.extend(found.iter().filter(|_| has_group).map(|spot| (*spot, true)));
            return spots;
        }
        if let Some(group) = &field.group {
            let members = self.members(group);
            let last = self.last_of(field, &members).into_iter();
            spots.extend(last.map(|spot| (spot, false)));
            if spots.is_empty() {
                let holder = self.holder(group).map(Spot::Within);
                spots.extend(holder.map(|spot| (spot, false)));
            }
        }
        let all: Vec<usize> = (0..count).collect();
        let last = self.last_of(field, &all).into_iter();
        spots.extend(last.map(|spot| (spot, has_group)));
        // Never behind the button that sends.
        let sends = all.iter().any(|index| self.sends(*index));
        if !sends || field.kind == FieldType::Submit {
            spots.push((Spot::End, has_group));
        }
        spots
    }

    /// The fields of a group, and those of a step of that id.
    fn members(&self, group: &str) -> Vec<usize> {
        let schema = &self.read.schema;
        let steps = schema.layout.steps.as_deref().unwrap_or_default();
        let step = steps.iter().find(|step| step.id == group);
        let is_member = |field: &Field| {
            field.group.as_deref() == Some(group)
                || step.is_some_and(|step| step.fields.contains(&field.name))
        };
        let members = schema.fields.iter().enumerate();
        members
            .filter(|(_, field)| is_member(field))
            .map(|(index, _)| index)
            .collect()
    }

    /// The places at the end of some fields: before what follows the last that asks for an answer,
    /// where that is one of them, else behind it.
    fn last_of(&mut self, field: &Field, members: &[usize]) -> Vec<Spot> {
        let adds_button = field.kind == FieldType::Submit;
        let last = members
            .iter()
            .rfind(|index| adds_button || self.asks(**index));
        let last = last.copied();
        let follows = match last {
            Some(last) => Some(self.end_of(last)),
            None => members.iter().find(|index| self.sends(**index)).copied(),
        };
        let next = follows.filter(|next| *next < self.read.schema.fields.len());
        let before = follows.filter(|next| members.contains(next));
        let behind = match before {
            None => last.or(members.last().copied()),
            Some(_) => last,
        };
        let rows = last.filter(|last| is_seen(field) && self.ends_rows(*last, next));
        let rows = rows.map(Spot::InRows).into_iter();
        let before = before.map(Spot::Before);
        rows.chain(before).chain(behind.map(Spot::Behind)).collect()
    }

    fn sends(&self, index: usize) -> bool {
        let field = self.read.schema.fields.get(index);
        field.is_some_and(|field| field.kind == FieldType::Submit)
    }

    /// Whether a field asks visitors for an answer, or holds such fields.
    fn asks(&self, index: usize) -> bool {
        let field = self.read.schema.fields.get(index);
        field.is_some_and(|field| is_seen(field) || field.kind.holds_fields())
    }

    /// The position behind a field, and behind those that it holds.
    fn end_of(&self, index: usize) -> usize {
        let element = self.read.places.get(index).and_then(|place| {
            let element = self.outline.at(place.offset as usize)?;
            self.outline.elements.get(element)
        });
        let holds = |offset: u32| element.is_some_and(|e| e.span().contains(&(offset as usize)));
        let places = self.read.places.iter().skip(index + 1);
        index + 1 + places.take_while(|place| holds(place.offset)).count()
    }

    /// The element of a step or of a field that holds others.
    fn holder(&self, group: &str) -> Option<usize> {
        let schema = &self.read.schema;
        let holds = |field: &&Field| field.name == group && field.kind.holds_fields();
        let fields = schema.fields.iter().zip(&self.read.places);
        let mut holders = fields.filter(|(field, _)| holds(field));
        if let Some((_, place)) = holders.next() {
            return self.outline.at(place.offset as usize);
        }
        let says_step = |element: &usize| {
            let id = self.outline.value(*element, "data-step");
            id.is_some_and(|id| collapse(&id) == group)
        };
        (0..self.outline.elements.len()).find(says_step)
    }
}

/// Whether a field asks for an answer that visitors give.
fn is_seen(field: &Field) -> bool {
    field.kind.captures_value() && field.kind != FieldType::Hidden
}
