//! Signatures of tokens that the site issues to visitors, and keyed hashes that distinguish visitors without
//! identifying them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use model::Submission;
use model::addresses::{addresses_of, former_address};

use super::random::hexadecimal;

/// Length to which signatures and hashes are truncated, in bytes: long enough to be unguessable, and short in a page.
const KEPT_BYTES: usize = 16;

/// Signs and hashes with a key. `store::signer` returns the site's signer.
#[derive(Clone)]
pub struct Signer(Rc<Option<Hmac<Sha256>>>);

/// The purpose of a signed moment. A signature is valid for only one form and one purpose.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// The rendering of a form's page.
    Rendered,
    /// The submit of a form.
    Submitted,
}

/// The values that a signed link to a file binds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedFile {
    /// The id of the file's submission.
    pub submission_id: i64,
    /// The number of the file in the submission, from 1.
    pub file_id: i64,
    /// How often the links of the form, and of the submission, have been revoked.
    pub epochs: (i64, i64),
}

impl Signer {
    /// Creates a signer with a key of any length.
    pub fn new(key: &[u8]) -> Signer {
        // This cannot fail, since the key of an HMAC may have any length.
        Signer(Rc::new(Hmac::new_from_slice(key).ok()))
    }

    /// Signs a moment for a form and a purpose. The token contains the moment in readable form.
    pub fn sign(&self, purpose: Use, form_id: i64, moment: i64) -> String {
        let text = format!("{purpose:?}:{form_id}:{moment}");
        format!("{moment}.{}", self.hash("moment", &text))
    }

    /// The moment in a token from [`Signer::sign`]; `None` if the site did not sign it for this form and purpose.
    pub fn moment(&self, purpose: Use, form_id: i64, token: &str) -> Option<i64> {
        let moment: i64 = token.split_once('.')?.0.parse().ok()?;
        let expected = self.sign(purpose, form_id, moment);
        let is_genuine: bool = expected.as_bytes().ct_eq(token.as_bytes()).into();
        is_genuine.then_some(moment)
    }

    /// Creates a ticket that gives access to a file without a sign-in, until the ticket expires or the links are
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

    /// Whether a ticket comes from [`Signer::sign_file`] for this file and has not expired.
    pub fn opens_file(&self, file: &LinkedFile, ticket: &str, now: i64) -> bool {
        let expires = ticket.split_once('.').map(|(moment, _)| moment.parse());
        let Some(Ok(expires)) = expires else {
            return false;
        };
        let expected = self.sign_file(file, expires);
        expires > now && expected.as_bytes().ct_eq(ticket.as_bytes()).into()
    }

    /// The hash that identifies a folded email address ([`model::addresses::folded_address`]) in the database.
    pub fn address_hash(&self, address: &str) -> String {
        self.hash("email address", address)
    }

    /// The hashes of a folded address in all spellings under which it may be stored. Older versions did not convert
    /// internationalized domains to ASCII.
    pub fn spelling_hashes(&self, address: &str) -> Vec<String> {
        let former = former_address(address);
        let spellings = [address].into_iter().chain(former.as_deref());
        spellings
            .map(|address| self.address_hash(address))
            .collect()
    }

    /// The hashes of all email addresses in a submission, by which requests for personal data find it.
    pub fn address_hashes(&self, submission: &Submission) -> Vec<String> {
        let addresses = addresses_of(submission);
        let hashes = addresses.iter().map(|address| self.address_hash(address));
        hashes.collect()
    }

    /// A keyed hash of a text. The same text has another hash for each kind.
    pub fn hash(&self, kind: &str, text: &str) -> String {
        let digest = self.digest(kind, text);
        hexadecimal(digest.get(..KEPT_BYTES).unwrap_or_default())
    }

    /// A token that only the site can derive from a text, in the format of [`new_token`](super::new_token).
    pub fn token(&self, kind: &str, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.digest(kind, text))
    }

    fn digest(&self, kind: &str, text: &str) -> Vec<u8> {
        let Some(mut mac) = Option::clone(&self.0) else {
            return Vec::new();
        };
        mac.update(kind.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().to_vec()
    }
}

/// The hash under which a token is stored: its SHA-256, in hexadecimal.
pub fn token_hash(token: &str) -> String {
    hexadecimal(&Sha256::digest(token))
}

/// Whether an IP address may be a proxy's, which all visitors share. This is so if it is private or local and the host
/// does not read `X-Forwarded-For`.
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

/// An IP address for rate limits. An IPv6 address is cut to its first 64 bits, since one visitor may use all addresses
/// of a network.
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

/// An anonymized IP address: IPv4 without the last 8 bits, IPv6 without the last 80. Empty for a text that is not an
/// address.
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
