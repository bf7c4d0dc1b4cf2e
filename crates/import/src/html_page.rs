//! Reads the forms of a web page: the content of each form element becomes the markup of a form.

use std::ops::Range;

use markup::plain_tokens;
use markup::tag::Tag;
use markup::tokens::{StartTag, TokenSink};
use model::collapse;
use model::entities::unescape;
use model::markers;

use super::values::shortened;
use super::{Draft, Report};

/// The longest address or title that is repeated in a report, in characters.
const MAX_REPEATED: usize = 200;

/// A form element of a page.
#[derive(Default)]
struct PageForm {
    span: Range<usize>,
    /// The name from the form's tag, or else from its first heading.
    name: String,
    action: String,
    /// The number of controls that a visitor fills in.
    controls: usize,
    /// Whether the form searches the site.
    is_search: bool,
    /// The name of the control that the form's tag declares as its spam trap.
    trap: String,
    /// The offsets in the page at which the trap's controls get its mark: right after their element names.
    traps: Vec<usize>,
}

impl PageForm {
    /// The HTML between the form's tags, with the declared trap marked.
    fn markup(&self, html: &str) -> String {
        let mut markup = String::new();
        let mut start = self.span.start;
        for place in &self.traps {
            markup += html.get(start..*place).unwrap_or_default();
            markup += " ";
            markup += markers::TRAP;
            start = *place;
        }
        let end = self.span.end.min(html.len());
        markup += html.get(start..end).unwrap_or_default();
        markup.trim().to_owned()
    }
}

/// The content of a page.
#[derive(Default)]
struct Page {
    title: String,
    forms: Vec<PageForm>,
    /// Whether the last form still lacks its end tag.
    is_open: bool,
    /// The element whose text is being read: the title or a heading.
    reads: Option<Tag>,
    /// The number of controls outside of forms.
    outside: usize,
    /// Whether there is text, a script or a style outside of the forms.
    has_more: bool,
    is_skipping: bool,
}

impl<'a> TokenSink<'a> for Page {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let value = |name| tag.value_of(name).unwrap_or_default();
        let kind = value("type").to_ascii_lowercase();
        match tag.tag {
            Tag::Form if !self.is_open => {
                self.is_open = true;
                let names = ["aria-label", "title", "name", "id"];
                let name = names
                    .iter()
                    .map(|attribute| value(attribute))
                    .find(|attribute| !attribute.is_empty());
                self.forms.push(PageForm {
                    // The page that shows the form adds its own form element.
                    span: tag.span.end..usize::MAX,
                    name: name.unwrap_or_default().into_owned(),
                    action: value("action").trim().to_owned(),
                    is_search: value("role").eq_ignore_ascii_case("search"),
                    trap: markers::TRAPS_OF_FORMS.map(value).concat(),
                    ..PageForm::default()
                });
            }
            Tag::Input | Tag::Select | Tag::Textarea => {
                let is_button = matches!(&*kind, "submit" | "button" | "reset" | "image");
                if is_button || kind == "hidden" || value("name").is_empty() {
                    return;
                }
                match self.forms.last_mut().filter(|_| self.is_open) {
                    Some(form) if !form.trap.is_empty() && value("name") == form.trap => {
                        form.traps.push(tag.span.start + 1 + tag.name.len());
                    }
                    Some(form) => {
                        form.controls += 1;
                        form.is_search |= kind == "search" || matches!(&*value("name"), "s" | "q");
                    }
                    None => self.outside += 1,
                }
            }
            Tag::Title => self.reads = Some(Tag::Title),
            heading if heading.is_heading() && self.is_open => self.reads = Some(heading),
            Tag::Script | Tag::Style | Tag::Link | Tag::Img if !self.is_open => {
                self.has_more = true
            }
            _ => {}
        }
        self.is_skipping = matches!(tag.tag, Tag::Script | Tag::Style);
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        let tag = Tag::of(name);
        if self.reads == Some(tag) {
            self.reads = None;
        }
        if tag == Tag::Form && self.is_open {
            self.is_open = false;
            if let Some(form) = self.forms.last_mut() {
                form.span.end = span.start;
            }
        }
    }

    fn text(&mut self, raw: &'a str, _: Range<usize>) {
        let text = || collapse(&unescape(raw));
        match self.reads {
            Some(Tag::Title) if self.title.is_empty() => self.title = text(),
            Some(_) => {
                if let Some(form) = self.forms.last_mut().filter(|form| form.name.is_empty()) {
                    form.name = text();
                }
            }
            None => {
                let is_seen = !self.is_open && !self.is_skipping && !raw.trim().is_empty();
                self.has_more |= is_seen;
            }
        }
    }
}

/// The forms of a page; empty if no control takes input from a visitor.
pub fn drafts(html: &str, report: &mut Report) -> Vec<Draft> {
    let mut page = Page::default();
    plain_tokens::read(html, &mut page);
    let title = shortened(&page.title, MAX_REPEATED);
    let mut forms = std::mem::take(&mut page.forms);
    let searches = |form: &PageForm| form.is_search && form.controls < 2;
    let is_alone = forms.len() == 1;
    forms.retain(|form| {
        if searches(form) && !is_alone {
            report.remark("search_form", &form.name, "");
        }
        form.controls > 0 && (is_alone || !searches(form))
    });
    if forms.is_empty() && page.outside > 0 {
        // The controls have no form element, because a script of the page submits them. The whole page becomes the
        // form.
        page.outside = 0;
        forms.push(PageForm {
            span: 0..usize::MAX,
            ..PageForm::default()
        });
    } else if page.outside > 0 || page.has_more {
        report.begin("");
        report.remark("page_around", "page", "");
    }
    let is_alone = forms.len() == 1;
    let drafts = forms.into_iter().map(|form| {
        let name = shortened(&form.name, MAX_REPEATED);
        let title = match (is_alone, title, name) {
            (true, "", name) => name.to_owned(),
            (true, title, _) | (_, title, "") => title.to_owned(),
            (_, _, name) => name.to_owned(),
        };
        report.begin(&title);
        if !form.action.is_empty() {
            report.remark("form_action", "form", shortened(&form.action, MAX_REPEATED));
        }
        Draft {
            title,
            markup: form.markup(html),
            ..Draft::default()
        }
    });
    drafts.collect()
}
