//! The deny list of a form: words, phrases, addresses and domains that mark a submission as spam.
//!
//! | entry | is found in |
//! |---|---|
//! | `casino` | `Casino!`, `casino-bonus`, but not `casinos` |
//! | `casino*`, `*casino`, `*casino*` | words that begin with, end with or contain `casino` |
//! | `cheap pills` | `cheap` followed directly by `pills` |
//! | `example.com` | the domain and its subdomains, also in email addresses: `ada@mail.example.com` |
//! | `ada@example.com`, `203.0.113.9` | that address |
//! | `203.0.113.*` | IP addresses that begin like this |
//!
//! The comparison ignores case, accents, Unicode composition and the spelling of internationalised domains.

use std::net::IpAddr;

use crate::ordered;
use crate::submissions::{fold, is_written_without_spaces, runs, with_unicode_labels};

/// The separator of texts, which no entry contains, so that no phrase matches across two texts.
const SEPARATOR: &str = "\u{1}";

/// The folded texts of a submission, which are searched for entries.
pub(super) struct Texts {
    all: String,
    ip: Option<IpAddr>,
}

/// One line of the list.
struct Entry<'e> {
    text: &'e str,
    /// Whether a word may continue before the entry, and after it.
    is_open: (bool, bool),
    /// Whether the entry is a domain, an email address or an IP address. Dots and hyphens continue such an entry, but
    /// not a word.
    is_address: bool,
}

impl Texts {
    /// Reads the texts of a submission and the visitor's IP address.
    pub(super) fn of(texts: &[&str], ip_address: &str) -> Texts {
        let texts = texts.iter().chain([&ip_address]);
        let texts: Vec<String> = texts.map(|text| comparable(text)).collect();
        Texts {
            all: texts.join(SEPARATOR),
            ip: ip_of(ip_address),
        }
    }

    /// Whether the texts contain any entry of a list with one entry per line.
    pub(super) fn has_any(&self, list: &str) -> bool {
        let mut words: Vec<&str> = runs(&self.all).collect();
        ordered::sort_by(&mut words, Ord::cmp);
        list.lines().any(|line| {
            let line = comparable(line);
            Entry::of(&line).is_some_and(|entry| self.has(&entry, &words))
        })
    }

    fn has(&self, entry: &Entry<'_>, words: &[&str]) -> bool {
        if self.ip.is_some() && ip_of(entry.text) == self.ip {
            return true;
        }
        if !entry.may_be_among(words) {
            return false;
        }
        let mut from = 0;
        while let Some(rest) = self.all.get(from..)
            && let Some(at) = rest.find(entry.text)
        {
            let (before, behind) = (from + at, from + at + entry.text.len());
            let before = self.all.get(..before).unwrap_or_default();
            if entry.is_whole(before, self.all.get(behind..).unwrap_or_default()) {
                return true;
            }
            from = before.len() + entry.text.chars().next().map_or(1, char::len_utf8);
        }
        false
    }
}

impl Entry<'_> {
    /// Parses an entry from a folded line; `None` for an empty line.
    fn of(line: &str) -> Option<Entry<'_>> {
        let text = line.trim_matches('*').trim();
        let is_address = text.contains(['.', '@', ':']) && !text.contains(' ');
        (!text.is_empty()).then(|| Entry {
            text,
            is_open: (line.starts_with('*'), line.ends_with('*')),
            is_address,
        })
    }

    /// Whether the sorted words contain the entry's first word. This cheap check avoids a search of the text for most
    /// entries.
    fn may_be_among(&self, words: &[&str]) -> bool {
        let Some(first) = runs(self.text).next() else {
            return true;
        };
        let begins = self.text.starts_with(first);
        if self.is_open.0 && begins {
            return true;
        }
        let place = words.partition_point(|word| *word < first);
        let goes_on = self.is_open.1 && self.text.ends_with(first);
        words.get(place).is_some_and(|word| {
            if goes_on {
                word.starts_with(first)
            } else {
                *word == first
            }
        })
    }

    /// Whether a match is whole: its first and last word do not continue in the text around it.
    fn is_whole(&self, before: &str, behind: &str) -> bool {
        let (mut before, mut behind) = (before.chars(), behind.chars());
        let before = [before.next_back(), before.next_back()];
        let behind = [behind.next(), behind.next()];
        let (first, last) = (self.text.chars().next(), self.text.chars().next_back());
        (self.is_open.0 || !self.goes_on(first, before, true))
            && (self.is_open.1 || !self.goes_on(last, behind, false))
    }

    /// Whether a word or an address continues beyond an edge of the entry. `beyond` are the two characters outside the
    /// edge.
    fn goes_on(&self, edge: Option<char>, beyond: [Option<char>; 2], is_before: bool) -> bool {
        let (Some(inner), [Some(next), after]) = (edge, beyond) else {
            return false;
        };
        if !inner.is_alphanumeric() {
            return false;
        }
        let is_letter = |c: char| c.is_alphanumeric();
        match next {
            c if is_letter(c) => !is_written_without_spaces(c) && !is_written_without_spaces(inner),
            _ if !self.is_address => false,
            '-' | '_' => true,
            // A domain matches its subdomains. An email address or IP address does not match a longer one, such as
            // `a.ada@` for `ada@`.
            '.' | '+' if is_before => {
                let is_number = self.text.chars().all(|c| c.is_ascii_digit() || c == '.');
                after.is_some_and(is_letter) && (self.text.contains('@') || is_number)
            }
            '.' => after.is_some_and(is_letter),
            ':' => self.text.contains(':') && after.is_none_or(|c| is_letter(c) || c == ':'),
            _ => false,
        }
    }
}

/// Folds a text for comparison, and collapses white space.
fn comparable(text: &str) -> String {
    let folded = fold(&with_unicode_labels(text));
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ip_of(text: &str) -> Option<IpAddr> {
    text.parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}
