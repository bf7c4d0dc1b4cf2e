//! The frame of the default mail to a form's owner: the form's title above the answers, a button and a footer below.

use super::contract::Work;
use crate::dates::format_moment;
use crate::forms::language::{direction, language};
use crate::logic::localized::localized_bound;
use crate::markup::escape::escaped;
use crate::task::Mail;

/// The default message.
pub(super) const ALL_ANSWERS: &str = "[all:table]";

/// Puts the frame around the answers, in the text and the HTML of a mail with the default message.
pub(super) async fn frame(work: &Work, mail: &mut Mail) {
    if work.setting("message", ALL_ANSWERS) != ALL_ANSWERS {
        return;
    }
    let footer = footer(work).await;
    let title = &work.form.title;
    let (mut link, mut button) = (submission_link(work), String::new());
    if !link.is_empty() {
        let word = work.form.word("mail_open");
        button = format!(
            "<a class=\"button\" href=\"{}\" style=\"display:inline-block;margin:24px 8px 0;padding:12px 20px;background:#1d4ed8;color:#fff;border-radius:6px;font-weight:600;text-decoration:none\">{}</a>",
            escaped(&link),
            escaped(word)
        );
        link = format!("{word}\n{link}\n\n");
    }
    mail.text = format!("{title}\n\n{}\n\n{link}{footer}", mail.text);
    if let Some(html) = &mut mail.html {
        let language = language(&work.form).unwrap_or("en");
        html.push_str(&button);
        *html = page(language, &escaped(title), html, &escaped(&footer));
    }
}

/// The public URL of the submission in the admin; empty if there is none, or if the form keeps no submissions.
fn submission_link(work: &Work) -> String {
    let shared = work.cx.shared();
    let url = &*shared.configuration().submission_url;
    let site = shared.public_url();
    let is_path = url.starts_with('/');
    if is_path && site.is_empty() || !work.form.settings().save_submissions {
        return String::new();
    }
    let url = url.replace("{id}", &work.submission.id.to_string());
    if is_path {
        [&*site, &url].concat()
    } else {
        url
    }
}

/// The site's host, and the time of the submission in the form's time zone and language.
async fn footer(work: &Work) -> String {
    let at = work.submission.submitted_at;
    let mut time = format_moment(work.form.local(&work.cx, at).await);
    time.truncate("2026-01-02T03:04".len());
    let time = localized_bound(&time, &work.form.messages);
    let zone = match work.form.time_zone() {
        "" => "UTC",
        zone => zone,
    };
    let site = work.cx.shared().public_url();
    let site = site.split('/').nth(2).unwrap_or_default();
    let separator = if site.is_empty() { "" } else { " · " };
    format!("{site}{separator}{time} ({zone})")
}

/// The page around the HTML of the answers. Its styles are in attributes, which all mail programs read; those of a dark
/// theme cannot be.
fn page(language: &str, title: &str, html: &str, footer: &str) -> String {
    let direction = direction(language);
    format!(
        r#"<!doctype html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
@media (prefers-color-scheme: dark) {{
.page {{ background: #111 !important; color: #aaa !important }}
.card {{ background: #222 !important; color: #fff !important }}
.card th, .card td {{ border-color: #555 !important }}
.card a {{ color: #93c5fd !important }}
.card .button {{ color: #fff !important }}
}}
</style>
</head>
<body class="page" style="margin:0;background:#f4f4f4;color:#555">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;table-layout:fixed"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" cellpadding="0" cellspacing="0" class="card" style="width:600px;max-width:100%;background:#fff;color:#111"><tr><td style="padding:24px 16px;font:16px/1.5 sans-serif">
<h1 style="margin:0 8px 16px;font-size:22px;line-height:1.3">{title}</h1>
{html}
</td></tr></table>
<p style="margin:16px 0 0;font:13px/1.5 sans-serif">{footer}</p>
</td></tr></table>
</body>
</html>
"#
    )
}
