//! Spam traps of other systems: texts of hidden controls that make one, and traps that a form declares.

use cf_forms::markup::{for_visitors, parse, sanitize};
use serde_json::json;

use crate::front_fixture::{make_form, submit};
use crate::host::Host;

/// Returns the traps in a form's HTML.
fn traps(html: &str) -> Vec<String> {
    let schema = parse(html).unwrap().schema;
    schema.spam_traps().map(str::to_owned).collect()
}

const HIDDEN: [&str; 12] = [
    "<p class=d-none>{}</p>",
    "<p class=visually-hidden>{}</p>",
    "<p class=sr-only>{}</p>",
    "<p class='absolute -left-[9999px]'>{}</p>",
    "<p hidden>{}</p>",
    "<div aria-hidden=true>{}</div>",
    "<div style='position: absolute; left: -5000px'>{}</div>",
    "<div style='display:none !important'>{}</div>",
    "<div style='height: 0px; overflow: hidden'>{}</div>",
    "<div style='margin-left: -9999px'>{}</div>",
    "<div style='position:absolute; clip: rect(0 0 0 0)'>{}</div>",
    "<div style='transform: translateX(-9999px)'>{}</div>",
];

const WARNINGS: [&str; 34] = [
    "Bitte lassen Sie dieses Feld leer",
    "Lass dieses Feld leer, wenn du ein Mensch bist",
    "Bitte leer lassen",
    "Dieses Feld bitte nicht ausfüllen!",
    "Leave blank",
    "Leave this blank if you're human",
    "Leave this field blank to prove that you are human",
    "If you are human, leave this field empty.",
    "This field should be left blank",
    "Please keep this field empty",
    "Don’t fill this out",
    "Do not fill in this field",
    "Laissez vide",
    "Ne pas remplir",
    "Laissez ce champ vide si vous êtes humain",
    "Laat leeg",
    "Laat dit veld leeg als je een mens bent",
    "Niet invullen",
    "Lasciare vuoto",
    "Non compilare questo campo",
    "Deja este campo vacío",
    "Dejar en blanco",
    "No rellenar",
    "Deixe este campo vazio",
    "Não preencha este campo",
    "Pozostaw to pole puste",
    "Nie wypełniaj tego pola",
    "Bu alanı boş bırakın",
    "このフィールドは空欄のままにしてください",
    "请将此字段留空",
    "不要填写此字段",
    "اترك هذا الحقل فارغًا",
    "נא להשאיר שדה זה ריק",
    "Robots only: do not fill this",
];

const OTHERS: [&str; 22] = [
    "Leave blank if none",
    "Leave blank to keep your current password",
    "Company (you may leave this blank)",
    "Can be left empty",
    "Must not be left blank",
    "Do not leave blank",
    "Leave blank if no personal website",
    "Leave empty if both addresses are the same",
    "Leer lassen, falls unbekannt",
    "Leer lassen, um das Passwort zu behalten",
    "Dieses Feld darf nicht leer bleiben",
    "Kann leer bleiben",
    "Laissez vide si inconnu",
    "Ne laissez pas ce champ vide",
    "Laat leeg als u het niet weet",
    "Lasciare vuoto se non presente",
    "Dejar vacío si no aplica",
    "Deixe vazio se não souber",
    "Zostaw puste, jeśli nie dotyczy",
    "任意。空欄のままでも送信できます",
    "没有可以留空",
    "VAT number",
];

#[test]
fn a_hidden_control_with_a_leave_empty_text_is_a_trap_in_every_language() {
    for words in WARNINGS {
        let control = format!("<label>{words} <input name=website></label>");
        let html = format!("<form><p class=d-none>{control}</p><input name=a></form>");
        assert_eq!(traps(&html), ["website"], "{words}");
        // A visible control is a field, even if its text suggests a trap.
        assert!(
            traps(&format!("<form>{control}</form>")).is_empty(),
            "{words}"
        );
    }
    for words in OTHERS {
        let control = format!("<label>{words} <input name=website></label>");
        let html = format!("<form><p class=d-none>{control}</p><input name=a></form>");
        assert!(traps(&html).is_empty(), "{words}");
    }
}

#[test]
fn a_hidden_control_is_a_trap_only_with_such_a_text() {
    for around in HIDDEN {
        for (words, expected) in [
            ("Leave blank", 1),
            ("Website", 0),
            ("Leave blank if none", 0),
        ] {
            let control = format!("<label>{words} <input name=website></label>");
            let html = format!(
                "<form>{}<input name=a></form>",
                around.replace("{}", &control)
            );
            assert_eq!(traps(&html).len(), expected, "{html}");
        }
    }
    for shown in [
        "<p class='chapter'>{}</p>",
        "<p style='height: 10px; left: -5px; opacity: 0.9'>{}</p>",
    ] {
        let html = shown.replace("{}", "<label>Leave blank <input name=website></label>");
        assert!(traps(&html).is_empty(), "{html}");
    }
}

#[test]
fn a_declared_trap_survives_the_removal_of_the_form_tag() {
    for attribute in ["netlify-honeypot", "data-netlify-honeypot"] {
        let html = format!(
            "<form {attribute}=\"bot-field\"><p class=nobody><label>Website <input name='bot-field' /></label></p><input name=a></form>"
        );
        let (safe, _) = sanitize(&html).unwrap();
        assert!(!safe.contains("<form"), "{safe}");
        assert_eq!(traps(&safe), ["bot-field"], "{safe}");
        assert_eq!(sanitize(&safe).unwrap().0, safe);
        assert!(for_visitors(&safe, "").contains("hidden"), "{safe}");
    }
    let plain = "<p><input name=bot-field></p>";
    assert_eq!(sanitize(plain).unwrap().0, plain);
}

#[test]
fn a_declared_trap_survives_an_import() {
    let mut host = Host::new();
    let page = "<!doctype html><title>Hi</title><body><form netlify-honeypot=bot-field>\
                <p><label>Website <input name=bot-field></label></p>\
                <label>Name <input name=name></label></form>";
    let body = json!({ "content": page });
    let (status, imported) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(status, 200, "{imported}");
    let markup = imported["forms"][0]["markup"].as_str().unwrap();
    assert_eq!(traps(markup), ["bot-field"], "{markup}");
}

#[test]
fn an_autofilled_trap_does_not_change_the_answers() {
    let mut host = Host::new();
    let markup = "<form netlify-honeypot=website><label>Name <input name=name></label><input name=website></form>";
    let (_, slug) = make_form(&mut host, markup, json!({}));
    let key = ("_submission_key", "s-0123456789");
    let first = submit(&mut host, &slug, &[("name", "Ada"), ("website", ""), key]);
    let again = submit(
        &mut host,
        &slug,
        &[("name", "Ada"), ("website", "x.example"), key],
    );
    assert_eq!(first, again);
    let (_, list) = host.send("GET", "/submissions?status=any", None);
    assert_eq!(list.as_array().unwrap().len(), 1);
}
