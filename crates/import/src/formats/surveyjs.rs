//! SurveyJS: `pages` of `elements`, nested in panels; conditions are expressions.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::logic::{all_of, rule_of};
use crate::forms::templates::BRACES;
use crate::report::Report;
use crate::values::{
    either, entries, is_on, is_set, member, put, put_text, text, text_or_number, values,
};

const FORMAT: &str = "surveyjs";

/// The most levels of panels.
const MAX_DEPTH: usize = 24;

/// The draft of a form.
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

/// A text in the default language, and the names of the others.
fn words(value: &Value) -> (String, String) {
    match value {
        Value::Object(_) => {
            let all = entries(value);
            let default = all
                .iter()
                .find(|(language, _)| *language == "default")
                .or(all.first());
            let used = default.map_or("", |(language, _)| *language);
            let others = all
                .iter()
                .map(|(language, _)| *language)
                .filter(|language| *language != used);
            let others: Vec<&str> = others.collect();
            let word = default
                .and_then(|(_, word)| word.as_str())
                .unwrap_or_default();
            (word.to_owned(), others.join(", "))
        }
        Value::Number(number) => (number.to_string(), String::new()),
        Value::Bool(on) => (on.to_string(), String::new()),
        _ => (value.as_str().unwrap_or_default().to_owned(), String::new()),
    }
}

/// A text of a record; other languages are reported.
fn local(form: &mut Builder<'_>, record: &Value, name: &str, place: &str) -> String {
    let (word, others) = words(member(record, name));
    if !others.is_empty() {
        form.note("language", place, &others);
    }
    word
}

/// The way through the elements.
#[derive(Default)]
struct Walk {
    /// The conditions of the pages and panels around.
    around: Vec<String>,
    /// The elements with conditions: id, expressions, and when they are required.
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
        // Fields of a group are hidden with it.
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

    /// Gives the fields their conditions.
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

fn matrix(form: &mut Builder<'_>, element: &Value, title: &str) {
    let name = text(element, "name");
    let is_required = is_on(element, "isAllRowRequired") || is_on(element, "eachRowRequired");
    let mut pairs = |list: &str| -> Vec<(String, String)> {
        let items = values(member(element, list)).into_iter();
        items.map(|item| choice(form, item, name)).collect()
    };
    let rows: Vec<_> = pairs("rows")
        .into_iter()
        .map(|(value, label)| (value, label, is_required))
        .collect();
    let columns = pairs("columns");
    let mut frame = form.item(name, name, title, "fieldset");
    let about = local(form, element, "description", name);
    form.describe(&mut frame, &about);
    let kind = if text(element, "cellType") == "checkbox" {
        "checkbox"
    } else {
        "radio"
    };
    form.matrix(frame, kind, &rows, &columns);
}

/// The value and label of a choice, a text or an object.
fn choice(form: &mut Builder<'_>, item: &Value, place: &str) -> (String, String) {
    if !item.is_object() {
        let (word, _) = words(item);
        return (word.clone(), word);
    }
    let value = match words(member(item, "value")).0 {
        value if value.is_empty() => text(item, "name").to_owned(),
        value => value,
    };
    let label = match local(form, item, "text", place) {
        label if label.is_empty() => words(member(item, "title")).0,
        label => label,
    };
    let label = if label.is_empty() {
        value.clone()
    } else {
        label
    };
    (value, label)
}

fn described(form: &mut Builder<'_>, mut item: Item, element: &Value) -> Item {
    let place = item.name.clone();
    let about = local(form, element, "description", &place);
    form.describe(&mut item, &about);
    let placeholder = match local(form, element, "placeholder", &place) {
        word if word.is_empty() => local(form, element, "placeHolder", &place),
        word => word,
    };
    item.set("placeholder", &placeholder);
    let number = |name: &str| text_or_number(element, name);
    match item.kind {
        "text" => input(form, &mut item, element),
        "textarea" => {
            item.attribute("rows", &number("rows"));
            item.longest(&number("maxLength"));
        }
        "radio" if text(element, "type") == "boolean" => {
            for (value, label, usual, word) in [
                ("valueTrue", "labelTrue", "true", "Yes"),
                ("valueFalse", "labelFalse", "false", "No"),
            ] {
                let sent = match words(member(element, value)).0 {
                    sent if sent.is_empty() => usual.to_owned(),
                    sent => sent,
                };
                let label = match local(form, element, label, &place) {
                    label if label.is_empty() => word.to_owned(),
                    label => label,
                };
                item.choice(usual, &sent, &label);
            }
        }
        "radio" | "checkbox" | "select" => choices(form, &mut item, element),
        "rating" => rating(form, &mut item, element),
        "number" => {
            item.bound("min", &number("min"));
            item.bound("max", &number("max"));
            item.attribute("step", &number("step"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(&number("maxSize"), 1.0);
            item.accept(text(element, "acceptedTypes").split(','));
            item.flag("multiple", is_on(element, "allowMultiple"));
        }
        _ => {}
    }
    item.require(is_on(element, "isRequired"));
    validators(form, &mut item, element);
    let default = words(member(element, "defaultValue")).0;
    if !matches!(item.kind, "file" | "rating") {
        item.set("default_value", &default);
    }
    if is_set(member(element, "enableIf")) {
        form.note("expression", &place, "enableIf");
    }
    item
}

/// The kind of an input by its type.
fn input(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
    let theirs = text(element, "inputType");
    item.kind = match theirs {
        "email" => "email",
        "url" => "url",
        "tel" => "tel",
        "number" | "range" => "number",
        "date" => "date",
        "time" => "time",
        "password" => "password",
        "datetime-local" => "date",
        "color" | "month" | "week" => {
            form.note("field_type", &item.name, theirs);
            "text"
        }
        _ => "text",
    };
    if item.kind == "number" {
        item.bound("min", &text_or_number(element, "min"));
        item.bound("max", &text_or_number(element, "max"));
        item.attribute("step", &text_or_number(element, "step"));
    } else if item.kind == "date" {
        item.attribute("min", text(element, "min"));
        item.attribute("max", text(element, "max"));
    } else {
        item.longest(&text_or_number(element, "maxLength"));
    }
}

fn choices(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
    let place = item.name.clone();
    for theirs in values(member(element, "choices")) {
        let (value, label) = choice(form, theirs, &place);
        item.choice("", &value, &label);
        item.image(text(theirs, "imageLink"));
    }
    if is_on(element, "showNoneItem") || is_on(element, "hasNone") {
        let label = local(form, element, "noneText", &place);
        item.choice("", "none", if label.is_empty() { "None" } else { &label });
    }
    if is_on(element, "showOtherItem") || is_on(element, "hasOther") {
        let label = local(form, element, "otherText", &place);
        item.attribute(
            "data-other",
            if label.is_empty() { "Other" } else { &label },
        );
    }
    if element.get("choicesByUrl").is_some() {
        form.note("choices_elsewhere", &place, "");
    }
    if text(element, "choicesOrder") == "random" {
        form.note("random_order", &place, "");
    }
    if item.kind == "radio" && is_on(element, "multiSelect") {
        item.kind = "checkbox";
    }
    if item.kind != "select"
        && element
            .get("colCount")
            .is_some_and(|count| count.as_u64() != Some(1))
    {
        item.class("cf-columns");
    }
    item.bound("min", &text_or_number(element, "minSelectedChoices"));
    item.longest(&text_or_number(element, "maxSelectedChoices"));
}

fn rating(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
    let place = item.name.clone();
    let rates = values(member(element, "rateValues"));
    if !rates.is_empty() {
        item.kind = "radio";
        for rate in rates {
            let (value, label) = choice(form, rate, &place);
            item.choice("", &value, &label);
        }
        return;
    }
    let end = |name: &str, usual: f64| {
        text_or_number(element, name)
            .parse::<f64>()
            .unwrap_or(usual)
    };
    let (least, most) = (end("rateMin", 1.0), end("rateMax", end("rateCount", 5.0)));
    if matches!(text(element, "rateType"), "stars") && least == 1.0 {
        item.class("cf-stars");
        item.bound_number("max", most);
    } else {
        item.scale(least, most);
    }
    let first = local(form, element, "minRateDescription", &place);
    let last = local(form, element, "maxRateDescription", &place);
    item.ends(&first, &last);
}

fn validators(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
    for validator in values(member(element, "validators")) {
        let number = |name: &str| text_or_number(validator, name);
        let (least, most) = match text(validator, "type") {
            "numeric" | "numericvalidator" => ("minValue", "maxValue"),
            "text" => ("minLength", "maxLength"),
            "answercount" => ("minCount", "maxCount"),
            "regex" => {
                item.pattern(text(validator, "regex"));
                ("", "")
            }
            "email" => ("", ""),
            other => {
                form.note("expression", &item.name, other);
                ("", "")
            }
        };
        item.bound("min", &number(least));
        item.bound("max", &number(most));
        let (words, _) = words(member(validator, "text"));
        if !words.is_empty() {
            form.note("error_message/words", &item.name, &words);
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

/// This engine's variable for a tag without its braces.
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
