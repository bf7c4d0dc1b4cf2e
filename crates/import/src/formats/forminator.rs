//! Forminator: `data.fields`, `data.settings`, `data.behaviors` and `data.notifications`. Numbers and booleans are
//! often strings.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::mail::Mail;
use crate::forms::rules::conditions;
use crate::forms::templates::BRACES;
use crate::gravity_text::without_tags;
use crate::report::Report;
use crate::values::{either, is_on, member, number, put, put_text, text, values};

/// The number of grid columns in a row.
const COLUMNS: f64 = 12.0;

/// Whether a member is true; the string `false` counts as false.
fn on(value: &Value, name: &str) -> bool {
    is_on(value, name) && text(value, name) != "false"
}

/// Converts a form to a draft.
pub fn draft(theirs: &Value, clock: &Clock<'_>, report: &mut Report) -> Draft {
    let data = member(theirs, "data");
    let settings = member(data, "settings");
    let title = either(settings, "formName", "form-name");
    let mut form = Builder::new("forminator", title, report);
    if !matches!(text(settings, "form-type"), "" | "default") {
        form.note("unknown_setting", "form-type", "");
    }
    let words = member(settings, "submitData");
    form.button = text(words, "custom-submit-text").to_owned();
    form.message("error", text(words, "custom-invalid-form-message"));
    let pages = member(settings, "paginationData");
    let fields = values(member(data, "fields"));
    let mut breaks = fields
        .iter()
        .filter(|field| text(field, "type") == "page-break");
    // The title of a page break names the page before the break.
    let title_of = |field: Option<&&Value>| match field {
        Some(field) => text(pages, &[text(field, "element_id"), "-steps"].concat()).to_owned(),
        None => text(pages, "last-steps").to_owned(),
    };
    let first = breaks.next();
    if first.is_some() {
        form.title_page(&title_of(first));
    }
    for field in &fields {
        if text(field, "type") == "page-break" {
            let id = text(field, "element_id");
            form.page_buttons(
                text(pages, &[id, "-next"].concat()),
                text(pages, &[id, "-previous"].concat()),
            );
            let title = title_of(breaks.next());
            form.page(&title);
        } else {
            add(&mut form, field);
        }
    }
    if first.is_some() {
        form.page_buttons("", text(pages, "last-previous"));
    }
    for field in &fields {
        let id = text(field, "element_id");
        let place = form.find(id).map(|item| item.name.clone());
        if let Some(place) = place {
            let made = logic(&mut form, field, &place, "hide");
            form.show_if(id, made);
        }
    }
    for mail in values(member(data, "notifications")) {
        add_mail(&mut form, mail);
    }
    behaviors(&mut form, data, settings);
    limits(&mut form, settings, clock);
    form.finish()
}

fn add(form: &mut Builder<'_>, field: &Value) {
    let id = text(field, "element_id");
    let label = match either(field, "field_label", "section_title") {
        "" => text(field, "group_label"),
        label => label,
    };
    let theirs = text(field, "type");
    let place = if label.is_empty() || theirs == "captcha" {
        id
    } else {
        label
    };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    let group = form
        .find(text(field, "parent_group"))
        .map(|item| item.name.clone());
    form.group = group.unwrap_or_default();
    match kind {
        "paragraph" => form.paragraph(id, id, either(field, "variations", "content")),
        "fieldset" if on(field, "is_repeater") => {
            let item = form.item(id, "", label, "fieldset repeat");
            form.add(item);
        }
        _ => {
            let item = form.item(id, "", label, kind);
            let item = described(form, item, field);
            let name = [&item.name, "_text"].concat();
            form.add(item);
            if kind == "heading" {
                form.paragraph("", &name, text(field, "section_subtitle"));
            }
        }
    }
    form.group.clear();
}

fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    form.describe(&mut item, text(field, "description"));
    item.require(on(field, "required"));
    item.set("placeholder", text(field, "placeholder"));
    item.class(text(field, "custom-class"));
    if let Some(columns) = number(field, "cols") {
        item.width(columns / COLUMNS * 100.0);
    }
    by_kind(form, &mut item, field);
    item.complete_name();
    let default = either(field, "default_value", "default");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if matches!(
        item.kind,
        "text" | "textarea" | "number" | "hidden" | "email" | "url" | "tel"
    ) {
        item.set("default_value", default);
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    match item.kind {
        "name" if on(field, "multiple_name") => {
            for (part, ours) in [("fname", "first"), ("lname", "last")] {
                if on(field, part) {
                    item.choice("", ours, text(field, &[part, "_label"].concat()));
                }
            }
            for part in ["prefix", "mname"] {
                if on(field, part) {
                    form.note("part", &item.name, text(field, &[part, "_label"].concat()));
                }
            }
        }
        "name" => {
            item.kind = "text";
            item.attribute("autocomplete", "name");
        }
        "address" => address(item, field),
        "select" | "radio" | "checkbox" => choices(form, item, field),
        "number" => {
            item.bound("min", either(field, "limit_min", "slider_min"));
            item.bound("max", either(field, "limit_max", "slider_max"));
            item.attribute("step", text(field, "slider_step"));
        }
        "text" | "textarea" | "tel" => {
            if text(field, "limit_type") == "words" && on(field, "limit") {
                form.note("word_limit", &item.name, "");
            } else if item.kind != "tel" || text(field, "validation") != "standard" {
                item.longest(text(field, "limit"));
            }
        }
        "rating" => {
            item.bound_number("max", 5.0);
            item.longest(text(field, "max_rating"));
            if text(field, "icon") == "heart" {
                item.swap_class("cf-stars", "cf-hearts");
            }
        }
        "file" => files(form, item, field),
        "consent" => form.consent_label(
            item,
            either(field, "consent_description", "gdpr_description"),
        ),
        "heading" => item.label = without_tags(&item.label),
        _ => {}
    }
}

fn address(item: &mut Item, field: &Value) {
    for (theirs, ours) in [
        ("street_address", "street"),
        ("address_line", "street2"),
        ("address_city", "city"),
        ("address_state", "state"),
        ("address_zip", "postal_code"),
        ("address_country", "country"),
    ] {
        if on(field, theirs) {
            item.choice("", ours, text(field, &[theirs, "_label"].concat()));
        }
    }
}

fn choices(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let mut chosen = Vec::new();
    for option in values(member(field, "options")) {
        item.choice("", text(option, "value"), text(option, "label"));
        item.image(text(option, "image"));
        if on(option, "default") {
            chosen.push(item.value_of(text(option, "value")).to_owned());
        }
        if on(option, "limit") {
            form.note("unknown_option", &item.name, "limit");
        }
    }
    item.set("default_value", &chosen.join("\n"));
    item.flag(
        "multiple",
        item.kind == "select" && text(field, "value_type") == "multiselect",
    );
    if on(field, "enable_custom_option") {
        let label = text(field, "custom_option_label");
        item.attribute("data-other", if label.is_empty() { "Other" } else { label });
    }
}

fn files(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    item.bound_number("max", USUAL_FILE_BYTES);
    let unit = match text(field, "filesize") {
        "KB" => 1024.0,
        "B" => 1.0,
        _ => 1_048_576.0,
    };
    item.most_bytes(text(field, "upload-limit"), unit);
    let types = values(member(field, "filetypes"));
    let types: Vec<&str> = types.into_iter().filter_map(Value::as_str).collect();
    // The list has groups such as `all-document` in addition to all their extensions.
    item.accept(types.into_iter().filter(|name| !name.starts_with("all-")));
    if text(field, "file-type") == "multiple" {
        item.flag("multiple", true);
        form.note("maximum_of_files", &item.name, "");
    }
}

/// Converts the conditions of a field, mail or behavior. `hiding` is the value of `condition_action` that means "hide".
fn logic(form: &mut Builder<'_>, record: &Value, place: &str, hiding: &str) -> Option<Value> {
    let mut rules = Vec::new();
    for rule in values(member(record, "conditions")) {
        rules.extend(rule_of(form, rule, place));
    }
    let action = if text(record, "condition_action") == hiding {
        "hide"
    } else {
        "show"
    };
    let mode = if text(record, "condition_rule") == "any" {
        "any"
    } else {
        "all"
    };
    conditions(action, mode, rules)
}

fn rule_of(form: &mut Builder<'_>, rule: &Value, place: &str) -> Option<Value> {
    form.rule(
        text(rule, "element_id"),
        text(rule, "rule"),
        text(rule, "value"),
        place,
    )
}

/// This engine's variable for another product's tag, which is passed without its braces.
fn variable(form: &Builder<'_>, tag: &str) -> Option<String> {
    if form.find(tag).is_some() {
        return form.variable(tag, "");
    }
    // `name-1-first-name` names a part of the field `name-1`.
    let mut dashes = tag.match_indices('-').skip(1);
    if let Some((at, _)) = dashes.next() {
        let (id, part) = tag.split_at_checked(at)?;
        return form.variable(id, part.trim_start_matches('-'));
    }
    let ours = match tag {
        "all_fields" | "all_non_empty_fields" => "[all:label]",
        "submission_id" => "[CF_SUBMISSION_ID]",
        "submission_time" | "date_mdy" | "date_dmy" => "[CF_TIMESTAMP]",
        "form_name" => "[CF_FORM_TITLE]",
        "form_id" => "[CF_FORM_ID]",
        "user_ip" => "[CF_IP_ADDRESS]",
        "http_user_agent" => "[CF_USER_AGENT]",
        "embed_url" | "refer_url" | "http_refer" => "[CF_REFERRER_URL]",
        _ => return None,
    };
    Some(ours.to_owned())
}

fn add_mail(form: &mut Builder<'_>, mail: &Value) {
    let name = text(mail, "label");
    let place = if name.is_empty() {
        "notifications"
    } else {
        name
    };
    let before = form.report.lost_conditions;
    let conditions = logic(form, mail, place, "not_send");
    let is_off = form.report.is_condition_lost(before, place);
    let mut fill = |template: &str| form.fill(template, BRACES, place, &variable);
    let mut made = Mail {
        name: name.to_owned(),
        is_off,
        to: fill(text(mail, "recipients")),
        subject: fill(text(mail, "email-subject")),
        from_name: fill(text(mail, "from-name")),
        from_email: fill(text(mail, "from-email")),
        reply_to: fill(text(mail, "replyto-email")),
        cc: fill(text(mail, "cc-email")),
        bcc: fill(text(mail, "bcc-email")),
        message: fill(text(mail, "email-editor")),
        conditions,
        ..Mail::default()
    };
    if on(mail, "email-attachment") {
        made.attachments = form.file_fields();
    }
    if text(mail, "email-recipients") != "routing" {
        form.mail(made);
        return;
    }
    for route in values(member(mail, "routing")) {
        let to = form.fill(text(route, "email"), BRACES, place, &variable);
        let rule = rule_of(form, route, place);
        form.routed_mail(&made, to, rule);
    }
}

fn behaviors(form: &mut Builder<'_>, data: &Value, settings: &Value) {
    let all = values(member(data, "behaviors"));
    // Old files have a single behavior, in the settings.
    let all = if all.is_empty() { vec![settings] } else { all };
    for behavior in all {
        let place = match text(behavior, "label") {
            "" => "behaviors",
            label => label,
        };
        let made = logic(form, behavior, place, "hide");
        if text(behavior, "submission-behaviour") == "behaviour-redirect" {
            let address = form.fill(text(behavior, "redirect-url"), BRACES, place, &variable);
            form.redirect(&address, made);
        } else {
            let message = form.fill(text(behavior, "thankyou-message"), BRACES, place, &variable);
            form.thanks(&message, made);
        }
    }
}

fn limits(form: &mut Builder<'_>, settings: &Value, clock: &Clock<'_>) {
    match text(settings, "form-expire") {
        "submits" => {
            form.submission_limit(text(settings, "expire_submits"));
            form.message("submission_limit_reached", text(settings, "expire_message"));
        }
        "date" => {
            form.note("time_zone", "expire_date", clock.name());
            match clock.moment(text(settings, "expire_date")) {
                Some(moment) => put_text(&mut form.settings, "closes_at", &moment),
                None => form.note("schedule", "expire_date", ""),
            }
            form.message("form_closed", text(settings, "expire_message"));
        }
        _ => {}
    }
    if on(settings, "logged-users") {
        put(
            &mut form.settings,
            "require_user_logged_in",
            Value::Bool(true),
        );
    }
    if settings.get("store_submissions").is_some() && !on(settings, "store_submissions") {
        put(&mut form.settings, "save_submissions", Value::Bool(false));
    }
    if on(settings, "use_save_and_continue") {
        form.note("save_and_continue", "use_save_and_continue", "");
    }
    for check in ["akismet-protection", "akismet"] {
        if on(settings, check) {
            form.note("check_off", check, "");
        }
    }
}
