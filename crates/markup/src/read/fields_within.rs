//! Which fields an element holds: found out while elements close, so that a legend names its set of
//! choices, and text in a block the one field in that block.

use super::item::{Item, ItemKind, Link, Node};
use super::items::Items;
use crate::html::tag::Tag;
use model::FieldType;

/// The controls within an open element that can be seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum FieldsWithin {
    #[default]
    None,
    /// Those of one field: its first control, in [`Items::list`], how many it has, and whether other
    /// controls ask further for an answer to it.
    One {
        first: u32,
        controls: u32,
        has_follow_ups: bool,
    },
    Several,
}

impl FieldsWithin {
    /// What a fieldset or container holds, for the elements around it: no field of theirs alone.
    pub(super) const fn apart(self) -> FieldsWithin {
        match self {
            FieldsWithin::None => FieldsWithin::None,
            _ => FieldsWithin::Several,
        }
    }
}

impl Items<'_> {
    /// Notes a control, or a button that sends the form, in the element around it.
    pub(super) fn note_field(&mut self, item: u32) {
        let kind = self.list.get(item as usize).map(|item| item.what);
        let own = match kind {
            Some(ItemKind::Control(FieldType::Hidden)) | None => return,
            Some(ItemKind::Control(_)) => FieldsWithin::One {
                first: item,
                controls: 1,
                has_follow_ups: false,
            },
            Some(_) => FieldsWithin::Several,
        };
        self.add_fields_within(own, false);
    }

    /// Adds what an element holds to what the one around it does.
    fn add_fields_within(&mut self, more: FieldsWithin, is_conditional: bool) {
        let Some(around) = self.fields_within.last().copied() else {
            return;
        };
        let joined = match (around, more) {
            (around, FieldsWithin::None) => around,
            (FieldsWithin::None, more) => more,
            (
                FieldsWithin::One {
                    first,
                    controls,
                    has_follow_ups,
                },
                FieldsWithin::One {
                    first: next,
                    controls: more,
                    has_follow_ups: has_more,
                },
            ) if self.is_same_set(first, next) => FieldsWithin::One {
                first,
                controls: controls + more,
                has_follow_ups: has_follow_ups || has_more,
            },
            (
                FieldsWithin::One {
                    first, controls, ..
                },
                more,
            ) if self.is_follow_up(first, more, is_conditional) => FieldsWithin::One {
                first,
                controls,
                has_follow_ups: true,
            },
            _ => FieldsWithin::Several,
        };
        if let Some(around) = self.fields_within.last_mut() {
            *around = joined;
        }
    }

    fn is_same_set(&self, first: u32, next: u32) -> bool {
        let pair = (self.list.get(first as usize), self.list.get(next as usize));
        matches!(pair, (Some(first), Some(next)) if is_choice(first)
            && first.what == next.what
            && self.raw_name(first) == self.raw_name(next))
    }

    /// Whether controls ask further for an answer to the set of choices before them: they are shown for
    /// one of those, or one stands in the label of a choice, or is a text of the set's name and more.
    fn is_follow_up(&self, first: u32, more: FieldsWithin, is_conditional: bool) -> bool {
        let Some(first) = self.list.get(first as usize).filter(|item| is_choice(item)) else {
            return false;
        };
        let next = match more {
            FieldsWithin::One { first, .. } => self.list.get(first as usize),
            _ => None,
        };
        let is_text_for_it = |next: &Item| {
            let set = self.raw_name(first).trim_end_matches("[]");
            let rest = self.raw_name(next).strip_prefix(set);
            next.what == ItemKind::Control(FieldType::Text)
                && rest.is_some_and(|rest| rest.starts_with(['_', '-', '[', '.']))
        };
        let is_in_other_label = |next: &Item| next.is_in_label && next.label == Link::NONE;
        is_conditional || next.is_some_and(|next| is_in_other_label(next) || is_text_for_it(next))
    }

    fn raw_name(&self, item: &Item) -> &str {
        self.attribute(item, "name")
            .map_or("", |name| name.raw_value)
    }

    /// Ends an element, which may be a group: a fieldset or role group that holds one set of choices is the
    /// set's own. Text in an element that holds one field alone may label that.
    pub(super) fn close_fields_within(&mut self, tag: Tag, node: &Node<'_>, group: Link) {
        let mut within = self.fields_within.pop().unwrap_or_default();
        let owns_set = group
            .get()
            .is_some_and(|group| self.is_one_set(group, within));
        let group = group
            .get()
            .and_then(|group| self.list.get_mut(group as usize));
        if let Some(group) = group {
            group.owns_set = owns_set;
            if !owns_set && group.what != ItemKind::RoleGroup {
                within = within.apart();
            }
        }
        if let FieldsWithin::One { first, .. } = within
            && may_label(tag)
            && let Some(control) = self.list.get_mut(first as usize)
        {
            control.label_from = control.label_from.min(node.start);
        }
        self.add_fields_within(within, node.is_conditional);
    }

    /// Whether a fieldset or role group belongs to the set of choices in it. Conditions of a fieldset
    /// would hold no more for what else is in it.
    fn is_one_set(&self, group: u32, within: FieldsWithin) -> bool {
        let FieldsWithin::One {
            first,
            controls,
            has_follow_ups,
        } = within
        else {
            return false;
        };
        let pair = (self.list.get(group as usize), self.list.get(first as usize));
        let (Some(group), Some(first)) = pair else {
            return false;
        };
        is_choice(first)
            && (controls > 1
                || first.what == ItemKind::Control(FieldType::Radio)
                || self.raw_name(first).ends_with("[]"))
            && (!has_follow_ups
                || group.what == ItemKind::RoleGroup
                || group.conditions == Link::NONE)
            && self.attribute(group, "data-cf-type").is_none()
    }
}

/// Whether an item is a radio or checkbox.
pub(super) const fn is_choice(item: &Item) -> bool {
    matches!(
        item.what,
        ItemKind::Control(FieldType::Radio | FieldType::Checkbox)
    )
}

/// Whether text in an element may label the one field in it: not the title of a form or of a page's part,
/// nor the head of a table's column.
const fn may_label(tag: Tag) -> bool {
    !matches!(
        tag,
        Tag::Form | Tag::Section | Tag::Main | Tag::Header | Tag::Table | Tag::Tbody | Tag::Thead
    )
}
