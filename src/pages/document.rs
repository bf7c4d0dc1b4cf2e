//! The document around a form, and the path of a form's page.

use super::scripts::Scripts;
use super::theme;
use crate::forms::language::{direction, language};
use crate::forms::messages::message_text;
use crate::forms::{Field, Form, FormSchema, LayoutType, Status, effective_schema};
use crate::markup::escape::escaped;
use crate::task::Context;

/// The HTML of a form's page. For an error status, the document's title begins with the error.
pub fn form_document(
    cx: &Context,
    form: &Form,
    status: u16,
    body: &str,
    scripts: &Scripts,
) -> String {
    let language = language(form).unwrap_or("en");
    let heading = match form.status {
        Status::Draft => form.word("draft_title").replace("{title}", &form.title),
        _ => form.title.clone(),
    };
    let title = if status >= 400 {
        message_text(&form.messages, "error_title").replace("{title}", &heading)
    } else {
        heading.clone()
    };
    let titles = [title.as_str(), &heading];
    html_document(cx, Some(form), scripts, language, titles, body)
}

/// The elements that load the style sheets and the script of a form.
pub fn links(cx: &Context, form: Option<&Form>, scripts: &Scripts) -> String {
    let configuration = cx.shared().configuration();
    let front = format!("{}{}", site_path(cx), configuration.front_prefix);
    let asset = |kind: &str| {
        let name = configuration.assets.get(kind)?;
        Some(format!("/-/assets/{name}"))
    };
    let values = form.and_then(theme::values_path);
    let schema = form.and_then(|form| effective_schema(cx, form).ok());
    let is = |has: fn(&FormSchema) -> bool| schema.as_ref().is_some_and(|schema| has(schema));
    let is_conversational = is(|schema| schema.layout.kind == LayoutType::Conversational);
    let conversation = asset("conversation").filter(|_| is_conversational);
    let has_rare = is(|schema| schema.fields.iter().any(Field::has_rare_look));
    let fields = asset("fields").filter(|_| has_rare);
    let styles = [asset("style"), fields, conversation, values, asset("site")];
    let mut html = String::new();
    for style in styles.into_iter().flatten() {
        let address = escaped(&format!("{front}{style}"));
        html += &format!("<link rel=\"stylesheet\" href=\"{address}\">\n");
    }
    if let Some(script) = asset("script") {
        let address = escaped(&format!("{front}{script}"));
        let nonce = scripts.attribute();
        html += &format!("<script src=\"{address}\" defer{nonce}></script>\n");
    }
    html
}

/// A complete document around a body.
pub fn html_document(
    cx: &Context,
    form: Option<&Form>,
    scripts: &Scripts,
    language: &str,
    [title, heading]: [&str; 2],
    body: &str,
) -> String {
    let (lang, direction) = (escaped(language), direction(language));
    let (title, heading) = (escaped(title), escaped(heading));
    let links = links(cx, form, scripts);
    let theme = form.and_then(theme::preset);
    let theme = theme.map_or_else(String::new, |preset| format!(" data-cf-theme=\"{preset}\""));
    let pictures = form.map_or_else(String::new, theme::pictures);
    // Without an icon, browsers would request `/favicon.ico`, which belongs to the site.
    format!(
        r#"<!doctype html>
<html lang="{lang}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
{links}</head>
<body class="cf-page"{theme}>
<main class="cf-main">
{pictures}<h1 class="cf-title">{heading}</h1>
{body}</main>
</body>
</html>
"#
    )
}

/// The path of the site's URL: empty, or for example `/blog`.
pub fn site_path(cx: &Context) -> &str {
    let base = cx.base_url();
    let host = base.split_once("://").map_or(base, |(_, rest)| rest);
    host.find('/').and_then(|at| host.get(at..)).unwrap_or("")
}

/// The path of a form's page.
pub fn path_of(cx: &Context, form: &Form) -> String {
    let prefix = &cx.shared().configuration().front_prefix;
    format!("{}{prefix}/{}", site_path(cx), form.slug)
}
