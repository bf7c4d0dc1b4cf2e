//! Who makes a request.

use serde::Deserialize;

/// The capability that every route of the REST API needs (specification, "Authentication").
pub const CAPABILITY: &str = "edit_forms";

/// Who makes a request, as the host's authentication found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Principal {
    /// The host's id of the user.
    pub id: String,
    /// The user's login name.
    pub login: String,
    /// What the user may do.
    pub capabilities: Vec<String>,
}

impl Principal {
    /// Whether the user has a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}
