//! SurveyJS: `pages` of `elements`, nested in panels; conditions are expressions.

use crate::formats::surveyjs_fields::{described, local, matrix, words};
use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::Builder;
use crate::forms::logic::{all_of, rule_of};
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{either, is_on, is_set, member, put, put_text, text, values};

const FORMAT: &str = "surveyjs";

/// Maximum depth of nested panels.
const MAX_DEPTH: usize = 24;

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let title = words(member(theirs, "title")).0;
    let mut form = Builder::new(FORMAT, &title, report);
    let mut walk = Walk::default();
    let intro = local(&mut form, theirs, "description", "description");
    let pages = values(member(theirs, "pages"));
    if pages.is_empty() {
        form.paragraph("", "survey_description", &intro);
    }
    for (index, page) in pages.into_iter().enumerate() {
        let name = text(page, "name");
        let title = local(&mut form, page, "title", name);
        form.page(&title);
        if index == 0 {
            form.paragraph("", "survey_description", &intro);
        }
        let about = local(&mut form, page, "description", name);
        form.paragraph("", &[name, "_text"].concat(), &about);
        walk.within(page, |walk| {
            walk.elements(&mut form, member(page, "elements"), 0)
        });
    }
    walk.elements(&mut form, member(theirs, "elements"), 0);
    walk.conditions(&mut form);
    form.fill_labels(BRACES, &variable);
    form.report.unknown_members(theirs, "surveyjs/survey", "");
    texts(&mut form, theirs);
    confirmations(&mut form, theirs);
    for trigger in values(member(theirs, "triggers")) {
        form.note("expression", "triggers", text(trigger, "type"));
    }
    for value in values(member(theirs, "calculatedValues")) {
        form.note("calculation", text(value, "name"), "");
    }
    form.finish()
}

/// The state while reading the elements.
#[derive(Default)]
struct Walk {
    /// The condition of the surrounding page, if it has one.
    around: Vec<String>,
    /// The elements: id, visibility expressions, and the expression that makes the element required.
    conditional: Vec<(String, Vec<String>, String)>,
}

impl Walk {
    fn within(&mut self, record: &Value, inner: impl FnOnce(&mut Walk)) {
        let condition = text(record, "visibleIf");
        if condition.is_empty() {
            inner(self);
            return;
        }
        self.around.push(condition.to_owned());
        inner(self);
        self.around.pop();
    }

    fn elements(&mut self, form: &mut Builder<'_>, list: &Value, depth: usize) {
        for element in values(list) {
            self.element(form, element, depth);
        }
    }

    fn element(&mut self, form: &mut Builder<'_>, element: &Value, depth: usize) {
        let name = text(element, "name");
        let title = match local(form, element, "title", name) {
            title if title.is_empty() => name.to_owned(),
            title => title,
        };
        if depth > MAX_DEPTH {
            form.note("too_deep", name, "");
            return;
        }
        let theirs = text(element, "type");
        let Some(kind) = form.kind(theirs, &title) else {
            return;
        };
        form.report
            .unknown_members(element, "surveyjs/element", name);
        // Hiding a group also hides its fields.
        if form.group.is_empty() || !text(element, "visibleIf").is_empty() {
            let mut all = if form.group.is_empty() {
                self.around.clone()
            } else {
                Vec::new()
            };
            all.extend(
                Some(text(element, "visibleIf").to_owned())
                    .filter(|condition| !condition.is_empty()),
            );
            self.conditional
                .push((name.to_owned(), all, text(element, "requiredIf").to_owned()));
        } else {
            self.conditional.push((
                name.to_owned(),
                Vec::new(),
                text(element, "requiredIf").to_owned(),
            ));
        }
        match kind {
            "paragraph" => {
                let html = local(form, element, "html", name);
                form.paragraph(name, name, &html);
            }
            "fieldset" | "fieldset repeat" | "multipletext" => {
                self.group(form, element, kind, &title, depth)
            }
            "matrix" => matrix(form, element, &title),
            _ => {
                let item = form.item(name, name, &title, kind);
                let item = described(form, item, element);
                if text(element, "inputType") == "datetime-local" {
                    form.date_and_time(item, is_on(element, "isRequired"));
                } else {
                    form.add(item);
                }
            }
        }
    }

    fn group(
        &mut self,
        form: &mut Builder<'_>,
        element: &Value,
        kind: &'static str,
        title: &str,
        depth: usize,
    ) {
        let name = text(element, "name");
        let frame_kind = if kind == "multipletext" {
            "fieldset"
        } else {
            kind
        };
        let mut frame = form.item(name, name, title, frame_kind);
        let about = local(form, element, "description", name);
        form.describe(&mut frame, &about);
        let group = frame.name.clone();
        form.add(frame);
        let outer = std::mem::replace(&mut form.group, group.clone());
        self.elements(form, member(element, "elements"), depth + 1);
        self.elements(form, member(element, "templateElements"), depth + 1);
        let parts = values(member(element, "items"))
            .into_iter()
            .chain(values(member(element, "columns")));
        for part in parts {
            let part_name = [&group, "_", text(part, "name")].concat();
            let label = match local(form, part, "title", &part_name) {
                label if label.is_empty() => text(part, "name").to_owned(),
                label => label,
            };
            let item = form.item(&part_name, &part_name, &label, "text");
            let item = described(form, item, part);
            form.add(item);
        }
        form.group = outer;
    }

    /// Sets the conditions of the fields.
    fn conditions(self, form: &mut Builder<'_>) {
        for (id, expressions, required) in self.conditional {
            let Some(place) = form.find(&id).map(|item| item.name.clone()) else {
                continue;
            };
            let rules = expressions
                .iter()
                .filter_map(|one| rule_of(form, FORMAT, one, &place));
            let rules: Vec<Value> = rules.collect();
            form.show_if(&id, all_of(rules));
            if required.is_empty() {
                continue;
            }
            if expressions.last() == Some(&required) {
                if let Some(item) = form.find_mut(&id) {
                    item.require(true);
                }
            } else {
                form.note("required_if", &place, &required);
            }
        }
    }
}

fn texts(form: &mut Builder<'_>, theirs: &Value) {
    form.button = local(form, theirs, "completeText", "completeText");
    let next = local(form, theirs, "pageNextText", "pageNextText");
    let previous = local(form, theirs, "pagePrevText", "pagePrevText");
    form.page_buttons(&next, &previous);
    put_text(&mut form.settings, "language", text(theirs, "locale"));
    let preview = member(theirs, "showPreviewBeforeComplete");
    if is_set(preview) && preview.as_str() != Some("noPreview") {
        put(&mut form.settings, "review", Value::Bool(true));
    }
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    form.variable(tag, "")
}

fn confirmations(form: &mut Builder<'_>, theirs: &Value) {
    let html = either(theirs, "completedHtml", "completedHtml").to_owned();
    let html = if html.is_empty() {
        local(form, theirs, "completedHtml", "completedHtml")
    } else {
        html
    };
    let html = form.fill(&html, BRACES, "completedHtml", &variable);
    form.thanks(&html, None);
    let address = text(theirs, "navigateToUrl").to_owned();
    form.redirect(&address, None);
    for (list, name) in [
        ("completedHtmlOnCondition", "html"),
        ("navigateToUrlOnCondition", "url"),
    ] {
        for ending in values(member(theirs, list)) {
            let rule = rule_of(form, FORMAT, text(ending, "expression"), list);
            let Some(conditions) = all_of(rule.into_iter().collect()) else {
                continue;
            };
            let words = local(form, ending, name, list);
            let filled = form.fill(&words, BRACES, list, &variable);
            if name == "html" {
                form.thanks(&filled, Some(conditions));
            } else {
                form.redirect(&filled, Some(conditions));
            }
        }
    }
}
