//! Renders the elements that only visitors' pages have for variants: the places of a ranking, the countries of a
//! telephone number, and the columns of a matrix. The reader does not recognize these elements.

use std::collections::BTreeMap;

use super::Page;
use crate::markers;
use model::field_variants::MAX_COLUMNS;
use model::logic::phone::{COUNTRY, PHONE, calling_codes, countries};
use model::ordered::Gather;
use model::{Field, FieldOption, FormSchema};

/// The columns of each matrix, by its name.
pub(super) type Columns<'s> = BTreeMap<&'s str, &'s [FieldOption]>;

/// The columns of the matrices of a schema.
pub(super) fn columns(schema: &FormSchema) -> Columns<'_> {
    let columns = schema.fields.iter().filter(|field| field.is_matrix());
    let columns = columns.filter_map(|matrix| {
        let columns = matrix.matrix_columns(schema)?;
        Some((matrix.name.as_str(), columns))
    });
    let columns = columns.filter(|(_, columns)| columns.len() <= MAX_COLUMNS);
    columns.gather()
}

impl Page<'_> {
    /// Renders a ranking: a select for each place. The script replaces the selects with a sortable list.
    pub(super) fn ranking(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled, &field.default_value);
        self.open("div", &[("class", "cf-places"), (markers::PLACES, "")]);
        self.line("");
        let name = [&field.name, "[]"].concat();
        let mut chosen = field.default_values();
        for place in 1..=field.rank_places() {
            let place = place.to_string();
            let id = self.part_id(field, &place);
            self.open("div", &[("class", "cf-place")]);
            self.line("");
            self.element("label", &[("for", &id)], &place);
            let control = [
                ("class", markers::CONTROL_CLASS),
                ("id", &id),
                ("name", &name),
            ];
            self.line("");
            self.open("select", &control);
            self.line("\n<option value=\"\"></option>");
            let chosen = chosen.next();
            for option in &field.options {
                self.option(option, chosen == Some(&option.value), false);
            }
            self.line("</select>\n</div>");
        }
        self.line("</div>");
        self.close_fieldset(field);
    }

    /// Writes the select for the country of a telephone number, which precedes the input.
    pub(super) fn countries(&mut self, field: &Field) {
        let usual = field.attributes.get(PHONE).map_or("", String::as_str);
        let label = self.word(&["part_", COUNTRY].concat());
        let name = format!("{}[{COUNTRY}]", field.name);
        self.open(
            "select",
            &[
                ("class", "cf-control cf-country"),
                ("name", &name),
                ("autocomplete", "tel-country-code"),
                ("aria-label", &label),
            ],
        );
        self.line("");
        let names = self.word("country_names");
        let names = names.split('|').filter_map(|name| name.split_once(' '));
        let named: Vec<(&str, &str)> = names.collect();
        let mut offered: Vec<&str> = countries(field).collect();
        if offered.is_empty() {
            offered.extend(named.iter().map(|(region, _)| *region));
        }
        if !offered.contains(&usual) {
            self.empty_option(markers::CHOOSE_CLASS, &label);
        }
        let codes = calling_codes();
        for region in offered {
            let Some(code) = codes.get(region) else {
                continue;
            };
            let name = named.iter().find(|(known, _)| *known == region);
            let name = name.map_or(region, |(_, name)| name);
            let mut option = vec![("value", region)];
            option.extend((region == usual).then_some(("selected", "")));
            // The left-to-right mark keeps the plus before the digits in texts from right to left.
            self.element("option", &option, &format!("{name} \u{200e}+{code}"));
            self.line("");
        }
        self.line("</select>");
    }

    /// Writes the column headings of a matrix, which the choices repeat for screen readers and on narrow screens.
    pub(super) fn heads(&mut self, field: &Field) {
        let Some(columns) = self.columns.get(field.name.as_str()).copied() else {
            return;
        };
        self.open("div", &[("class", "cf-heads"), ("aria-hidden", "true")]);
        for column in columns {
            let label = column.label.trim().lines().next().unwrap_or_default();
            self.piped_element("span", &[], label);
        }
        self.line("</div>");
    }
}
