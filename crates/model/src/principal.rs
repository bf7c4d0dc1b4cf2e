//! The caller of the REST API.

use serde::Deserialize;

/// The capability that every route of the REST API needs (specification, "Authentication").
pub const CAPABILITY: &str = "edit_forms";

/// The capability to store HTML as it is, scripts included (contract, section 4).
pub const UNFILTERED_HTML: &str = "unfiltered_html";

/// The caller of a request, as the host authenticated it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Principal {
    /// The host's id of the user.
    pub id: String,
    /// The user's login name.
    pub login: String,
    /// The user's capabilities.
    pub capabilities: Vec<String>,
    /// The accessible part of the REST API: empty or `all` for everything, or `submissions_read`. Any other word
    /// counts as `submissions_read`, so that an unknown word never grants too much.
    #[serde(default)]
    pub access: String,
}

impl Principal {
    /// Whether the caller may only read submissions.
    pub fn only_reads_submissions(&self) -> bool {
        !matches!(self.access.as_str(), "" | "all")
    }

    /// Whether the caller may edit forms.
    pub fn edits_forms(&self) -> bool {
        self.can(CAPABILITY) && !self.only_reads_submissions()
    }

    /// Whether the user has a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities
            .iter()
            .any(|granted| granted == capability)
    }
}
