//! The engine's scripts in a page, as its content security policy allows them.

use crate::security::random;
use crate::task::Context;

/// The way in which the policy allows the engine's scripts.
pub enum Scripts {
    /// A nonce, unique to the response. Only for pages that are never cached.
    Nonce(String),
    /// The path of the scripts, for elements that become part of other pages.
    Path,
}

impl Scripts {
    /// A fresh nonce; the path if the platform has no random bytes.
    pub fn marked() -> Scripts {
        random::token(16).map_or(Scripts::Path, Scripts::Nonce)
    }

    /// The attribute of the engine's script elements.
    pub fn attribute(&self) -> String {
        match self {
            Scripts::Nonce(nonce) => format!(" nonce=\"{nonce}\""),
            Scripts::Path => String::new(),
        }
    }

    /// The source of the scripts in the policy.
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
