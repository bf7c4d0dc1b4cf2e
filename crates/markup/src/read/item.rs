//! The records that reading keeps of a document's items, labels, steps and open elements.

use super::options::OptionsOwner;
pub(super) use crate::html::place as index;
use crate::html::text::TextRange;
use model::{Condition, FieldType};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// An input, textarea or select; radios and checkboxes are one item each.
    Control(FieldType),
    Submit,
    /// A heading, by its level.
    Heading(u8),
    /// Text on its own.
    Paragraph,
    Divider,
    Fieldset,
    /// An element marked as a container.
    Container,
    /// An element of the role `group` or `radiogroup`.
    RoleGroup,
    /// A fieldset that rendering made for one field of this type.
    Scope(FieldType),
    /// No item after all.
    Nothing,
}

impl ItemKind {
    /// Whether people see it and fill it in or press it: a control, or a button that sends the form.
    pub(super) fn is_used(self) -> bool {
        match self {
            ItemKind::Control(kind) => kind != FieldType::Hidden,
            kind => kind == ItemKind::Submit,
        }
    }
}

/// A place in a list that may be missing, in four bytes: one more than the place, or zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(super) const NONE: Link = Link(0);

    pub(crate) fn get(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// What stands at that place of a list.
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

/// One item. A document may be little else than items, so they are kept small.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// Where its start tag begins.
    pub(super) offset: u32,
    /// Its attributes, in [`super::items::Items::tags`].
    pub(super) tag: u32,
    /// Where it stands in the text.
    pub(super) mark: u32,
    /// Where the text begins that may label it: of the outermost block that holds its field alone, or of
    /// its row.
    pub(super) label_from: u32,
    /// Where the text of that block ends; zero where there is none.
    pub(super) label_to: u32,
    /// Its own text: of a textarea, heading, button or paragraph, or a legend.
    pub(super) text: TextRange,
    /// The label around it, in [`Items::labels`].
    pub(super) label: Link,
    /// The fieldset, container, role group or scope around it.
    pub(super) parent: Link,
    /// The innermost conditions around it or on it, in [`Items::conditions`].
    pub(super) conditions: Link,
    /// The step around it, in [`Items::steps`].
    pub(super) step: Link,
    /// What names its group, in [`Items::groups`].
    pub(super) group: Link,
    /// Whether a fieldset around it is disabled.
    pub(super) is_disabled: bool,
    pub(super) is_in_form: bool,
    /// Whether it lies in a label, be it another control's.
    pub(super) is_in_label: bool,
    /// Whether this fieldset or role group holds one set of choices, so that it is no field of its own.
    pub(super) owns_set: bool,
    /// Whether it, or an element around it, is hidden from people.
    pub(super) is_hidden: bool,
    /// Whether a class there names a spam trap.
    pub(super) is_called_trap: bool,
}

impl Item {
    /// Whether it is a radio or checkbox.
    pub(super) const fn is_choice(&self) -> bool {
        matches!(
            self.kind,
            ItemKind::Control(FieldType::Radio | FieldType::Checkbox)
        )
    }
}

/// The longest id, in bytes, that something can be named by.
pub(super) const MAX_ID_BYTES: usize = 1_000;

/// A label element. A document may be little else than labels too.
#[derive(Clone, Debug, Default)]
pub(super) struct Label<'a> {
    /// Its attribute `for`, as written.
    pub(super) target: Option<&'a str>,
    pub(super) text: TextRange,
    /// The label around it.
    pub(super) outer: Link,
    /// Whether it labels a control within it.
    pub(super) has_control: bool,
    /// Whether a button comes before that, which it labels in browsers.
    pub(super) has_button: bool,
    /// Whether its class marks the message of a fault.
    pub(super) is_error: bool,
    /// Where its start tag begins.
    pub(super) offset: u32,
}

/// An element that carries conditions.
#[derive(Debug)]
pub(crate) struct Conditional {
    pub(super) outer: Link,
    pub(crate) offset: u32,
    pub(crate) rules: Vec<Condition>,
    /// Whether all of them could be read.
    pub(super) is_whole: bool,
}

/// An element with `data-step`, or a section that rendering made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step<'a> {
    /// Where the element begins, unless it lies within another step.
    pub(crate) offset: Link,
    /// The value of `data-step`, as written; none for a section of a group.
    pub(super) id: Option<&'a str>,
    /// Of a step that was found, or has no name of its own; see [`super::found_steps`].
    pub(super) number: Link,
    /// Its `data-title`, as written.
    pub(super) named: Option<&'a str>,
    pub(crate) title: TextRange,
    /// Whether its title is text on its own, and no heading or legend.
    pub(super) is_plain_text: bool,
    /// Whether rendering made it, so that the step says nothing about groups.
    pub(super) is_rendered: bool,
    pub(super) items_before: usize,
}

/// What holds for everything within the open elements. It is copied for each element: no more than 64
/// bytes, which take no call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) label: Link,
    pub(super) parent: Link,
    pub(super) conditions: Link,
    pub(super) step: Link,
    pub(super) group: Link,
    pub(super) owner: Option<OptionsOwner>,
    /// The role of a legend within.
    pub(super) legend: Role,
    /// Where the row of a table around begins in the text, or the list of terms.
    pub(super) row: Link,
    /// The element around that may be a step, in [`Items::step_candidates`].
    pub(super) step_candidate: Link,
    /// Within a legend, which a heading within belongs to.
    pub(super) is_in_legend: bool,
    pub(super) is_grouped: bool,
    pub(super) is_in_form: bool,
    pub(super) is_disabled: bool,
    pub(super) outer_is_disabled: bool,
    pub(super) choice_is_disabled: bool,
    /// Within an element whose text counts.
    pub(super) captures: bool,
    /// Within an element whose text is for nobody.
    pub(super) hides_text: bool,
    /// Within an element that is hidden from people, or called a spam trap.
    pub(super) is_hidden: bool,
    pub(super) is_called_trap: bool,
    /// How many elements around mark a fault.
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
    /// Its place in [`Items::texts_of_ids`].
    pub(super) id: Link,
    pub(super) start: u32,
    pub(super) items_before: usize,
    pub(super) labels_before: usize,
    /// The link's place among the links of the texts.
    pub(super) link: Link,
    /// Whether it is shown for an answer to another field.
    pub(super) is_conditional: bool,
    /// Where the start tag begins of an element that is hidden from people.
    pub(super) hidden_at: Link,
    /// Whether only its style hides it, which the form's page ignores.
    pub(super) is_hidden_by_style: bool,
}

/// An element that is hidden from people and holds controls.
pub(super) struct Hidden {
    pub(super) offset: u32,
    /// Whether only its style hides it.
    pub(super) is_by_style: bool,
    pub(super) text: TextRange,
    /// Its items, in [`super::items::Items::list`].
    pub(super) items: std::ops::Range<usize>,
}

/// The part of an open element in the form, by which it is closed.
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
    /// An icon, or what stands before or behind a control: its text may say nothing.
    Ornament(bool),
    /// The message of a fault, or the field that has one; with where its start tag begins.
    Fault(u32),
}

/// Texts of elements, by where those begin in the document.
#[derive(Default)]
pub(super) struct ByOffset(Vec<(u32, TextRange)>);

impl ByOffset {
    pub(super) fn get(&self, offset: u32) -> Option<TextRange> {
        let found = self.0.binary_search_by_key(&offset, |(at, _)| *at).ok()?;
        self.0.get(found).map(|(_, known)| known.clone())
    }

    /// Returns the text of an element, or inserts `own` for it.
    pub(super) fn get_or_insert(&mut self, offset: u32, own: TextRange) -> Option<&mut TextRange> {
        let found = self.0.binary_search_by_key(&offset, |(at, _)| *at);
        let place = found.unwrap_or_else(|place| {
            self.0.insert(place, (offset, own));
            place
        });
        self.0.get_mut(place).map(|(_, known)| known)
    }
}
