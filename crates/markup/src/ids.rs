//! The ids of a page's elements.

use super::html::tokens::{self, StartTag, TokenSink};
use std::collections::BTreeSet;

/// Every id that an element of the page has, its references decoded: all in one reading, for
/// those who ask for many.
pub fn ids(html: &str) -> BTreeSet<String> {
    let mut ids = Ids(BTreeSet::new());
    tokens::read(html, &mut ids);
    ids.0
}

struct Ids(BTreeSet<String>);

impl<'a> TokenSink<'a> for Ids {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        if let Some(id) = tag.attribute("id") {
            self.0.insert(id.value().into_owned());
        }
    }
}
