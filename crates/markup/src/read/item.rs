//! The records that reading keeps of a document's items, labels, steps and open elements.

use super::options::OptionsOwner;
pub(super) use crate::html::place as index;
use crate::html::text::TextRange;
use model::{Condition, FieldType};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// An input, textarea, select or calculated output; radios and checkboxes are one item each.
    Control(FieldType),
    Submit,
    /// A heading, by its level.
    Heading(u8),
    /// A `<p>` of text outside labels.
    Paragraph,
    Divider,
    Fieldset,
    /// An element marked as a container.
    Container,
    /// An element of the role `group` or `radiogroup`.
    RoleGroup,
    /// A fieldset that rendering made for one field of this type.
    Scope(FieldType),
    /// A discarded item.
    Nothing,
}

impl ItemKind {
    /// Whether people can see and use the item: a visible control or a submit button.
    pub(super) fn is_used(self) -> bool {
        match self {
            ItemKind::Control(kind) => kind.is_seen(),
            kind => kind == ItemKind::Submit,
        }
    }
}

/// An optional index into a list, in four bytes: the index plus one, or zero for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(super) const NONE: Link = Link(0);

    pub(crate) fn get(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// The element at this index of a list.
    pub(super) fn of<T>(self, list: &[T]) -> Option<&T> {
        list.get(self.get()?)
    }

    pub(super) fn of_mut<T>(self, list: &mut [T]) -> Option<&mut T> {
        list.get_mut(self.get()?)
    }
}

impl<P: Into<Option<usize>>> From<P> for Link {
    fn from(place: P) -> Link {
        Link(place.into().map_or(0, |place| index(place + 1)))
    }
}

/// One item. Items are small, because a document may have very many.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// The offset of the start tag.
    pub(super) offset: u32,
    /// The index of the attributes in [`super::items::Items::tags`].
    pub(super) tag: u32,
    /// The item's position among the texts.
    pub(super) mark: u32,
    /// Start of the text that may label the item: the start of its row, or of the outermost block without another
    /// field.
    pub(super) label_from: u32,
    /// End of the text of that block; zero without such a block.
    pub(super) label_to: u32,
    /// The text of a textarea, heading, button or paragraph, or the legend of a group.
    pub(super) text: TextRange,
    /// The label around the item, in [`super::items::Items::labels`].
    pub(super) label: Link,
    /// The fieldset, container, role group or scope around the item.
    pub(super) parent: Link,
    /// The innermost conditions on the item or around it, in [`super::items::Items::conditions`].
    pub(super) conditions: Link,
    /// The step around the item, in [`super::items::Items::steps`].
    pub(super) step: Link,
    /// The stated name of the item's group, in [`super::items::Items::groups`].
    pub(super) group: Link,
    /// Whether a fieldset around the item is disabled.
    pub(super) is_disabled: bool,
    pub(super) is_in_form: bool,
    /// Whether the item is in a label, possibly another control's.
    pub(super) is_in_label: bool,
    /// Whether this fieldset or role group contains only one set of choices, so that it is not a separate field.
    pub(super) holds_one_set: bool,
    /// Whether the item, or an element around it, is hidden from people.
    pub(super) is_hidden: bool,
    /// Whether a class on the item or around it names a spam trap.
    pub(super) is_called_trap: bool,
}

impl Item {
    /// Whether the item is a radio or checkbox.
    pub(super) const fn is_choice(&self) -> bool {
        matches!(self.kind, ItemKind::Control(kind) if kind.ticks_options())
    }
}

/// The longest id that can be referred to, in bytes.
pub(super) const MAX_ID_BYTES: usize = 1_000;

/// A label element. Labels are small, because a document may have very many.
#[derive(Clone, Debug, Default)]
pub(super) struct Label<'a> {
    /// The attribute `for`, as written.
    pub(super) target: Option<&'a str>,
    pub(super) text: TextRange,
    /// The label around this one.
    pub(super) outer: Link,
    /// Whether the label contains a control.
    pub(super) has_control: bool,
    /// Whether a button precedes that control; the label then labels the button in browsers.
    pub(super) has_button: bool,
    /// Whether the class marks the message of a fault.
    pub(super) is_error: bool,
    /// The offset of the start tag.
    pub(super) offset: u32,
}

/// An element that carries conditions.
#[derive(Debug)]
pub(crate) struct Conditional {
    pub(super) outer: Link,
    pub(crate) offset: u32,
    pub(crate) rules: Vec<Condition>,
    /// Whether all rules could be read.
    pub(super) is_whole: bool,
}

/// An element with `data-step`, a section that rendering made, or an inferred step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step<'a> {
    /// Start of the element, unless it is within another step.
    pub(crate) offset: Link,
    /// The value of `data-step`, as written; `None` for a section of a group.
    pub(super) id: Option<&'a str>,
    /// The number of an inferred step or of one without a name; see [`super::found_steps`].
    pub(super) number: Link,
    /// The value of `data-title`, as written.
    pub(super) named: Option<&'a str>,
    pub(crate) title: TextRange,
    /// Whether the title is plain text, not a heading or legend.
    pub(super) is_plain_text: bool,
    /// Whether rendering made the element, so that the step does not define a group.
    pub(super) is_rendered: bool,
    pub(super) items_before: usize,
}

/// The state that applies within the open elements. Each element copies the state, so its size is at most 64 bytes:
/// such a copy needs no function call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) label: Link,
    pub(super) parent: Link,
    pub(super) conditions: Link,
    pub(super) step: Link,
    pub(super) group: Link,
    pub(super) owner: Option<OptionsOwner>,
    /// The role of the next legend.
    pub(super) legend: Role,
    /// The start of the table row, or of the definition list, among the texts.
    pub(super) row: Link,
    /// The enclosing element that may be a step, in [`super::items::Items::step_candidates`].
    pub(super) step_candidate: Link,
    /// Whether a legend is open; a heading within belongs to it.
    pub(super) is_in_legend: bool,
    pub(super) is_grouped: bool,
    pub(super) is_in_form: bool,
    pub(super) is_disabled: bool,
    pub(super) outer_is_disabled: bool,
    pub(super) choice_is_disabled: bool,
    /// Whether the text of an open element is used.
    pub(super) captures: bool,
    /// Whether the text of an open element must not label others: it is hidden, or belongs to a control or a help text.
    pub(super) hides_text: bool,
    /// Whether an open element is hidden from people.
    pub(super) is_hidden: bool,
    /// Whether a class of an open element names a spam trap.
    pub(super) is_called_trap: bool,
    /// The number of open elements that mark a fault.
    pub(super) faults: u8,
    pub(super) block: u32,
    pub(super) items_before_block: u32,
}

const _: () = assert!(size_of::<Context>() <= 64);

/// The state of an open element.
pub(super) struct Node {
    /// The state around the element when it was opened.
    pub(super) around: Context,
    pub(super) role: Role,
    /// The index in [`super::items::Items::texts_of_ids`].
    pub(super) id: Link,
    pub(super) start: u32,
    pub(super) items_before: usize,
    pub(super) labels_before: usize,
    /// The index among the links of the texts.
    pub(super) link: Link,
    /// Whether the element is shown only for an answer to another field.
    pub(super) is_conditional: bool,
    /// The offset of the start tag, if the element is hidden from people.
    pub(super) hidden_at: Link,
    /// Whether only the style hides the element, which the form's page ignores.
    pub(super) is_hidden_by_style: bool,
}

/// An element that is hidden from people and contains controls.
pub(super) struct Hidden {
    pub(super) offset: u32,
    /// Whether only the style hides it.
    pub(super) is_by_style: bool,
    pub(super) text: TextRange,
    /// The items within, in [`super::items::Items::list`].
    pub(super) items: std::ops::Range<usize>,
}

/// The role of an open element in the form, used when it closes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Role {
    #[default]
    Plain,
    Label(Link),
    /// The element's text becomes the item's.
    TextOf(Link),
    Title(Link),
    Choice(Link),
    Help,
    /// An icon (`true`), or a text next to a control. Its text may be excluded from labels.
    Ornament(bool),
    /// An element whose class marks a fault (the message, or the field with the fault), by the offset of its start tag.
    Fault(u32),
}

/// Texts of elements, by the offsets of the elements in the document.
#[derive(Default)]
pub(super) struct ByOffset(Vec<(u32, TextRange)>);

impl ByOffset {
    pub(super) fn get(&self, offset: u32) -> Option<TextRange> {
        let found = self.0.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
        self.0.get(found).map(|(_, known)| known.clone())
    }

    /// Returns the text of an element; inserts `text` if it has none.
    pub(super) fn get_or_insert(&mut self, offset: u32, text: TextRange) -> Option<&mut TextRange> {
        let found = self.0.binary_search_by_key(&offset, |(at, _)| *at);
        let place = found.unwrap_or_else(|place| {
            self.0.insert(place, (offset, text));
            place
        });
        self.0.get_mut(place).map(|(_, known)| known)
    }
}
