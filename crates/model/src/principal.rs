//! Who makes a request.

use serde::Deserialize;

/// The capability that every route of the REST API needs (specification, "Authentication").
pub const CAPABILITY: &str = "edit_forms";

/// The capability to store HTML as it is, scripts included (contract, section 4).
pub const UNFILTERED_HTML: &str = "unfiltered_html";

/// Who makes a request, as the host's authentication found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Principal {
    /// The host's id of the user.
    pub id: String,
    /// The user's login name.
    pub login: String,
    /// What the user may do.
    pub capabilities: Vec<String>,
    /// Which part of the REST API it reaches: empty or `all`, or `submissions_read`. Any other word
    /// counts as that, so that a mistake gives too little.
    #[serde(default)]
    pub access: String,
}

impl Principal {
    /// Whether it reads submissions, and does nothing else.
    pub fn only_reads_submissions(&self) -> bool {
        !matches!(self.access.as_str(), "" | "all")
    }

    /// Whether it may edit forms.
    pub fn edits_forms(&self) -> bool {
        self.can(CAPABILITY) && !self.only_reads_submissions()
    }

    /// Whether the user has a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}
