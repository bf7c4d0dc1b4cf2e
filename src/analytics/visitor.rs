//! The sender of an event: detection of bots, and hashes that distinguish visitors for one day.

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Parts of the names of crawlers that run scripts, in lower case.
const BOTS: [&str; 12] = [
    "bot/",
    "bot;",
    "bot ",
    "bot)",
    "crawl",
    "spider",
    "slurp",
    "lighthouse",
    "prerender",
    "facebookexternalhit",
    "ptst/",
    "pagespeed",
];

/// Whether a browser names itself as a crawler.
pub fn is_bot(user_agent: &str) -> bool {
    let name = user_agent.to_ascii_lowercase();
    name.ends_with("bot") || BOTS.iter().any(|bot| name.contains(bot))
}

/// A hash that distinguishes IP addresses on one day. It is never stored.
pub fn address_hash(day_key: &[u8], address: &str, user_agent: &str) -> u64 {
    // Without an IP address, only the browser's name distinguishes visitors.
    let sender = if address.is_empty() {
        user_agent
    } else {
        address
    };
    hash(day_key, &["address", sender])
}

/// A hash that distinguishes visitors on one day, even those who share an IP address. It is never stored: the day's
/// HyperLogLog sketch stores no more than the rank of one register, and `Starts` stays in memory.
pub fn visitor_hash(day_key: &[u8], address: &str, user_agent: &str) -> u64 {
    hash(day_key, &["visitor", address, user_agent])
}

fn hash(key: &[u8], parts: &[&str]) -> u64 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return 0;
    };
    for part in parts {
        mac.update(part.as_bytes());
        mac.update(&[0]);
    }
    let digest = mac.finalize().into_bytes();
    let first = digest.first_chunk();
    first.map_or(0, |bytes| u64::from_be_bytes(*bytes))
}
