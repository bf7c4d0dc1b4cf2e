//! Reads a whole site's export (WXR): the forms of known plugins, and Flamingo's messages. It reports the places where
//! pages embed forms, so that users can put the imported forms there.

use model::dates::parse_moment;
use model::status::{NEW, SPAM};
use serde_json::{Map, Value};

use crate::formats::forminator;
use crate::values::{
    counterpart, entries, member, numbers_as_texts, put, shortened, text, text_or_number, texts,
    values,
};
use crate::{
    Clock, Contents, Draft, MAX_FORMS, Origin, Report, SubmissionDraft, contact_form_7, html_forms,
    php,
};

/// The longest shortcode, in characters.
const MAX_SHORTCODE_CHARS: usize = 400;

/// The maximum number of places that a report lists.
const MAX_PLACES: usize = 500;

/// A plugin whose forms pages embed.
struct Plugin {
    title: &'static str,
    /// The names of its shortcodes and blocks, each with the member that names the form.
    places: &'static [(&'static str, &'static str)],
    /// The post type of its forms; empty if its forms are not posts, so that the file lacks them.
    kind: &'static str,
    /// The menu where its forms can be exported, as the end of a sentence.
    menu: &'static str,
}

const PLUGINS: [Plugin; 9] = [
    Plugin {
        title: "Contact Form 7",
        places: &[
            ("contact-form-7", "id"),
            ("contact-form-7/contact-form-selector", "id"),
        ],
        kind: "wpcf7_contact_form",
        menu: "",
    },
    Plugin {
        title: "Forminator",
        places: &[("forminator_form", "id"), ("forminator/forms", "module_id")],
        kind: FORMINATOR,
        menu: "",
    },
    Plugin {
        title: "HTML Forms",
        places: &[("hf_form", "slug")],
        kind: "html-form",
        menu: "",
    },
    Plugin {
        title: "Core Forms",
        places: &[("cf_form", "slug")],
        kind: "core-form",
        menu: "",
    },
    Plugin {
        title: "Gravity Forms",
        places: &[
            ("gravityform", "id"),
            ("gravityforms", "id"),
            ("gravityforms/form", "formId"),
        ],
        kind: "",
        menu: " (Forms → Import/Export)",
    },
    Plugin {
        title: "WPForms",
        places: &[("wpforms", "id"), ("wpforms/form-selector", "formId")],
        kind: "",
        menu: " (Tools → Export)",
    },
    Plugin {
        title: "Fluent Forms",
        // The plugin spells the name of its block this way.
        places: &[("fluentform", "id"), ("fluentfom/guten-block", "formId")],
        kind: "",
        menu: " (Tools → Export)",
    },
    Plugin {
        title: "Ninja Forms",
        places: &[
            ("ninja_form", "id"),
            ("ninja_forms", "id"),
            ("ninja_forms_display_form", "id"),
            ("ninja-forms/form", "formID"),
        ],
        kind: "",
        menu: "",
    },
    Plugin {
        title: "Formidable",
        places: &[
            ("formidable", "id"),
            ("formidable", "key"),
            ("formidable/simple-form", "formId"),
        ],
        kind: "",
        menu: " (Import/Export)",
    },
];

const FORMINATOR: &str = "forminator_forms";
const FLAMINGO: &str = "flamingo_inbound";

/// Whether a file needs this reader: it has forms of Forminator, messages of Flamingo, or pages that embed forms.
pub fn is_one(posts: &[Value]) -> bool {
    posts.iter().any(|post| {
        let kind = text(post, "kind");
        matches!(kind, FORMINATOR | FLAMINGO)
            || !is_form(kind) && !embeds(text(post, "content")).is_empty()
    })
}

fn is_form(kind: &str) -> bool {
    kind == FORMINATOR || counterpart("posts.formats", kind).is_some()
}

/// Reads the forms and messages of a site, and reports where pages embed forms.
pub fn read(site: &Value, posts: &[Value], clock: &Clock<'_>, report: &mut Report) -> Contents {
    let mut found: Vec<&Value> = posts
        .iter()
        .filter(|post| is_form(text(post, "kind")))
        .collect();
    report.keep_first(&mut found, MAX_FORMS, "too_many_forms");
    let forms: Vec<Draft> = found
        .iter()
        .map(|post| draft(post, site, clock, report))
        .collect();
    let mut messages: Vec<&Value> = posts
        .iter()
        .filter(|post| text(post, "kind") == FLAMINGO)
        .collect();
    report.begin("");
    report.keep_first_submissions(&mut messages);
    let submissions = messages
        .into_iter()
        .map(|post| message(post, &found, &forms))
        .collect();
    let mut left = MAX_PLACES;
    for post in posts.iter().filter(|post| !is_form(text(post, "kind"))) {
        report.begin(text(post, "title"));
        for (plugin, id) in embeds(text(post, "content")).into_iter().take(left) {
            left -= 1;
            note_place(plugin, &id, posts, (&found, &forms), report);
        }
    }
    report.begin("");
    Contents {
        format: "wordpress".to_owned(),
        forms,
        submissions,
        ..Contents::default()
    }
}

/// The draft of a post that is a form. Its origin is the post's address, by which later imports recognise the form.
fn draft(post: &Value, site: &Value, clock: &Clock<'_>, report: &mut Report) -> Draft {
    let mut made = match text(post, "kind") {
        "wpcf7_contact_form" => contact_form_7::draft(post, site, report),
        FORMINATOR => {
            let stored = text(member(post, "meta"), "forminator_form_meta");
            let mut data = php::unserialize(stored).unwrap_or_default();
            numbers_as_texts(&mut data);
            let mut theirs = texts(&[("type", "form")]);
            put(&mut theirs, "data", data);
            let mut made = forminator::draft(&Value::Object(theirs), clock, report);
            if made.title.is_empty() {
                text(post, "title").clone_into(&mut made.title);
            }
            made
        }
        _ => html_forms::draft(post, report),
    };
    if !text(post, "id").is_empty() {
        made.origin = Origin {
            id: shortened(&[text(site, "link"), "?p=", text(post, "id")].concat(), 100).to_owned(),
            created_at: String::new(),
        };
    }
    made
}

/// The form in the file that a page embeds.
fn form_named<'f>(
    plugin: &Plugin,
    id: &str,
    (posts, forms): (&[&Value], &'f [Draft]),
) -> Option<&'f Draft> {
    let is_it = |post: &&Value| {
        let is_hash = id.len() >= 7 && text(member(post, "meta"), "_hash").starts_with(id);
        text(post, "kind").replace('_', "-") == plugin.kind.replace('_', "-")
            && (text(post, "id") == id || text(post, "slug") == id || is_hash)
    };
    let mut both = posts.iter().zip(forms);
    both.find_map(|(post, form)| is_it(post).then_some(form))
}

/// Reports a place where a page embeds a form.
fn note_place(
    plugin: &Plugin,
    id: &str,
    posts: &[Value],
    found: (&[&Value], &[Draft]),
    report: &mut Report,
) {
    let is_of = |post: &&Value, kind: &str| text(post, "kind") == kind;
    let (code, what) = match (plugin.kind, form_named(plugin, id, found)) {
        (_, Some(form)) => (
            "embedded_form",
            ["imported from this file as ", &form.title].concat(),
        ),
        ("", None) => {
            let submissions = posts.iter().filter(|post| is_of(post, "nf_sub"));
            let of_form = submissions
                .filter(|post| text(member(post, "meta"), "_form_id") == id)
                .count();
            let has_actions = posts.iter().any(|post| is_of(&post, "frm_form_actions"));
            let more = match plugin.title {
                "Ninja Forms" if of_form > 0 => {
                    format!("; the file has {of_form} of its submissions")
                }
                "Formidable" if has_actions => "; the file has its actions only".to_owned(),
                _ => String::new(),
            };
            (
                "not_in_file",
                ["export it there", plugin.menu, &more].concat(),
            )
        }
        (_, None) => (
            "embedded_form",
            "there is no such form in the file".to_owned(),
        ),
    };
    report.note(code, "", &[plugin.title, " ", id, ": ", &what].concat());
}

/// The plugins and ids of the forms that a page embeds, by shortcodes and blocks.
fn embeds(content: &str) -> Vec<(&'static Plugin, String)> {
    let mut found = Vec::new();
    for (at, _) in content.match_indices('[').filter(|_| content.contains(']')) {
        // Doubled brackets display a shortcode as text.
        let is_escaped = content
            .get(..at)
            .is_some_and(|before| before.ends_with('['));
        let rest = content.get(at + 1..).unwrap_or_default();
        let is_name = rest.starts_with(|c: char| c.is_ascii_alphabetic());
        if let Some((code, _)) = shortened(rest, MAX_SHORTCODE_CHARS)
            .split_once(']')
            .filter(|_| is_name && !is_escaped)
        {
            let (name, attributes) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
            let value = |member: &str| {
                let mut all = attributes
                    .split_whitespace()
                    .filter_map(|one| one.split_once('='));
                let (_, value) = all.find(|(name, _)| *name == member)?;
                Some(value.trim_matches(['"', '\'', '/']).to_owned())
            };
            found.extend(named(name, &value));
        }
    }
    for block in content.split("<!-- wp:").skip(1) {
        let block = shortened(block, MAX_SHORTCODE_CHARS);
        let (name, rest) = block.split_once(' ').unwrap_or((block, ""));
        let json = rest
            .split("-->")
            .next()
            .unwrap_or_default()
            .trim()
            .trim_end_matches('/');
        let value = |member: &str| {
            let members: Value = serde_json::from_str(json).ok()?;
            Some(text_or_number(&members, member))
        };
        found.extend(named(name, &value));
    }
    found
}

/// The plugin of a shortcode or block, and the form that it names.
fn named(name: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<(&'static Plugin, String)> {
    PLUGINS.iter().find_map(|plugin| {
        let mut places = plugin.places.iter().filter(|(known, _)| *known == name);
        let id = places.find_map(|(_, member)| value(member).filter(|id| !id.is_empty()))?;
        Some((plugin, id))
    })
}

/// Converts a message of Flamingo. Its form is the one that its channel names, or else the first with fields for all
/// its answers.
fn message(post: &Value, posts: &[&Value], forms: &[Draft]) -> SubmissionDraft {
    let meta = member(post, "meta");
    let mut answers = Map::new();
    for (name, value) in entries(meta) {
        if let (Some(name), Some(stored)) = (name.strip_prefix("_field_"), value.as_str()) {
            put(&mut answers, name, answer(stored));
        }
    }
    let mut of_cf7 = posts
        .iter()
        .zip(forms)
        .filter(|(post, _)| text(post, "kind") == "wpcf7_contact_form");
    let channel = text(post, "channel");
    let by_channel = of_cf7
        .clone()
        .find(|(post, _)| !channel.is_empty() && text(post, "slug") == channel);
    let has_all = |form: &Draft| {
        let has = |name: &String| {
            ["\"", "[]\""]
                .iter()
                .any(|end| form.markup.contains(&["name=\"", name, end].concat()))
        };
        !answers.is_empty() && answers.keys().all(has)
    };
    let form = by_channel.or_else(|| of_cf7.find(|(_, form)| has_all(form)));
    let visit = php::unserialize(text(meta, "_meta")).unwrap_or_default();
    SubmissionDraft {
        form: form
            .map(|(_, form)| form.origin.clone())
            .unwrap_or_default(),
        key: ["flamingo-", text(post, "id")].concat(),
        source: "flamingo".to_owned(),
        submitted_at: parse_moment(text(post, "at")),
        answers,
        status: if text(post, "status") == "flamingo-spam" {
            SPAM
        } else {
            NEW
        }
        .to_owned(),
        ip_address: text(&visit, "remote_ip").to_owned(),
        user_agent: text(&visit, "user_agent").to_owned(),
        referer_url: text(&visit, "url").to_owned(),
        ..SubmissionDraft::default()
    }
}

/// An answer of Flamingo: a text, or a serialized list.
fn answer(stored: &str) -> Value {
    let list = Some(stored)
        .filter(|stored| stored.starts_with("a:"))
        .and_then(php::unserialize);
    let Some(list) = list else {
        return stored.into();
    };
    match values(&list).as_slice() {
        [one] => (*one).clone(),
        several => several.iter().map(|item| (*item).clone()).collect(),
    }
}
