//! Renders repeating groups for visitors: a fieldset with a remove button for each row, a button that adds a row, and a
//! template of a row for the script. Without script, these buttons submit the form, and the server responds with one
//! row more or fewer.

use std::collections::BTreeMap;

use super::Page;
use crate::markers;
use model::logic::pipe_renames::rename_in;
use model::logic::piping::PipeNames;
use model::rows::{RowGroups, in_row, row_name};
use model::{Field, FormSchema};

/// The number in the names of the template's inputs, which the script replaces.
const TEMPLATE: &str = "{row}";

/// The fieldset of a row.
pub(super) struct RowElement {
    group: Field,
    number: String,
    /// Whether the row may be removed.
    is_removable: bool,
    /// Whether the group may have another row. Only the template's element, which is written last, needs it.
    may_grow: bool,
}

/// A schema in which each repeating group has its rows.
#[derive(Default)]
pub(super) struct Expanded {
    pub(super) schema: Option<FormSchema>,
    /// The rows by the names of their fieldsets.
    pub(super) elements: BTreeMap<String, RowElement>,
    /// The last part of the id of each field in a row, by the field's name.
    pub(super) ids: BTreeMap<String, String>,
}

impl Expanded {
    /// Gives each repeating group rows with these numbers, or else its minimum number of rows, but at least one.
    pub(super) fn of(schema: &FormSchema, rows: &BTreeMap<String, Vec<usize>>) -> Expanded {
        let groups = schema.row_groups();
        let mut expanded = Expanded::default();
        if !schema.fields.iter().any(Field::is_repeat) {
            return expanded;
        }
        let names = PipeNames::of(schema);
        let mut fields = Vec::new();
        for field in &schema.fields {
            if groups.contains_key(field.name.as_str()) {
                continue;
            }
            fields.push(field.clone());
            if !field.is_repeat() {
                continue;
            }
            let (min, max) = field.row_limits();
            let first = (0..min.max(1)).collect();
            let numbers = rows.get(&field.name).unwrap_or(&first);
            let count = numbers.len();
            let numbers = numbers.iter().map(usize::to_string);
            for number in numbers.chain([TEMPLATE.to_owned()]) {
                let is_template = number == TEMPLATE;
                expanded.add_row(schema, &groups, field, &number, names.as_ref(), &mut fields);
                let element = RowElement {
                    group: field.clone(),
                    is_removable: is_template || count > min,
                    may_grow: count < max,
                    number,
                };
                let name = format!("{}[{}]", field.name, element.number);
                expanded.elements.insert(name, element);
            }
        }
        expanded.schema = Some(FormSchema {
            fields,
            ..schema.clone()
        });
        expanded
    }

    fn add_row(
        &mut self,
        schema: &FormSchema,
        groups: &RowGroups<'_>,
        group: &Field,
        number: &str,
        names: Option<&PipeNames<'_>>,
        fields: &mut Vec<Field>,
    ) {
        fields.push(Field {
            name: format!("{}[{number}]", group.name),
            kind: group.kind,
            group: Some(group.name.clone()),
            ..Field::default()
        });
        let of_group = |name: &str| groups.get(name).is_some_and(|of| of.name == group.name);
        for field in schema.fields.iter().filter(|field| of_group(&field.name)) {
            let mut field_in_row = in_row(field, groups, &group.name, number);
            if let Some(names) = names {
                rename_in(names, &mut field_in_row, &|name| {
                    of_group(name).then(|| row_name(&group.name, number, name))
                });
            }
            let id = [
                &markers::id_part(&group.name),
                number,
                &markers::id_part(&field.name),
            ];
            self.ids.insert(field_in_row.name.clone(), id.join("--"));
            fields.push(field_in_row);
        }
    }
}

impl Page<'_> {
    /// Writes the attributes of a repeating group that the script reads.
    pub(super) fn row_limits(&mut self, group: &Field) {
        let (min, max) = group.row_limits();
        self.attribute(markers::ROWS, &group.name);
        self.attribute("data-cf-min", &min.to_string());
        self.attribute("data-cf-max", &max.to_string());
    }

    /// Writes the id and the name of a control; in rows, the name comes first, as specified.
    pub(super) fn id_and_name(&mut self, field: &Field) {
        let is_in_row = self.expanded.ids.contains_key(&field.name);
        if is_in_row {
            self.name(field);
        }
        self.id_attributes(field, true);
        if !is_in_row {
            self.name(field);
        }
    }

    /// Begins the fieldset of a row, and returns the HTML that ends it.
    pub(super) fn open_row(&mut self, row: &RowElement, place: usize) -> String {
        let is_template = row.number == TEMPLATE;
        if is_template {
            self.add_button(row);
            self.line("<template>");
        }
        self.out.push_str("<fieldset class=\"cf-row\"");
        self.attribute(markers::ROW, &row.number);
        self.line(">");
        let title = super::seen(&row.group.label);
        let title = if title.is_empty() {
            markers::humanized(&row.group.name)
        } else {
            title
        };
        let place = if is_template {
            TEMPLATE.to_owned()
        } else {
            place.to_string()
        };
        let title = format!("{title} {place}");
        self.element("legend", &[], &title);
        self.line("");
        let mut end = String::new();
        if row.is_removable {
            let start = self.out.len();
            let value = format!("{}.{}", row.group.name, row.number);
            let remove = self.word("row_remove");
            self.row_button(
                "_cf_remove",
                &value,
                "cf-inline cf-remove",
                &remove,
                Some(&title),
            );
            end = self.out.split_off(start);
        }
        end.push_str("</fieldset>\n");
        if is_template {
            end.push_str("</template>\n");
        }
        end
    }

    fn add_button(&mut self, row: &RowElement) {
        let text = row.group.attributes.get(model::rows::REPEAT);
        let text = text.filter(|text| !text.trim().is_empty()).cloned();
        let text = text.unwrap_or_else(|| self.word("row_add"));
        if row.may_grow {
            self.row_button("_cf_add", &row.group.name, "cf-add", &text, None);
        }
    }

    /// Writes a button that changes the rows; `of` is the title of the row that it removes.
    fn row_button(&mut self, name: &str, value: &str, class: &str, text: &str, of: Option<&str>) {
        self.out.push_str("<button type=\"submit\"");
        self.attribute("name", name);
        self.attribute("value", value);
        self.out.push_str(" formnovalidate");
        self.attribute("class", class);
        self.out.push('>');
        self.text(text);
        if let Some(of) = of {
            self.element("span", &[("class", "cf-unseen")], &format!(" {of}"));
        }
        self.line("</button>");
    }
}
