//! Content that is not part of the form: scripts and inert templates.

use super::tag::Tag;

/// An element whose content is skipped.
pub(super) struct Skipped {
    tag: Tag,
    /// Elements of the same name open within it, itself included.
    depth: u32,
}

impl Skipped {
    pub(super) const fn of(tag: Tag) -> Skipped {
        Skipped { tag, depth: 1 }
    }

    /// Notes a start tag of the skipped content.
    pub(super) fn start(&mut self, tag: Tag) {
        self.depth += u32::from(tag == self.tag);
    }

    /// Notes an end tag; true when it ends the skipped content.
    pub(super) fn end(&mut self, tag: Tag) -> bool {
        self.depth -= u32::from(tag == self.tag);
        self.depth == 0
    }
}
