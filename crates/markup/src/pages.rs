//! What an author's form needs to stand in a page: the page's own form element around it, whole addresses
//! in a page of another site, and marks on its steps for the page's script. All other bytes stay.

use std::collections::BTreeSet;
use std::ops::Range;

use super::html::edits::Edits;
use super::html::tokens::{self, StartTag, TokenSink};
use super::read::{StepWay, read};

/// Every id that an element of the page has, its references decoded: all in one reading, for
/// those who ask for many.
pub fn ids(html: &str) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        ids.extend(tag.attribute("id").map(|id| id.value().into_owned()));
    });
    ids
}

/// The HTML with every address that is a path of its own site as a whole address of that site.
pub fn with_whole_addresses(html: &str, site: &str) -> String {
    let mut edits = Edits::default();
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        for name in ["href", "src"] {
            let path = tag.attribute(name).map(|found| found.value());
            let path = path.filter(|path| path.starts_with('/') && !path.starts_with("//"));
            if let Some(path) = path {
                let address = [site, path.as_ref()].concat();
                edits.set_attribute(tag.span.start, name, Some(&address));
            }
        }
    });
    edits.apply(html)
}

/// The HTML with `data-cf-step` on each element that reading found to be a step, though no `data-step`
/// says so, and `data-cf-way` (`on` or `back`) on each button that leads to another step: the script
/// follows those, and finds none itself (host-shim/front/step-parts.ts).
pub fn with_steps_marked(html: &str) -> String {
    let mut edits = Edits::default();
    if let Ok(read) = read(html) {
        for (number, offset) in (1..).zip(read.found_steps) {
            let id = format!("step-{number}");
            edits.set_attribute(offset as usize, "data-cf-step", Some(&id));
        }
        for (offset, way) in read.step_buttons {
            let way = way.map(|way| if way == StepWay::On { "on" } else { "back" });
            if way.is_some() {
                edits.set_attribute(offset as usize, "data-cf-way", way);
            }
        }
    }
    edits.apply(html)
}

/// The HTML without `<form>` and `</form>`. A page puts its own form element around the fields, and
/// browsers end that one at the author's `</form>`.
pub fn without_form_tags(html: &str) -> String {
    let mut tags = FormTags::default();
    tokens::read(html, &mut tags);
    tags.0.apply(html)
}

/// Takes the tags of forms away.
#[derive(Default)]
struct FormTags(Edits);

impl<'a> TokenSink<'a> for FormTags {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.end_tag(tag.name, tag.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        if name.eq_ignore_ascii_case("form") {
            self.0.replace(span, String::new());
        }
    }
}
