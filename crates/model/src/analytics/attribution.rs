//! Sources of submissions: the campaign in the URL of the form's page, and the page from which the visitor came.

use serde::Serialize;

use super::Counted;
use super::metrics::{CAMPAIGN, REFERRER};
use crate::unicode::case::lowercase;

/// The label of a missing campaign or referrer.
pub const DIRECT: &str = "direct";

/// The maximum number of campaigns and referrers that are shown.
pub const SHOWN: i64 = 20;

/// The longest part of a label, in characters.
const MAX_PART_CHARS: usize = 100;

/// A campaign and its number of submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Campaign {
    /// `utm_source`; `direct` if the page's URL has no campaign.
    pub utm_source: String,
    /// `utm_medium`, or empty.
    pub utm_medium: String,
    /// `utm_campaign`, or empty.
    pub utm_campaign: String,
    /// Submissions.
    pub count: i64,
}

/// A referrer and its number of submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Referrer {
    /// The domain of the page from which the visitor came, or `direct`.
    pub referrer_domain: String,
    /// Submissions.
    pub count: i64,
}

/// The campaigns and referrers with the most submissions, at most [`SHOWN`] of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attribution {
    /// The campaigns.
    pub utm_sources: Vec<Campaign>,
    /// The referrers.
    pub referrers: Vec<Referrer>,
}

/// Builds the report from counters that are sorted by count, the largest first.
pub fn attribution(counted: Vec<Counted>) -> Attribution {
    let of = |metric: &'static str| {
        let counted = counted.iter();
        counted.filter(move |counter| counter.count > 0 && counter.metric == metric)
    };
    let referrer = |counter: &Counted| Referrer {
        referrer_domain: counter.key.clone(),
        count: counter.count,
    };
    Attribution {
        utm_sources: of(CAMPAIGN).map(campaign).collect(),
        referrers: of(REFERRER).map(referrer).collect(),
    }
}

fn campaign(counted: &Counted) -> Campaign {
    // The store's key for all other sources together is not an array of three texts.
    let [utm_source, utm_medium, utm_campaign] = serde_json::from_str(&counted.key)
        .unwrap_or_else(|_| [counted.key.clone(), String::new(), String::new()]);
    Campaign {
        utm_source,
        utm_medium,
        utm_campaign,
        count: counted.count,
    }
}

/// The label of the campaign in a page's URL: a JSON array of the three parameters.
pub fn campaign_label(page_url: &str) -> String {
    let query = page_url.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    let mut triple = ["utm_source", "utm_medium", "utm_campaign"].map(|wanted| {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let values = pairs.filter_map(|(name, value)| (name == wanted).then_some(value));
        bounded(&values.last().unwrap_or_default())
    });
    if triple.iter().all(String::is_empty) {
        let [source, ..] = &mut triple;
        DIRECT.clone_into(source);
    }
    serde_json::to_string(&triple).unwrap_or_default()
}

/// The label of the page from which the visitor came: the domain in lower case, without the port.
pub fn referrer_label(referer_url: &str) -> String {
    let (scheme, rest) = referer_url.split_once("://").unwrap_or_default();
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    let host = match host_and_port.split_once(']') {
        Some((address, _)) => address.trim_start_matches('['),
        None => host_and_port.split(':').next().unwrap_or_default(),
    };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    if !web || host.is_empty() || !host.chars().all(plain) {
        return DIRECT.to_owned();
    }
    bounded(&lowercase(host))
}

fn bounded(text: &str) -> String {
    let printable = text.trim().chars().filter(|c| !c.is_control());
    printable.take(MAX_PART_CHARS).collect()
}
