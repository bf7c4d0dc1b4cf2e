//! Content that is not part of the form: scripts, inert templates, SVG and MathML.

use super::tag::Tag;
use super::tokens::StartTag;

/// An element whose content is skipped.
pub(super) struct Skipped {
    tag: Tag,
    /// Elements of the same name open within it, itself included.
    depth: u32,
    /// SVG and MathML elements open within it that may hold HTML.
    integration_points: u32,
}

impl Skipped {
    pub(super) const fn of(tag: Tag) -> Skipped {
        Skipped {
            tag,
            depth: 1,
            integration_points: 0,
        }
    }

    /// Whether a start tag belongs to the skipped content. If not, the content has ended: HTML
    /// ends SVG and MathML that was not closed.
    pub(super) fn takes_start(&mut self, tag: &StartTag<'_, '_>) -> bool {
        let is_foreign = matches!(self.tag, Tag::Svg | Tag::Math);
        if is_foreign && !tag.is_foreign && self.integration_points == 0 {
            return false;
        }
        if tag.tag == self.tag {
            self.depth += 1;
        }
        if is_foreign && holds_html(tag.name) {
            self.integration_points += 1;
        }
        true
    }

    /// Notes an end tag; true when it ends the skipped content.
    pub(super) fn takes_end(&mut self, name: &str, tag: Tag) -> bool {
        if holds_html(name) {
            self.integration_points = self.integration_points.saturating_sub(1);
        }
        if tag == self.tag {
            self.depth -= 1;
        }
        self.depth == 0
    }
}

/// SVG and MathML elements within which HTML may stand.
fn holds_html(name: &str) -> bool {
    [
        "foreignobject",
        "desc",
        "title",
        "mi",
        "mo",
        "mn",
        "ms",
        "mtext",
        "annotation-xml",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}
