//! Renders calculated fields for visitors.

use super::Page;
use crate::markers;
use model::Field;
use model::field_kinds::Control;
use model::logic::calc::fields::{SERVER, expressions, find, names};

impl Page<'_> {
    /// Renders a calculated field as an output, which visitors cannot edit. The hidden input after it is not submitted;
    /// it tells the script whether conditions hide the field.
    pub(super) fn calculated(&mut self, field: &Field) {
        if field.kind.facts().control == Control::Hidden {
            if !field.attributes.contains_key(SERVER) {
                self.result(field, true);
            }
            return;
        }
        self.open_field(field);
        let id = self.id(field);
        self.label("label", field, Some(&id));
        let trees = expressions(field);
        let read = trees.iter().flat_map(|(_, tree)| tree).flat_map(names);
        let mut ids: Vec<String> = Vec::new();
        for name in read {
            // In a row, a name refers to the field of the same row.
            let row = field.name.rsplit_once("][").map(|(row, _)| row);
            let in_row = |name: &str| self.fields.get(format!("{}][{name}]", row?).as_str());
            let read = find(name, |name| {
                in_row(name).or_else(|| self.fields.get(name)).copied()
            });
            let id = read.map(|(read, _)| self.id(read));
            ids.extend(id.filter(|id| !ids.contains(id)));
        }
        self.out.push_str("<output");
        self.class(markers::OUTPUT_CLASS, field);
        self.attribute("id", &id);
        self.attribute_if_any("for", &ids.join(" "));
        self.attribute(markers::CALCULATED, &field.name);
        self.describedby(field);
        self.out.push('>');
        let known = self.options.calculated.get(&field.name);
        let known = known.cloned().unwrap_or_default();
        self.text(&known);
        self.line("</output>");
        self.result(field, false);
        self.description(field);
        self.line("</div>");
    }

    fn result(&mut self, field: &Field, has_conditions: bool) {
        self.out.push_str("<input type=\"hidden\"");
        self.attribute(markers::RESULT, &field.name);
        if has_conditions {
            self.conditions(field);
        }
        self.line(">");
    }
}
