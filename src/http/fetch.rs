//! The Fetch Metadata headers of a browser's request for a file.

use super::Request;

/// The headers `Sec-Fetch-Site`, `Sec-Fetch-Mode` and `Sec-Fetch-Dest`; empty if they are absent, as in requests of
/// programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetch {
    site: String,
    mode: String,
    dest: String,
}

impl Fetch {
    /// Reads the headers of a request.
    pub fn of(request: &Request) -> Fetch {
        let header = |name| {
            request
                .header(name)
                .unwrap_or_default()
                .to_ascii_lowercase()
        };
        Fetch {
            site: header("sec-fetch-site"),
            mode: header("sec-fetch-mode"),
            dest: header("sec-fetch-dest"),
        }
    }

    /// Whether a person opens the file in a tab or a program requests it. False if a page embeds the file. Browsers
    /// always send a site; programs send at most a mode, as Node's `fetch` does.
    pub fn opens(&self) -> bool {
        self.site.is_empty() && self.dest.is_empty()
            || self.mode == "navigate" && self.dest == "document"
    }

    /// Whether a script of the same site reads the file.
    pub fn is_same_origin_script(&self) -> bool {
        self.site == "same-origin" && self.dest == "empty"
    }

    /// Whether the file is requested as a picture.
    pub fn is_picture(&self) -> bool {
        self.dest == "image"
    }
}
