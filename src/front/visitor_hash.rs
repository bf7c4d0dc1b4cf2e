//! Distinguishes visitors, to recognize repeated submits and uploads before a submit.

use crate::http::Request;
use crate::security::{Signer, counted_address};

/// A hash of IP address and browser that distinguishes visitors. IPv6 addresses count by network, since one visitor may
/// use all of a network's addresses.
pub fn visitor_hash(signer: &Signer, request: &Request) -> String {
    let address = counted_address(request.address.as_deref().unwrap_or_default());
    let user_agent = request.header("user-agent").unwrap_or_default();
    signer.hash("visitor", &json!([address, user_agent]).to_string())
}
