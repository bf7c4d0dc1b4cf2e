//! Fields of one control.

use super::MAX_MARKUP_BYTES;
use super::attributes::{Exact, cut};
use super::choices::{self, Owner};
use super::fields::{Builder, keep};
use super::items::Item;
use super::labels::{self, LabelText, settle};
use super::names::{is_name, part_of};
use super::questions::is_question;
use super::sets::written_name;
use crate::html::nearby::MAX_PIECES_ABOVE;
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::{self, COLONS, without_marker};
use crate::warnings::WarningCode;
use model::check::MAX_TEXT_CHARS;
use model::{Field, FieldOption, FieldType};

/// The most bytes of options that the inputs of a document take from its datalists; enough for
/// as many as a document can hold.
const MAX_SUGGESTED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

impl Builder<'_> {
    pub(super) fn add_control(&mut self, item: &Item, kind: FieldType, index: u32) {
        if let Some(scope) = self.scope_of(item) {
            return self.read_part(scope, item);
        }
        let rendered = self.items.attribute(item, "data-cf-name");
        let name = match rendered.filter(|_| kind == FieldType::Consent) {
            Some(name) => Some((name.value(), false)).filter(|(name, _)| is_name(name)),
            None => self.control_name(item),
        };
        let Some((name, is_list)) = name else { return };
        if let Some(known) = self.field_named(&name) {
            return self.merge(known, item, kind, is_list);
        }
        let (mut field, mut exact) = self.common(name.to_string(), kind, item);
        if is_list && kind != FieldType::Select {
            field.attributes.entry("multiple".to_owned()).or_default();
        }
        if kind == FieldType::Text {
            self.keep_text_kind(&mut field, item);
        }
        field.default_value = match kind {
            FieldType::Textarea => cut(self.items.texts.verbatim(item.text.clone())),
            FieldType::Select => {
                let owner = Owner::Select(index);
                let chosen = choices::read(&mut field, owner, &self.owners, &mut self.items);
                if field.placeholder.is_empty() {
                    field.placeholder = chosen.placeholder.unwrap_or_default();
                }
                let shown = chosen.values.join("\n");
                exact.default_value.clone().unwrap_or(shown)
            }
            FieldType::Consent if exact.is_checked => {
                let value = exact.value.clone().unwrap_or_else(|| "on".to_owned());
                exact.default_value.clone().unwrap_or(value)
            }
            FieldType::Consent => String::new(),
            FieldType::File => exact.default_value.clone().unwrap_or_default(),
            _ => cut(exact.value.take().unwrap_or_default()),
        };
        if let Some(list) = self.items.attribute(item, "list")
            && let Some(datalist) = self.items.datalists.get(list.raw_value)
            && markers::suggests_options(kind)
        {
            self.suggest(&mut field, Owner::Datalist(*datalist), item);
        }
        if kind == FieldType::Consent {
            keep(&mut field, "value", exact.value.clone());
        }
        let help = exact.help.clone();
        let label = match kind {
            FieldType::Hidden => {
                keep(&mut field, "aria-label", exact.aria_label);
                field.label = exact.label.unwrap_or_default();
                0..0
            }
            _ => self.take_label(item, &mut field, exact),
        };
        self.push(Some(name), field, item, label, help);
    }

    /// Copies the options of a datalist, which any number of inputs may name.
    fn suggest(&mut self, field: &mut Field, datalist: Owner, item: &Item) {
        self.suggested += self.owners.count(datalist) * size_of::<FieldOption>();
        if self.suggested > MAX_SUGGESTED_BYTES {
            let message = "The options are left out: inputs name the same ones too often.";
            return self.warn(WarningCode::TextCut, item, message);
        }
        choices::read(field, datalist, &self.owners, &mut self.items);
        let texts = field.options.iter();
        self.suggested += texts
            .map(|option| option.value.len() + option.label.len())
            .sum::<usize>();
    }

    /// A control of a rendered name or address: the field says all that it says, but for a label
    /// that somebody changed.
    fn read_part(&mut self, scope: usize, item: &Item) {
        let written = written_name(&self.items, item);
        let label = self.labels.shown(&self.items, item).text;
        let Some(field) = self.fields.get_mut(scope) else {
            return;
        };
        let part = part_of(&written, &field.name).unwrap_or_default();
        let (default, _) = markers::part_texts(part);
        if default.is_empty() || is_unseen(&label) {
            let message = format!("The control `{written}` or its label `{label}` is left out.");
            return self.warn(WarningCode::ContentDropped, item, message);
        }
        if collapse(field.part_label(part).unwrap_or(default)) == label {
            return;
        }
        let label = cut(label);
        match field.options.iter_mut().find(|option| option.value == part) {
            Some(option) => option.label = label,
            None => field.options.push(FieldOption {
                value: part.to_owned(),
                label,
                ..FieldOption::default()
            }),
        }
    }

    /// Types of text that the specification does not know keep what browsers do with them.
    fn keep_text_kind(&self, field: &mut Field, item: &Item) {
        let kind = self.items.attribute(item, "type");
        let known = ["search", "month", "week"].into_iter();
        let kind = kind.and_then(|kind| {
            known
                .clone()
                .find(|k| kind.raw_value.eq_ignore_ascii_case(k))
        });
        if let Some(kind) = kind {
            field.attributes.insert("type".to_owned(), kind.to_owned());
        }
    }

    /// A further control of a name. A list takes its default value too.
    pub(super) fn merge(&mut self, known: usize, item: &Item, kind: FieldType, is_list: bool) {
        let Some(field) = self.fields.get_mut(known) else {
            return;
        };
        if is_list && field.kind == kind && kind != FieldType::Select {
            if let Some(value) = self.items.attribute(item, "value")
                && !value.raw_value.is_empty()
            {
                let value = value.value();
                self.join_default(known, &value);
            }
            return;
        }
        let message = format!(
            "There is a field `{}` already; this control is left out.",
            field.name
        );
        self.warn(WarningCode::DuplicateName, item, message);
    }

    /// Adds a value to a list's default value, as far as that has room.
    fn join_default(&mut self, known: usize, value: &str) {
        let Some(field) = self.fields.get_mut(known) else {
            return;
        };
        if self.full_defaults.contains(&known) {
            return;
        }
        let joined = &mut field.default_value;
        if joined.is_empty() {
            joined.push_str(value.trim_start_matches('\n'))
        } else {
            joined.extend(["\n", value])
        }
        if joined.len() > MAX_TEXT_CHARS && joined.chars().nth(MAX_TEXT_CHARS).is_some() {
            *joined = cut(std::mem::take(joined));
            self.full_defaults.insert(known);
        }
    }

    /// Gives a control that is a field of its own its label, and says where that stands.
    pub(super) fn take_label(&mut self, item: &Item, field: &mut Field, exact: Exact) -> TextRange {
        let LabelText {
            text: mut shown,
            place,
        } = self.labels.shown(&self.items, item);
        if field.required {
            shown = without_marker(&shown, true).to_owned();
        }
        let is_exact = exact.label.is_some();
        let substitute = || labels::substitute(&field.name);
        let label = settle(shown, exact.label, substitute, field.required);
        if is_exact || !label.is_empty() {
            keep(field, "aria-label", exact.aria_label);
            field.label = cut(label);
            return place;
        }
        let aria_label = exact.aria_label.map(|label| collapse(&label));
        let placeholder = || LabelText::unplaced(Some(collapse(&field.placeholder)));
        // The words of an empty option say less than text beside the select.
        let is_attribute = field.kind != FieldType::Select;
        let label = LabelText::unplaced(aria_label)
            .or_else(|| self.orphan(item))
            .or_else(|| self.question(item))
            .or_else(|| self.items.head_at(item.offset, true))
            .or_else(|| {
                let is_in_cell = item.is_in_cell;
                is_in_cell.then(|| self.text_beside(item, field.kind))?
            })
            .or_else(|| self.items.head_at(item.offset, false))
            .or_else(|| is_attribute.then(placeholder).flatten())
            .or_else(|| self.text_beside(item, field.kind))
            .or_else(|| self.text_behind(item))
            .or_else(placeholder)
            .or_else(|| LabelText::unplaced(self.title_of(item)));
        if label.is_none() {
            let message = format!("The control `{}` has no label.", field.name);
            self.warn(WarningCode::ControlWithoutLabel, item, message);
        }
        let label = label.unwrap_or_default();
        let bare = without_marker(&label.text, field.required);
        // As plain text beside a control is without a marker behind it.
        let bare = if bare.len() < label.text.len() {
            bare.trim_end_matches(COLONS).trim_end()
        } else {
            bare
        };
        field.label = cut(bare);
        label.place
    }

    /// A label beside a control that points nowhere.
    pub(super) fn orphan(&self, item: &Item) -> Option<LabelText> {
        let after = self.mark_before.max(self.labelled_up_to.get());
        self.labels.orphan(&self.items, item, after)
    }

    /// What asks for a control, or for the choices that begin with it, in the element around.
    pub(super) fn question(&self, item: &Item) -> Option<LabelText> {
        let question = self.items.question_at(item.offset)?;
        Some(LabelText::of(&self.items, question)?.without_colon())
    }

    /// The head of the column of a box that has no text in its cell; where the column is the field, that
    /// of the row.
    pub(super) fn head_of_lone_box(&self, item: &Item) -> Option<LabelText> {
        self.is_lone(item).then(|| {
            if self.is_in_column(item) {
                self.items.row_head_at(item.offset)
            } else {
                self.items.head_at(item.offset, false)
            }
        })?
    }

    /// Whether there is no text beside a box.
    pub(super) fn is_lone(&self, item: &Item) -> bool {
        let texts = &self.items.texts;
        let before = texts.before(item.mark.saturating_sub(1));
        texts.is_blank(texts.after(item.mark)) && texts.is_blank(before)
    }

    /// The tooltip, which names a control that nothing else does.
    pub(super) fn title_of(&self, item: &Item) -> Option<String> {
        let title = self.items.attribute(item, "title")?.value();
        Some(collapse(&title)).filter(|title| !title.is_empty())
    }

    /// Plain text beside a control: after a box to tick, before anything else.
    pub(super) fn text_beside(&self, item: &Item, kind: FieldType) -> Option<LabelText> {
        if item.is_in_label {
            return None;
        }
        let is_box = matches!(
            kind,
            FieldType::Radio | FieldType::Checkbox | FieldType::Consent
        );
        let after = is_box.then(|| self.items.texts.after(item.mark));
        let after = after.map(|after| self.labels.free_before(&self.items, after));
        match after.and_then(|after| LabelText::of(&self.items, after)) {
            Some(said) => {
                self.labelled_up_to.set(said.place.end);
                Some(said.without_colon())
            }
            None if is_box && !item.is_in_cell => None,
            None => self.text_before(item.mark.saturating_sub(1), item.is_in_cell),
        }
    }

    /// Plain text behind a control that nothing before it names, in a row of such: "□ adults, □ children".
    fn text_behind(&self, item: &Item) -> Option<LabelText> {
        let texts = &self.items.texts;
        let behind = |mark| self.labels.free_before(&self.items, texts.after(mark));
        let own = behind(item.mark);
        if item.is_in_label || texts.is_blank(own.clone()) {
            return None;
        }
        let labelled_up_to = self.labelled_up_to.get();
        let is_near = item.mark.saturating_sub(labelled_up_to) <= MAX_PIECES_ABOVE;
        let follows_one =
            labelled_up_to > 0 && is_near && texts.is_blank(labelled_up_to..item.mark);
        let is_row = follows_one
            || texts
                .control_after(own.end)
                .is_some_and(|next| !texts.is_blank(behind(next)));
        let says = is_row && texts.glimpse(own.clone()).contains(char::is_alphanumeric);
        let mut said = says.then(|| LabelText::of(&self.items, own)).flatten()?;
        self.labelled_up_to.set(said.place.end);
        let bare = said.text.trim_end_matches([',', ';', ' ']).len();
        said.text.truncate(bare);
        Some(said.without_colon())
    }

    /// Plain text that asks for the choices which begin with a box: in the cell or term to their
    /// left, or before them with a colon or question mark.
    pub(super) fn question_before(&self, first: &Item) -> Option<LabelText> {
        let label = first
            .label
            .get()
            .map(|label| self.items.labels.get(label as usize));
        let start = match label {
            Some(label) => label?.text.start,
            None if first.is_in_label => return None,
            None => first.mark.saturating_sub(1),
        };
        let range = self.range_before(start, first.is_in_cell);
        let text = self.items.texts.glimpse(range.clone());
        (is_question(&text) || first.is_in_cell)
            .then(|| LabelText::of(&self.items, range))
            .flatten()
            .map(LabelText::without_colon)
            .filter(|said| !said.text.is_empty())
    }

    /// Plain text before a place.
    fn text_before(&self, mark: u32, is_in_cell: bool) -> Option<LabelText> {
        let range = self.range_before(mark, is_in_cell);
        // What only separates two controls names none.
        let glimpse = self.items.texts.glimpse(range.clone());
        glimpse.contains(char::is_alphanumeric).then_some(())?;
        let said = LabelText::of(&self.items, range)?;
        Some(said.without_colon()).filter(|said| !said.text.is_empty())
    }

    /// Text before a place that names nothing else: on its line, else on the line above or in the
    /// cell to the left.
    fn range_before(&self, mark: u32, is_in_cell: bool) -> TextRange {
        let texts = &self.items.texts;
        let free = |range: TextRange| {
            let range = self.labels.free_behind(&self.items, range);
            range.start.max(self.labelled_up_to.get()).min(range.end)..range.end
        };
        let on_line = free(texts.before(mark));
        if texts.is_blank(on_line.clone()) {
            free(texts.before_break(mark, is_in_cell))
        } else {
            on_line
        }
    }
}
