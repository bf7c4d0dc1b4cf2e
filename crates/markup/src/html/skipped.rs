//! Elements whose content is not part of a form, and where they end.

use super::tag::Tag;
use super::tokens::StartTag;

/// An element whose content is not part of the form: a script, an inert template, a picture.
pub(super) struct Skipped {
    tag: Tag,
    /// How many elements of that name are open within it, itself included.
    depth: u32,
    is_foreign: bool,
    /// How many elements of SVG or MathML are open that HTML may stand in (HTML standard, "integration
    /// points").
    integration_points: u32,
}

impl Skipped {
    /// None where the element has no content.
    pub(super) fn of(tag: &StartTag<'_, '_>) -> Option<Skipped> {
        let is_empty = tag.is_foreign && tag.is_self_closing;
        (!is_empty).then_some(Skipped {
            tag: tag.tag,
            depth: 1,
            is_foreign: tag.is_foreign,
            integration_points: 0,
        })
    }

    /// Whether a start tag is part of what is skipped; HTML that may not stand in a picture ends that.
    pub(super) fn goes_on_behind(&mut self, tag: &StartTag<'_, '_>) -> bool {
        // lol_html counts what HTML may stand in among HTML.
        let holds_html = self.is_foreign && is_integration_point(self.tag, tag.name);
        if self.is_foreign && !tag.is_foreign && self.integration_points == 0 && !holds_html {
            return false;
        }
        let is_open = !(self.is_foreign && tag.is_self_closing);
        self.depth += u32::from(is_open && tag.tag == self.tag);
        self.integration_points += u32::from(is_open && holds_html);
        true
    }

    pub(super) fn is_ended_by(&mut self, tag: Tag, name: &str) -> bool {
        if self.is_foreign && is_integration_point(self.tag, name) {
            self.integration_points = self.integration_points.saturating_sub(1);
        }
        let is_left = self.is_foreign && self.integration_points == 0;
        self.depth = self.depth.saturating_sub(u32::from(tag == self.tag));
        self.depth == 0 || (is_left && matches!(tag, Tag::P | Tag::Br))
    }
}

/// Whether HTML may stand in an element of SVG or MathML.
fn is_integration_point(around: Tag, name: &str) -> bool {
    const OF_SVG: &[&str] = &["desc", "foreignobject", "title"];
    const OF_MATH: &[&str] = &["annotation-xml", "mi", "mn", "mo", "ms", "mtext"];
    let names = if around == Tag::Math { OF_MATH } else { OF_SVG };
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}
