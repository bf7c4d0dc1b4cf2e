//! Converts the questions of SurveyJS.

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::values::{entries, is_on, is_set, member, number, text, text_or_number, values};
use serde_json::Value;

/// A text in the default language, and the names of the other languages.
pub fn words(value: &Value) -> (String, String) {
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

/// The text of a member in the default language; other languages are reported.
pub fn local(form: &mut Builder<'_>, record: &Value, name: &str, place: &str) -> String {
    let (word, others) = words(member(record, name));
    if !others.is_empty() {
        form.note("language", place, &others);
    }
    word
}

pub fn matrix(form: &mut Builder<'_>, element: &Value, title: &str) {
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

/// The value and label of a choice, which is a text or an object.
pub fn choice(form: &mut Builder<'_>, item: &Value, place: &str) -> (String, String) {
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

pub fn described(form: &mut Builder<'_>, mut item: Item, element: &Value) -> Item {
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

/// Sets the kind and the bounds of an input by its `inputType`.
pub fn input(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
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

pub fn choices(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
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

pub fn rating(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
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
    let end = |name: &str, usual: f64| number(element, name).unwrap_or(usual);
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

pub fn validators(form: &mut Builder<'_>, item: &mut Item, element: &Value) {
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
