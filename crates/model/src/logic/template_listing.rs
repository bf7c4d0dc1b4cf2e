//! The options of `[all]` in templates.

/// The options of `[all]`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listing {
    pub(super) by_label: bool,
    pub(super) by_value: bool,
    pub(super) with_empty: bool,
    pub(super) as_table: bool,
}

impl Listing {
    /// Reads `all`, with its options in any order.
    pub(super) fn of(name: &str) -> Option<Listing> {
        let mut words = name.split(':').map(str::trim);
        if words.next() != Some("all") {
            return None;
        }
        let mut listing = Listing::default();
        for word in words {
            match word {
                "label" => listing.by_label = true,
                "value" => listing.by_value = true,
                "with-empty" => listing.with_empty = true,
                "table" => (listing.as_table, listing.by_label) = (true, true),
                _ => return None,
            }
        }
        Some(listing)
    }
}
