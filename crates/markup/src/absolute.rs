//! The addresses of a form that is part of a page of another site.

use super::html::edits::Edits;
use super::html::tokens::{self, StartTag, TokenSink};

/// The HTML with every address that is a path of its own site as a whole address of that site, every
/// other byte left alone.
pub fn with_whole_addresses(html: &str, site: &str) -> String {
    let mut addresses = Addresses {
        site,
        edits: Edits::default(),
    };
    tokens::read(html, &mut addresses);
    addresses.edits.apply(html)
}

struct Addresses<'s> {
    site: &'s str,
    edits: Edits,
}

impl<'a> TokenSink<'a> for Addresses<'_> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        for name in ["href", "src"] {
            let path = tag.attribute(name).map(|found| found.value());
            if let Some(path) = path.filter(|path| path.starts_with('/') && !path.starts_with("//"))
            {
                let address = [self.site, path.as_ref()].concat();
                self.edits
                    .set_attribute(tag.span.start, name, Some(&address));
            }
        }
    }
}
