//! Tally: `blocks` in order. Blocks with the same `groupUuid` are one question, labelled by the title before it.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::formats::tally_text::{self, words};
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::gravity_text::without_tags;
use crate::report::Report;
use crate::values::{is_on, member, put_text, text, text_or_number, values};

/// The form in a response of the API, or in the data of the form's page.
pub fn form_of(file: &Value) -> &Value {
    let of_page = member(member(file, "props"), "pageProps");
    if of_page.is_object() { of_page } else { file }
}

/// Converts a form to a draft.
pub fn draft(theirs: &Value, clock: &Clock<'_>, report: &mut Report) -> Draft {
    let theirs = form_of(theirs);
    let blocks = values(member(theirs, "blocks"));
    let named = blocks
        .iter()
        .find(|block| text(block, "type") == "FORM_TITLE");
    let (title, _) = named.map(|block| words(block)).unwrap_or_default();
    let title = if title.is_empty() {
        text(theirs, "name").to_owned()
    } else {
        title
    };
    let mut form = Builder::new("tally", &title, report);
    form.origin.id = text(theirs, "id").to_owned();
    if let Some(block) = named {
        form.button = text(member(member(block, "payload"), "button"), "label").to_owned();
    }
    let mut walk = Walk {
        mentions: tally_text::mentions(&blocks),
        ..Walk::default()
    };
    let mut rest = blocks.as_slice();
    while let Some((block, after)) = rest.split_first() {
        let id = text(block, "groupUuid");
        let same = after.iter().take_while(|next| {
            text(next, "groupUuid") == id
                && text(next, "groupType") == text(block, "groupType")
                && !id.is_empty()
        });
        let count = same.count();
        let (more, next) = after.split_at_checked(count).unwrap_or((after, &[]));
        walk.blocks(&mut form, block, more);
        rest = next;
    }
    let thanks = walk.thanks.join("\n");
    form.thanks(&thanks, None);
    settings(&mut form, member(theirs, "settings"), clock);
    form.finish()
}

/// The state while reading the blocks.
#[derive(Default)]
struct Walk {
    /// The title for the next question.
    label: String,
    /// The number of paragraphs so far.
    texts: usize,
    /// Whether the thank-you page has begun.
    is_after: bool,
    thanks: Vec<String>,
    /// The fields that texts mention, by the ids of the mentions.
    mentions: Vec<(String, String)>,
}

impl Walk {
    /// Reads a block, and the following blocks `more` of the same question.
    fn blocks(&mut self, form: &mut Builder<'_>, block: &Value, more: &[&Value]) {
        let theirs = text(block, "type");
        let payload = member(block, "payload");
        if matches!(theirs, "FORM_TITLE") {
            return;
        }
        if self.is_after && theirs != "PAGE_BREAK" {
            let html = tally_text::html(form, block, &self.mentions);
            self.thanks
                .extend(Some(html).filter(|html| !html.is_empty()));
            return;
        }
        // A title may share the group of its question.
        if matches!(theirs, "TITLE" | "LABEL") {
            self.label = words(block).0;
            if let Some((first, rest)) = more.split_first() {
                self.blocks(form, first, rest);
            }
            return;
        }
        let place = match (theirs, self.label.as_str()) {
            ("CONDITIONAL_LOGIC", _) => String::new(),
            (_, "") => theirs.to_owned(),
            (_, label) => label.to_owned(),
        };
        let Some(kind) = form.kind(theirs, &place) else {
            if theirs != "CONDITIONAL_LOGIC" {
                self.label.clear();
            }
            return;
        };
        match kind {
            "step" if is_on(payload, "isThankYouPage") => self.is_after = true,
            "step" => form.page(""),
            "paragraph" | "heading" => self.words(form, block, kind),
            "hidden" => {
                for field in values(member(payload, "hiddenFields")) {
                    let name = text(field, "name");
                    let item = form.item(text(field, "uuid"), name, "", kind);
                    form.note("prefill", &item.name, "");
                    form.add(item);
                }
            }
            _ => self.question(form, kind, block, more),
        }
    }

    fn words(&mut self, form: &mut Builder<'_>, block: &Value, kind: &'static str) {
        let (words, is_formatted) = words(block);
        if words.is_empty() {
            return;
        }
        let text_name = if kind == "paragraph" {
            self.texts += 1;
            format!("text_{}", self.texts)
        } else {
            String::new()
        };
        let mut item = form.item(text(block, "uuid"), &text_name, &words, kind);
        item.label = words;
        if is_formatted {
            form.note("formatting", &item.name, "");
        }
        form.add(item);
    }

    fn question(
        &mut self,
        form: &mut Builder<'_>,
        kind: &'static str,
        block: &Value,
        more: &[&Value],
    ) {
        let payload = member(block, "payload");
        let all: Vec<&Value> = std::iter::once(block).chain(more.iter().copied()).collect();
        let option = |block: &Value| text(member(block, "payload"), "text").to_owned();
        let label = match std::mem::take(&mut self.label) {
            label if label.is_empty() => text(payload, "placeholder").to_owned(),
            label => label,
        };
        // A single box without a title is a consent, whose text is beside the box.
        let (kind, label) = if kind == "checkbox" && more.is_empty() && label.is_empty() {
            ("consent", option(block))
        } else {
            (kind, label)
        };
        let mut item = form.item(text(block, "groupUuid"), "", &label, kind);
        if text(block, "type").starts_with("MATRIX") {
            let of = |name: &str| {
                all.iter()
                    .filter(|block| text(block, "type") == name)
                    .collect::<Vec<_>>()
            };
            let rows: Vec<_> = (of("MATRIX_ROW").into_iter())
                .map(|row| {
                    (
                        String::new(),
                        option(row),
                        is_on(member(row, "payload"), "isRequired"),
                    )
                })
                .collect();
            let columns: Vec<_> = of("MATRIX_COLUMN")
                .into_iter()
                .map(|column| (String::new(), option(column)))
                .collect();
            let kind = if is_on(payload, "allowMultiple") {
                "checkbox"
            } else {
                "radio"
            };
            form.matrix(item, kind, &rows, &columns);
            return;
        }
        if matches!(kind, "radio" | "checkbox" | "select" | "select multiple") {
            all.iter()
                .for_each(|block| item.choice(text(block, "uuid"), "", &option(block)));
            if item.kind == "radio" && is_on(payload, "allowMultiple") {
                item.kind = "checkbox";
            }
        }
        described(form, &mut item, payload);
        form.add(item);
    }
}

fn described(form: &mut Builder<'_>, item: &mut Item, payload: &Value) {
    item.require(is_on(payload, "isRequired"));
    item.set("placeholder", text(payload, "placeholder"));
    by_kind(item, payload);
    item.complete_name();
    if is_on(payload, "hasOtherOption") {
        item.attribute("data-other", "Other");
    }
    if is_on(payload, "randomize") {
        form.note("random_order", &item.name, "");
    }
    if is_on(payload, "hasDefaultAnswer") {
        item.set("default_value", &text_or_number(payload, "defaultAnswer"));
    }
}

/// Sets the properties that depend on the kind of field.
fn by_kind(item: &mut Item, payload: &Value) {
    let number = |flag: &str, name: &str| {
        if is_on(payload, flag) {
            text_or_number(payload, name)
        } else {
            String::new()
        }
    };
    match item.kind {
        "rating" if payload.get("stars").is_some() => {
            item.longest(&text_or_number(payload, "stars"))
        }
        "rating" => {
            let end =
                |name: &str, usual: f64| crate::values::number(payload, name).unwrap_or(usual);
            item.scale(end("start", 0.0), end("end", 10.0));
            let label = |flag: &str, name: &str| {
                if is_on(payload, flag) {
                    text(payload, name).to_owned()
                } else {
                    String::new()
                }
            };
            item.ends(
                &label("hasLeftLabel", "leftLabel"),
                &label("hasRightLabel", "rightLabel"),
            );
        }
        "number" => {
            item.bound("min", &number("hasMinNumber", "minNumber"));
            item.bound("max", &number("hasMaxNumber", "maxNumber"));
        }
        "checkbox" | "select" => {
            item.bound("min", &number("hasMinChoices", "minChoices"));
            item.bound("max", &number("hasMaxChoices", "maxChoices"));
        }
        "text" | "textarea" => {
            item.bound("min", &number("hasMinCharacters", "minCharacters"));
            item.longest(&number("hasMaxCharacters", "maxCharacters"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(&number("hasMaxFileSize", "maxFileSize"), 1_048_576.0);
            item.flag("multiple", is_on(payload, "hasMultipleFiles"));
            let types = values(member(payload, "allowedFiles"))
                .into_iter()
                .filter_map(Value::as_str);
            item.accept(types);
        }
        _ => {}
    }
}

fn settings(form: &mut Builder<'_>, settings: &Value, clock: &Clock<'_>) {
    put_text(&mut form.settings, "language", text(settings, "language"));
    form.submission_limit(&text_or_number(settings, "submissionsLimit"));
    let close = [
        text(settings, "closeMessageTitle"),
        text(settings, "closeMessageDescription"),
    ];
    let close: Vec<&str> = close
        .into_iter()
        .map(|part| part.trim().trim_end_matches('.'))
        .filter(|part| !part.is_empty())
        .collect();
    if !close.is_empty() {
        let close = [&close.join(". "), "."].concat();
        form.message("submission_limit_reached", &close);
        form.message("form_closed", &close);
    }
    if is_on(settings, "saveForLater") {
        form.note("save_and_continue", "saveForLater", "");
    }
    if is_on(settings, "password") {
        form.note("unknown_setting", "password", "");
    }
    let date = [text(settings, "closeDate"), text(settings, "closeTime")].join(" ");
    if !date.trim().is_empty() {
        form.note("time_zone", "closeDate", clock.name());
        match clock.moment(date.trim()) {
            Some(moment) => put_text(&mut form.settings, "closes_at", &moment),
            None => form.note("schedule", "closeDate", ""),
        }
    }
    form.redirect(text(settings, "redirectOnCompletion"), None);
    for (flag, prefix) in [
        ("hasSelfEmailNotifications", "selfEmail"),
        ("hasRespondentEmailNotifications", "respondentEmail"),
    ] {
        if !is_on(settings, flag) {
            continue;
        }
        let get = |name: &str| without_tags(text(settings, &[prefix, name].concat()));
        let mut to = get("To");
        if !to.contains('@') {
            let field = form.items.iter().find(|item| item.kind == "email");
            to = field
                .map(|item| ["[", &item.name, "]"].concat())
                .unwrap_or_default();
        }
        form.mail(Mail {
            to,
            subject: get("Subject"),
            from_name: get("FromName"),
            reply_to: get("ReplyTo"),
            message: text(settings, &[prefix, "Body"].concat()).to_owned(),
            ..Mail::default()
        });
    }
}
