//! JSON Schema, alone or together with a `uiSchema` (react-jsonschema-form).

use crate::formats::json_kinds::{choices, hint, is_listed, kinds, ordered, tested, type_of};

use model::check::MAX_FIELDS;
use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::Builder;
use crate::forms::item::Item;
use crate::forms::logic::all_of;
use crate::forms::rules::{group, negated};
use crate::report::Report;
use crate::values::{entries, member, text, text_or_number, values};

/// The maximum depth of objects and references.
const MAX_DEPTH: usize = 12;

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let schema = theirs.get("schema").unwrap_or(theirs);
    let ui = member(theirs, "uiSchema");
    let mut form = Builder::new("json-schema", text(schema, "title"), report);
    form.paragraph("", "form_description", text(schema, "description"));
    let walk = Walk { root: schema };
    walk.object(&mut form, schema, ui, "", 0);
    let button = member(ui, "ui:submitButtonOptions");
    form.button = text(button, "submitText").to_owned();
    form.note("actions_unknown", "", "");
    form.finish()
}

/// The state while reading the schema.
struct Walk<'s> {
    root: &'s Value,
}

impl<'s> Walk<'s> {
    /// Resolves a reference within the file.
    fn resolved(&self, schema: &'s Value, depth: usize) -> &'s Value {
        let reference = text(schema, "$ref");
        if reference.is_empty() || depth > MAX_DEPTH {
            return schema;
        }
        let mut found = self.root;
        for step in reference.trim_start_matches("#/").split('/') {
            found = member(found, step);
        }
        self.resolved(found, depth + 1)
    }

    /// Adds the properties of an object, in the order of its UI schema, with their dependents.
    fn object(
        &self,
        form: &mut Builder<'_>,
        schema: &'s Value,
        ui: &Value,
        prefix: &str,
        depth: usize,
    ) {
        let properties = member(schema, "properties");
        let names: Vec<&str> = entries(properties).iter().map(|(name, _)| *name).collect();
        let required = member(schema, "required");
        for name in ordered(&names, member(ui, "ui:order")) {
            if let Some(property) = properties.get(name) {
                self.property(
                    form,
                    name,
                    property,
                    ui,
                    prefix,
                    is_listed(required, name),
                    depth,
                );
                self.dependents(form, schema, name, ui, prefix, depth);
            }
        }
        self.alternatives(form, schema, ui, prefix, depth);
        for part in values(member(schema, "allOf")) {
            let part = self.resolved(part, 0);
            if part.get("properties").is_some() && part.get("if").is_none() && depth < MAX_DEPTH {
                self.object(form, part, ui, prefix, depth + 1);
            } else {
                self.alternatives(form, part, ui, prefix, depth);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the context of a property")]
    fn property(
        &self,
        form: &mut Builder<'_>,
        name: &str,
        schema: &'s Value,
        ui: &Value,
        prefix: &str,
        is_required: bool,
        depth: usize,
    ) {
        let id = [prefix, name].concat();
        if depth > MAX_DEPTH || form.items.len() >= MAX_FIELDS {
            form.note("too_deep", &id, "");
            return;
        }
        // Two branches of the schema may describe the same field; the first description counts.
        if form.find(&id).is_some() {
            return;
        }
        let schema = self.resolved(schema, 0);
        let ui = member(ui, name);
        let label = match hint(ui, "title")
            .as_str()
            .unwrap_or_else(|| text(schema, "title"))
        {
            "" => name,
            title => title,
        };
        let custom = text(ui, "ui:field");
        let items = self.resolved(member(schema, "items"), 0);
        match type_of(schema) {
            "object" => self.group(form, &id, label, "fieldset", schema, ui, depth),
            "array" if items.get("enum").is_some() || items.get("oneOf").is_some() => {
                let item = several(form, &id, label, schema, items, ui);
                self.added(form, item, schema, ui, is_required);
            }
            "array" if type_of(items) == "object" => {
                let ui = member(ui, "items");
                self.group(form, &id, label, "fieldset repeat", items, ui, depth);
            }
            "array" => {
                let item = form.item(&id, &id, label, "textarea repeat");
                self.added(form, item, schema, ui, is_required);
            }
            _ => {
                let item = form.item(&id, &id, label, "text");
                let is_moment = text(schema, "format") == "date-time";
                let item = kinds(form, item, schema, ui);
                if is_moment && item.choices.is_empty() {
                    form.date_and_time(item, is_required);
                } else {
                    self.added(form, item, schema, ui, is_required);
                }
            }
        }
        if !custom.is_empty() {
            let place = form.find(&id).map_or(id.clone(), |item| item.name.clone());
            form.note("unknown_field", &place, custom);
        }
    }

    fn added(
        &self,
        form: &mut Builder<'_>,
        mut item: Item,
        schema: &Value,
        ui: &Value,
        is_required: bool,
    ) {
        let word = |name: &str| hint(ui, name).as_str().unwrap_or_default().to_owned();
        item.require(is_required);
        item.set("placeholder", &word("placeholder"));
        let about = [
            word("help"),
            word("description"),
            text(schema, "description").to_owned(),
        ];
        let about = about
            .into_iter()
            .find(|about| !about.is_empty())
            .unwrap_or_default();
        form.describe(&mut item, &about);
        item.flag("autofocus", hint(ui, "autofocus").as_bool() == Some(true));
        item.class(text(ui, "classNames"));
        if hint(ui, "inline").as_bool() == Some(true) {
            item.class("cf-columns");
        }
        if item.kind == "textarea" {
            item.attribute(
                "rows",
                &match hint(ui, "rows") {
                    Value::Number(rows) => rows.to_string(),
                    _ => String::new(),
                },
            );
        }
        if !matches!(item.kind, "consent" | "file" | "rating") {
            let default = match member(schema, "default") {
                Value::Bool(on) => on.to_string(),
                _ => text_or_number(schema, "default"),
            };
            item.set("default_value", &default);
        }
        form.add(item);
    }

    #[expect(clippy::too_many_arguments, reason = "the context of a group")]
    fn group(
        &self,
        form: &mut Builder<'_>,
        id: &str,
        label: &str,
        kind: &'static str,
        schema: &'s Value,
        ui: &Value,
        depth: usize,
    ) {
        let mut frame = form.item(id, id, label, kind);
        form.describe(&mut frame, text(schema, "description"));
        let name = frame.name.clone();
        form.add(frame);
        let outer = std::mem::replace(&mut form.group, name);
        self.object(form, schema, ui, &[id, "_"].concat(), depth + 1);
        form.group = outer;
    }

    /// Adds the dependents of a property: fields that are shown if the property has any value, or a specific value.
    fn dependents(
        &self,
        form: &mut Builder<'_>,
        schema: &'s Value,
        name: &str,
        ui: &Value,
        prefix: &str,
        depth: usize,
    ) {
        let id = [prefix, name].concat();
        for list in ["dependencies", "dependentSchemas", "dependentRequired"] {
            let found = self.resolved(member(member(schema, list), name), 0);
            if found.is_array() {
                for other in values(found).into_iter().filter_map(Value::as_str) {
                    form.note("required_if", &[prefix, other].concat(), &id);
                }
                continue;
            }
            if found.is_null() {
                continue;
            }
            let branches = values(member(found, "oneOf"));
            for branch in branches {
                let branch = self.resolved(branch, 0);
                let test = member(member(branch, "properties"), name);
                let when = tested(form, &id, test);
                self.shown(form, branch, Some(name), when, ui, prefix, depth);
            }
            let there = form.rule_with(&id, "is_not_empty", "", &id);
            self.shown(form, found, None, there, ui, prefix, depth);
        }
    }

    /// Adds the properties of `then` and `else`, which are shown depending on `if`.
    fn alternatives(
        &self,
        form: &mut Builder<'_>,
        schema: &'s Value,
        ui: &Value,
        prefix: &str,
        depth: usize,
    ) {
        let Some(test) = schema.get("if") else {
            return;
        };
        let tests = entries(member(test, "properties"));
        let rules: Option<Vec<Value>> = (tests.into_iter())
            .map(|(name, test)| tested(form, &[prefix, name].concat(), test))
            .collect();
        let when = rules.and_then(|rules| group("all", rules));
        let otherwise = when.as_ref().and_then(negated);
        self.shown(form, member(schema, "then"), None, when, ui, prefix, depth);
        self.shown(
            form,
            member(schema, "else"),
            None,
            otherwise,
            ui,
            prefix,
            depth,
        );
    }

    /// Adds the properties of a branch, which are shown when the rule `when` holds.
    #[expect(clippy::too_many_arguments, reason = "the context of a branch")]
    fn shown(
        &self,
        form: &mut Builder<'_>,
        branch: &'s Value,
        except: Option<&str>,
        when: Option<Value>,
        ui: &Value,
        prefix: &str,
        depth: usize,
    ) {
        let branch = self.resolved(branch, 0);
        let required = member(branch, "required");
        let properties = entries(member(branch, "properties"));
        for (name, property) in properties
            .into_iter()
            .filter(|(name, _)| Some(*name) != except)
        {
            let id = [prefix, name].concat();
            if form.find(&id).is_some() {
                form.note("condition", &id, name);
                continue;
            }
            self.property(
                form,
                name,
                property,
                ui,
                prefix,
                is_listed(required, name),
                depth + 1,
            );
            match &when {
                Some(rule) => form.show_if(&id, all_of(vec![rule.clone()])),
                None => form.note("condition", &id, "if"),
            }
        }
        for name in values(required).into_iter().filter_map(Value::as_str) {
            let is_here = member(branch, "properties").get(name).is_some();
            if !is_here && Some(name) != except {
                form.note("required_if", &[prefix, name].concat(), "if");
            }
        }
    }
}

/// A field for several choices, whose options are the values of an array's items.
fn several(
    form: &mut Builder<'_>,
    id: &str,
    label: &str,
    schema: &Value,
    items: &Value,
    ui: &Value,
) -> Item {
    let kind = match hint(ui, "widget").as_str() {
        Some("select") => "select multiple",
        _ => "checkbox",
    };
    let mut item = form.item(id, id, label, kind);
    choices(&mut item, items, ui);
    item.bound("min", &text_or_number(schema, "minItems"));
    item.bound("max", &text_or_number(schema, "maxItems"));
    item
}
