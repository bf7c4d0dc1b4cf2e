//! Groups radios and checkboxes of one name into sets, and finds the fieldset or role group that
//! belongs to one set alone.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::follow_ups::{FollowUp, MAX_FOLLOW_UPS};
use super::items::{Item, ItemKind, Items, Link};
use super::questions::is_seen;
use super::tables::Column;
use crate::html::entities::decode_attribute;
use model::FieldType;

/// How many items, and how much text, lie between a legend and its choices at most.
const MOST_BEFORE_CHOICES: usize = 300;

/// The sets of a document, known before its fields are built.
pub(super) struct Sets<'a> {
    /// The names of checkboxes; those of radios only where it matters what is known about them.
    names: BTreeMap<Cow<'a, str>, Name>,
    /// For each item, whether it holds one set and nothing else, so that it is the set's own. Empty
    /// where nothing could.
    owns_set: Vec<bool>,
}

/// What is known about the radios and checkboxes of a name.
#[derive(Default)]
struct Name {
    /// Whether there was one.
    is_known: bool,
    /// How many are checkboxes.
    checkboxes: u32,
    /// Whether one can be chosen at least.
    is_enabled: bool,
    /// The column of a table that they are.
    column: Option<Box<Column>>,
}

/// The content of a fieldset or role group.
#[derive(Clone)]
enum GroupContent<'a> {
    Nothing,
    /// As many controls that a set before them may ask for further, as the first of them says.
    FollowUps(FollowUp<'a>, u8),
    /// A set, with as many of those.
    Set(FieldType, Cow<'a, str>, u8),
    More,
}

impl<'a> GroupContent<'a> {
    /// With what comes before it.
    fn behind(self, before: GroupContent<'a>) -> GroupContent<'a> {
        match (before, self) {
            (before, GroupContent::Nothing) => before,
            (
                GroupContent::FollowUps(FollowUp::ShownFor(field), _),
                GroupContent::FollowUps(known, count),
            ) if count < MAX_FOLLOW_UPS
                && matches!(&known, FollowUp::ShownFor(known) if *known == field) =>
            {
                GroupContent::FollowUps(known, count + 1)
            }
            (
                GroupContent::FollowUps(FollowUp::Conditional, _),
                GroupContent::FollowUps(FollowUp::Conditional, count),
            ) if count < MAX_FOLLOW_UPS => {
                GroupContent::FollowUps(FollowUp::Conditional, count + 1)
            }
            (GroupContent::Set(kind, name, _), GroupContent::FollowUps(asked, count))
                if asked.is_of(&name) =>
            {
                GroupContent::Set(kind, name, count)
            }
            (GroupContent::FollowUps(asked, _), GroupContent::Set(kind, name, count))
                if count < MAX_FOLLOW_UPS
                    && !matches!(asked, FollowUp::Named(_))
                    && asked.is_of(&name) =>
            {
                GroupContent::Set(kind, name, count + 1)
            }
            (GroupContent::Set(kind, name, more), GroupContent::Set(known, known_name, count))
                if kind == known && name == known_name =>
            {
                GroupContent::Set(kind, name, count.saturating_add(more))
            }
            _ => GroupContent::More,
        }
    }
}

impl<'a> Sets<'a> {
    pub(super) fn of(items: &mut Items<'a>) -> Sets<'a> {
        let mut names = BTreeMap::new();
        let has_columns = items.has_columns();
        // Then nothing is asked about the names of radios, whose tags would be read again for them.
        let is_simple = !has_columns && !items.has_disabled_choice;
        for item in &items.list {
            let ItemKind::Control(kind @ (FieldType::Radio | FieldType::Checkbox)) = item.what
            else {
                continue;
            };
            if is_simple && kind == FieldType::Radio {
                continue;
            }
            let name: &mut Name = names.entry(written_name(items, item)).or_default();
            name.is_enabled |= items.attribute(item, "disabled").is_none();
            name.checkboxes += u32::from(kind == FieldType::Checkbox);
            if has_columns {
                name.column = match name.column.take() {
                    Some(column) => items.column_with(column, item.offset),
                    None if name.is_known => None,
                    None => items.begin_column(item.offset),
                };
            }
            name.is_known = true;
        }
        let mut sets = Sets {
            names,
            owns_set: Vec::new(),
        };
        items.part_from_choices(|name| sets.is_choice(name));
        let may_own = |item: &Item| matches!(item.what, ItemKind::Fieldset | ItemKind::RoleGroup);
        if items.list.iter().any(may_own) {
            sets.find_owners(items);
        }
        sets
    }

    /// Whether a checkbox is one of several choices.
    pub(super) fn is_choice(&self, written_name: &str) -> bool {
        let name = self.names.get(written_name);
        written_name.ends_with("[]") || name.is_some_and(|name| name.checkboxes > 1)
    }

    /// Whether one of the choices of a name can be chosen.
    pub(super) fn is_enabled(&self, written_name: &str) -> bool {
        let name = self.names.get(written_name);
        name.is_some_and(|name| name.is_enabled)
    }

    /// Whether the choices of a name are a column of a table, each in a row of its own: the head of the
    /// column asks for them, and each is called as its row is.
    pub(super) fn is_column(&self, written_name: &str) -> bool {
        let column = self
            .names
            .get(written_name)
            .and_then(|name| name.column.as_ref());
        column.is_some_and(|column| column.has_rows())
    }

    /// Whether the item (a fieldset or role group) belongs to one set of choices.
    pub(super) fn owns_set(&self, item: u32) -> bool {
        self.owns_set.get(item as usize).copied().unwrap_or(false)
    }

    fn find_owners(&mut self, items: &Items<'a>) {
        self.owns_set = vec![false; items.list.len()];
        let mut holds = vec![GroupContent::Nothing; items.list.len()];
        // Text in a role group belongs to it; a fieldset that holds text is a field of its own.
        let mut has_text = vec![false; items.list.len()];
        // What an item holds comes after it, so backwards each is known when it is reached.
        for (index, item) in items.list.iter().enumerate().rev() {
            let parent = item.parent.get().map(|parent| parent as usize);
            let is_control = matches!(item.what, ItemKind::Control(_));
            let around = parent.and_then(|parent| holds.get(parent));
            if is_control && around.is_none_or(|held| matches!(held, GroupContent::More)) {
                continue;
            }
            let own = holds.get(index).cloned().unwrap_or(GroupContent::Nothing);
            let gives = match item.what {
                ItemKind::Control(FieldType::Hidden) | ItemKind::Nothing => continue,
                ItemKind::Control(kind @ (FieldType::Radio | FieldType::Checkbox)) => {
                    let name = written_name(items, item);
                    if kind == FieldType::Radio || self.is_choice(&name) {
                        GroupContent::Set(kind, name, 0)
                    } else {
                        GroupContent::More
                    }
                }
                ItemKind::Fieldset | ItemKind::RoleGroup => {
                    let is_named = items.attribute(item, "data-cf-type").is_some();
                    let owns = match own {
                        GroupContent::Set(_, _, 0) => !is_named,
                        GroupContent::Set(..) => !is_named && is_asked_by_legend(items, index),
                        _ => false,
                    };
                    if let Some(flag) = self.owns_set.get_mut(index) {
                        *flag = owns;
                    }
                    let is_bare = !has_text.get(index).copied().unwrap_or(false);
                    match (item.what, owns) {
                        (ItemKind::RoleGroup, _) | (_, true) if is_bare => own,
                        _ => GroupContent::More,
                    }
                }
                ItemKind::Heading(_) | ItemKind::Paragraph
                    if item.parent.get().is_some_and(|parent| {
                        let parent = items.list.get(parent as usize);
                        parent.is_some_and(|parent| parent.what == ItemKind::RoleGroup)
                    }) =>
                {
                    let around = item.parent.get().and_then(|p| has_text.get_mut(p as usize));
                    if let Some(flag) = around {
                        *flag = true;
                    }
                    continue;
                }
                ItemKind::Control(_) => follow_up_of(items, item).unwrap_or(GroupContent::More),
                _ => GroupContent::More,
            };
            if let Some(held) = parent.and_then(|parent| holds.get_mut(parent)) {
                *held = std::mem::replace(held, GroupContent::More).behind(gives);
            }
        }
        // Of nested owners of one set the outermost is its owner.
        for (index, item) in items.list.iter().enumerate() {
            let is_within = item
                .parent
                .get()
                .is_some_and(|parent| self.owns_set(parent));
            if is_within
                && item.what == ItemKind::Fieldset
                && let Some(flag) = self.owns_set.get_mut(index)
            {
                *flag = true;
            }
        }
    }
}

/// What a control is that the set in its fieldset or role group may ask for further.
fn follow_up_of<'a>(items: &Items<'a>, item: &Item) -> Option<GroupContent<'a>> {
    let parent = items.list.get(item.parent.get()? as usize)?;
    let around = match parent.what {
        ItemKind::Fieldset => Link::NONE,
        ItemKind::RoleGroup => parent.conditions,
        _ => return None,
    };
    Some(GroupContent::FollowUps(items.follow_up(item, around)?, 1))
}

/// Whether the legend of a fieldset, or what names a role group, is all that asks for the choices in it.
/// What else holds for a fieldset would hold no more for the controls behind its choices.
fn is_asked_by_legend(items: &Items<'_>, index: usize) -> bool {
    let mut rest = items.list.iter().skip(index).take(MOST_BEFORE_CHOICES);
    let Some(around) = rest.next() else {
        return false;
    };
    if around.what == ItemKind::RoleGroup {
        return true;
    }
    let Some(first) = rest.find(|item| is_seen(item)) else {
        return false;
    };
    let label = first.label.get();
    let label = label.and_then(|label| items.labels.get(label as usize));
    let helps = items.help_of(around).end.max(items.help_of(first).end);
    let start = around.text.end.max(helps);
    let before = start..label.map_or(first.mark.saturating_sub(1), |label| label.text.start);
    around.conditions == Link::NONE
        && items.texts.is_at_most(before.clone(), MOST_BEFORE_CHOICES)
        && items.texts.is_blank(before)
}

/// The `name` of a control as the browser sends it.
pub(super) fn written_name<'a>(items: &Items<'a>, item: &Item) -> Cow<'a, str> {
    items
        .attribute(item, "name")
        .map(|name| decode_attribute(name.raw_value))
        .unwrap_or_default()
}
