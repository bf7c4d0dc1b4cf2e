//! The ways in which a page's content security policy allows the engine's scripts.

use crate::security::random;
use crate::task::Context;

/// The way in which the policy allows the engine's scripts.
pub enum Scripts {
    /// A nonce, unique to the response. Only for pages that are never cached.
    Nonce(String),
    /// The scripts' path, for elements that become part of other pages.
    Path,
}

impl Scripts {
    /// Creates a fresh nonce, or falls back to the path if the platform has no random bytes.
    pub fn marked() -> Scripts {
        random::token(16).map_or(Scripts::Path, Scripts::Nonce)
    }

    /// The `nonce` attribute of the engine's script elements; empty for a path.
    pub fn attribute(&self) -> String {
        match self {
            Scripts::Nonce(nonce) => format!(" nonce=\"{nonce}\""),
            Scripts::Path => String::new(),
        }
    }

    /// The source in the policy's `script-src`.
    pub fn source(&self, cx: &Context) -> String {
        match self {
            Scripts::Nonce(nonce) => format!("'nonce-{nonce}'"),
            Scripts::Path => {
                let prefix = &cx.shared().configuration().front_prefix;
                format!("{}{prefix}/-/assets/", cx.base_url())
            }
        }
    }
}
