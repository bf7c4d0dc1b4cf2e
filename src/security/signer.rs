//! Signs what the site gives visitors and must recognize later, so that it cannot be made up; and
//! hashes that distinguish visitors without keeping who they are.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use model::Submission;
use model::addresses::{addresses_of, former_address};

use super::random::hexadecimal;

/// How many bytes of a signature or hash are kept: beyond any guessing, short in a page.
const KEPT_BYTES: usize = 16;

/// Signs and hashes with the site's key. `store::signer` gives the site's own.
#[derive(Clone)]
pub struct Signer(Rc<Option<Hmac<Sha256>>>);

/// The purpose of a signed moment. A moment signed for one form and use is none for another.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// When a form's page was made.
    Rendered,
    /// When a form was sent.
    Submitted,
}

/// A file of a submission as a link names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedFile {
    /// The submission.
    pub submission_id: i64,
    /// The file's place among its files, from 1.
    pub file_id: i64,
    /// How often the links of the form and those of the submission were revoked.
    pub epochs: (i64, i64),
}

impl Signer {
    /// The signer of a key.
    pub fn new(key: &[u8]) -> Signer {
        // The key of an HMAC may have any length: this cannot fail.
        Signer(Rc::new(Hmac::new_from_slice(key).ok()))
    }

    /// Signs a moment for a form and a use.
    pub fn sign(&self, purpose: Use, form_id: i64, moment: i64) -> String {
        let text = format!("{purpose:?}:{form_id}:{moment}");
        format!("{moment}.{}", self.hash("moment", &text))
    }

    /// The moment that a token of [`Signer::sign`] carries; `None` for a token that the site did
    /// not make for this form and use.
    pub fn moment(&self, purpose: Use, form_id: i64, token: &str) -> Option<i64> {
        let moment: i64 = token.split_once('.')?.0.parse().ok()?;
        let expected = self.sign(purpose, form_id, moment);
        let is_genuine: bool = expected.as_bytes().ct_eq(token.as_bytes()).into();
        is_genuine.then_some(moment)
    }

    /// Creates a ticket with which somebody who is not signed in may have a file, until it expires or links are
    /// revoked.
    pub fn sign_file(&self, file: &LinkedFile, expires: i64) -> String {
        let LinkedFile {
            submission_id,
            file_id,
            epochs,
        } = file;
        let text = match epochs {
            (0, 0) => format!("{submission_id}:{file_id}:{expires}"),
            (form, submission) => {
                format!("{submission_id}:{file_id}:{expires}:{form}:{submission}")
            }
        };
        format!("{expires}.{}", self.hash("file", &text))
    }

    /// Whether a ticket is one of [`Signer::sign_file`] for this file that has not expired.
    pub fn opens_file(&self, file: &LinkedFile, ticket: &str, now: i64) -> bool {
        let expires = ticket.split_once('.').map(|(moment, _)| moment.parse());
        let Some(Ok(expires)) = expires else {
            return false;
        };
        let expected = self.sign_file(file, expires);
        expires > now && expected.as_bytes().ct_eq(ticket.as_bytes()).into()
    }

    /// The hash by which an email address is found: [`model::addresses::folded_address`] gives it.
    pub fn address_hash(&self, address: &str) -> String {
        self.hash("email address", address)
    }

    /// The hashes by which a folded address is found in any spelling: versions that knew no internationalised domains
    /// did not write them in ASCII.
    pub fn spelling_hashes(&self, address: &str) -> Vec<String> {
        let former = former_address(address);
        let spellings = [address].into_iter().chain(former.as_deref());
        spellings
            .map(|address| self.address_hash(address))
            .collect()
    }

    /// The hashes by which a submission is found when somebody asks for data of their address.
    pub fn address_hashes(&self, submission: &Submission) -> Vec<String> {
        let addresses = addresses_of(submission);
        let hashes = addresses.iter().map(|address| self.address_hash(address));
        hashes.collect()
    }

    /// A hash that nobody without the site's key can make, for one kind of thing.
    pub fn hash(&self, kind: &str, text: &str) -> String {
        let Some(mut mac) = Option::clone(&self.0) else {
            return String::new();
        };
        mac.update(kind.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        let digest = mac.finalize().into_bytes();
        hexadecimal(digest.get(..KEPT_BYTES).unwrap_or_default())
    }
}

/// Whether an address may be that of a proxy, and so of every visitor: it is private or of this machine,
/// and the host reads no `X-Forwarded-For`.
pub fn may_be_a_proxy(address: &str, forwarded_for_is_read: bool) -> bool {
    let is_inner = match address.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(ip)) => ip.is_private() || ip.is_loopback() || ip.is_link_local(),
        Ok(IpAddr::V6(ip)) => {
            ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Err(_) => false,
    };
    is_inner && !forwarded_for_is_read
}

/// An address as limits count it: of IPv6 the first 64 bits, since whoever has one such address
/// has them all.
pub fn counted_address(address: &str) -> String {
    let Ok(address) = address.parse::<IpAddr>() else {
        return address.to_owned();
    };
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).to_string()
        }
    }
}

/// An address that names a neighbourhood and no single person: of IPv4 without the last 8 bits, of
/// IPv6 without the last 80. What is no address is nothing.
pub fn shortened_address(address: &str) -> String {
    match address.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(address)) => {
            let [a, b, c, _] = address.octets();
            Ipv4Addr::new(a, b, c, 0).to_string()
        }
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, ..] = address.segments();
            Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).to_string()
        }
        Err(_) => String::new(),
    }
}
