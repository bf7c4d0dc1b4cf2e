//! The variants of field types, each declared once. A variant is a type with a class or attribute that changes its
//! look or behaviour. The reader, the check of attributes, validation and the OpenAPI document use this table. So do
//! the typed client (`client/field-kinds.ts`), the admin's palette and the table of `docs/schemas.md`. To add a
//! variant, add a row.

use serde_json::{Number, Value};

use crate::field_kinds::{AnswerShape, DATE, PaletteGroup, Part, object};
use crate::logic::phone::PHONE;
use crate::rows::REPEAT;
use crate::{Field, FieldOption, FieldType, FormSchema};

/// A variant of a field type: the fields of the type that have a certain class or attribute.
#[derive(Debug)]
pub struct FieldVariant {
    /// Name, which must differ from the names of all types.
    pub name: &'static str,
    /// Field type of the variant's fields.
    pub of: FieldType,
    /// Attribute that marks the variant's fields, and its value. An empty value matches every value. For `class`, the
    /// value is one of the field's classes.
    pub mark: (&'static str, &'static str),
    /// Group of the palette; `None` for a variant that the palette leaves out.
    pub group: Option<PaletteGroup>,
    /// Shape of the answer.
    pub shape: AnswerShape,
}

const fn variant(
    name: &'static str,
    of: FieldType,
    mark: (&'static str, &'static str),
    shape: AnswerShape,
) -> FieldVariant {
    FieldVariant {
        name,
        of,
        mark,
        group: None,
        shape,
    }
}

/// A variant in the palette's group of choices.
const fn in_palette(
    name: &'static str,
    of: FieldType,
    mark: (&'static str, &'static str),
    shape: AnswerShape,
) -> FieldVariant {
    FieldVariant {
        group: Some(PaletteGroup::Choices),
        ..variant(name, of, mark, shape)
    }
}

/// The class of a rating that asks how likely a recommendation is (net promoter score), from 0 to 10.
pub const NPS_CLASS: &str = "cf-nps";

/// The attribute that marks a date with separate inputs for day, month and year.
pub const DATE_PARTS: &str = "data-parts";

/// The attribute that marks a file as a signature, which visitors draw.
pub const SIGNATURE: &str = "data-signature";

/// The maximum size, in bytes, of a signature whose field sets no maximum.
const MAX_SIGNATURE_BYTES: f64 = 1e6;

/// The attribute that marks checkboxes as a ranking: visitors put the options in order.
pub const RANK: &str = "data-rank";

/// The maximum number of options of a ranking.
pub const MAX_RANKED: usize = 20;

/// The maximum number of columns of a matrix. A matrix with more columns is shown as separate questions.
pub const MAX_COLUMNS: usize = 12;

/// Attributes by which browsers choose a keyboard and offer autofill for a telephone number with a country.
pub const NATIONAL_HINTS: [(&str, &str); 2] =
    [("autocomplete", "tel-national"), ("inputmode", "tel")];

/// The class of a fieldset whose fields are the rows of a matrix.
pub const MATRIX_CLASS: &str = "cf-matrix";

/// Every variant. To show one in the palette, set its `group`, and name it in `admin/shared/field-types.ts`. A class
/// is set on the control, or on the group of choices or parts.
#[rustfmt::skip]
pub static VARIANTS: [FieldVariant; 20] = [
    FieldVariant { group: Some(PaletteGroup::Text), ..variant("calculation", FieldType::Number, ("data-calc", ""), AnswerShape::Number) },
    FieldVariant { group: Some(PaletteGroup::Dates), ..variant("date-parts", FieldType::Date, (DATE_PARTS, ""), AnswerShape::Date) },
    FieldVariant { group: Some(PaletteGroup::Dates), ..variant("period", FieldType::Fieldset, ("class", "cf-period"), AnswerShape::None) },
    FieldVariant { group: Some(PaletteGroup::Files), ..variant("signature", FieldType::File, (SIGNATURE, ""), AnswerShape::Files) },
    FieldVariant { group: Some(PaletteGroup::Contact), ..variant("phone", FieldType::Tel, (PHONE, ""), AnswerShape::Phone) },
    FieldVariant { group: Some(PaletteGroup::Layout), ..variant("repeat", FieldType::Fieldset, (REPEAT, ""), AnswerShape::Rows) },
    variant("search", FieldType::Text, ("type", "search"), AnswerShape::Line),
    variant("month", FieldType::Text, ("type", "month"), AnswerShape::Month),
    variant("week", FieldType::Text, ("type", "week"), AnswerShape::Week),
    variant("stars", FieldType::Rating, ("class", "cf-stars"), AnswerShape::Points),
    variant("hearts", FieldType::Rating, ("class", "cf-hearts"), AnswerShape::Points),
    variant("numbers", FieldType::Rating, ("class", "cf-numbers"), AnswerShape::Points),
    variant("scale", FieldType::Rating, ("class", "cf-scale"), AnswerShape::Points),
    variant("buttons", FieldType::Rating, ("class", "cf-buttons"), AnswerShape::Points),
    in_palette("nps", FieldType::Rating, ("class", NPS_CLASS), AnswerShape::Points),
    in_palette("likert", FieldType::Radio, ("class", "cf-scale"), AnswerShape::Choice),
    in_palette("yes-no", FieldType::Radio, ("class", "cf-buttons"), AnswerShape::Choice),
    in_palette("pictures", FieldType::Radio, ("class", "cf-cards"), AnswerShape::Choice),
    in_palette("ranking", FieldType::Checkbox, (RANK, ""), AnswerShape::Choice),
    in_palette("matrix", FieldType::Fieldset, ("class", MATRIX_CLASS), AnswerShape::None),
];

/// The variants of a type that an attribute marks.
pub fn variants_by(of: FieldType, attribute: &str) -> impl Iterator<Item = &'static FieldVariant> {
    let variants = VARIANTS.iter();
    variants.filter(move |variant| variant.of == of && variant.mark.0 == attribute)
}

impl FieldVariant {
    /// Whether a field has the mark of the variant.
    fn fits(&self, field: &Field) -> bool {
        let (attribute, wanted) = self.mark;
        self.of == field.kind
            && if attribute == "class" {
                field
                    .css_class
                    .split_whitespace()
                    .any(|class| class == wanted)
            } else {
                let value = field.attributes.get(attribute);
                value.is_some_and(|value| wanted.is_empty() || value == wanted)
            }
    }
}

impl Field {
    /// The variant of the field's type.
    pub fn variant(&self) -> Option<&'static FieldVariant> {
        VARIANTS.iter().find(|variant| variant.fits(self))
    }

    /// Whether the field asks for a net promoter score.
    pub fn is_nps(&self) -> bool {
        self.variant().is_some_and(|variant| variant.name == "nps")
    }

    /// Whether the field is a date with separate inputs for day, month and year.
    pub fn is_date_in_parts(&self) -> bool {
        let is_date = self.kind == FieldType::Date && !self.is_multiple();
        is_date && self.attributes.contains_key(DATE_PARTS)
    }

    /// Converts a fieldset with the inputs of a date to a date field.
    pub fn as_date(&self) -> Field {
        Field {
            kind: FieldType::Date,
            ..self.clone()
        }
    }

    /// The parts of a name, an address or a date that visitors fill in separately.
    pub fn parts(&self) -> &'static [Part] {
        if self.is_date_in_parts() {
            &DATE
        } else {
            self.kind.parts()
        }
    }

    /// The parts that are sent as `name[part]`: the parts that visitors fill in, and a consent's checkbox.
    pub fn sent_parts(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.parts().iter().map(|part| part.name);
        parts.chain(self.kind.is_consent().then_some("accepted"))
    }

    /// Whether the file is a signature.
    pub fn is_signature(&self) -> bool {
        self.kind.takes_files() && self.attributes.contains_key(SIGNATURE)
    }

    /// The minimum and the maximum of `validation`. A signature without a maximum may have 1,000,000 bytes.
    pub fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let (min, max) = self.validation.bounds();
        (
            min,
            max.or(self.is_signature().then_some(MAX_SIGNATURE_BYTES)),
        )
    }

    /// Whether the field needs the style sheet `visitor/styles/fields.css`, which only pages with such fields link.
    pub fn has_rare_look(&self) -> bool {
        let variant = self.variant().map(|variant| variant.name);
        matches!(
            variant,
            Some("date-parts" | "period" | "phone" | "ranking" | "matrix" | "repeat")
        )
    }

    /// Default attributes by which browsers choose a keyboard and offer autofill.
    pub fn entry_hints(&self) -> &'static [(&'static str, &'static str)] {
        if self.is_phone() {
            &NATIONAL_HINTS
        } else {
            self.kind.entry_hints()
        }
    }

    /// Whether visitors put the field's options in order.
    pub fn is_ranking(&self) -> bool {
        let is_ranked = || self.attributes.contains_key(RANK);
        self.kind == FieldType::Checkbox && !self.options.is_empty() && is_ranked()
    }

    /// The number of places of a ranking: `validation.max`, but at most the number of options.
    pub fn rank_places(&self) -> usize {
        let most = self.validation.max.as_ref().and_then(Number::as_u64);
        let most = most.and_then(|most| usize::try_from(most).ok());
        most.unwrap_or(usize::MAX).min(self.options.len())
    }

    /// Whether the field holds the rows of a matrix.
    pub fn is_matrix(&self) -> bool {
        self.variant().is_some_and(|known| known.name == "matrix")
    }

    /// The columns of a matrix: the options that all of its rows share. `None` if the rows have different options or
    /// are not choices.
    pub fn matrix_columns<'s>(&self, schema: &'s FormSchema) -> Option<&'s [FieldOption]> {
        let rows = schema.fields.iter();
        let mut rows = rows.filter(|row| row.group.as_deref() == Some(&self.name));
        let columns = rows
            .next()
            .filter(|row| row.is_matrix_row())?
            .options
            .as_slice();
        let fits = |row: &Field| row.is_matrix_row() && row.options == columns;
        (self.is_matrix() && rows.all(fits)).then_some(columns)
    }

    fn is_matrix_row(&self) -> bool {
        let is_choice = matches!(self.kind, FieldType::Radio | FieldType::Checkbox);
        let is_plain = !self.attributes.contains_key(Field::OTHER) && !self.is_ranking();
        is_choice && is_plain && !self.options.is_empty()
    }

    /// The shape of the field's answer.
    pub fn shape(&self) -> AnswerShape {
        let variant = self.variant();
        variant.map_or(self.kind.facts().shape, |variant| variant.shape)
    }
}

/// Every variant, for the OpenAPI document.
pub fn variants_json() -> Value {
    let variants = VARIANTS.iter().map(|variant| {
        let (attribute, value) = variant.mark;
        object([
            ("name", variant.name.into()),
            ("type", variant.of.as_str().into()),
            ("attribute", attribute.into()),
            ("value", value.into()),
            ("group", variant.group.map(PaletteGroup::as_str).into()),
            ("answer", variant.shape.as_str().into()),
        ])
    });
    variants.collect()
}
