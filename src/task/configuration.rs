//! The configuration that the host gives the engine.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Port;

/// The configuration that the host gives the engine once, at the start.
#[derive(Clone, Debug, Deserialize)]
pub struct Configuration {
    /// Which SQL the database speaks.
    pub dialect: Dialect,
    /// The site's address without a trailing slash, such as `https://example.org`, for requests that
    /// name none of their own.
    pub base_url: String,
    /// The address that mails, cron and signed links name. Empty where none was configured: then they
    /// carry no links.
    #[serde(default)]
    pub public_url: String,
    /// Whether the host reads `X-Forwarded-For`. Where it does not, a private address may be that of
    /// a proxy, and so of every visitor.
    #[serde(default)]
    pub forwarded_for_is_read: bool,
    /// The path of the REST API below the site's address, such as `/api`.
    pub rest_root: String,
    /// The path of visitors' pages below the site's address, such as `/forms`.
    pub front_prefix: String,
    /// The optional ports that the host has.
    #[serde(default)]
    pub ports: Vec<Port>,
    /// The file names of the front's assets, by kind: `style` and `script`.
    #[serde(default)]
    pub assets: BTreeMap<String, String>,
    /// The catalogues of languages: texts by the keys of messages, by language tag in lower case.
    #[serde(default)]
    pub languages: Map<String, Value>,
    /// The sender of mails whose action names none.
    #[serde(default)]
    pub mail_from: String,
    /// Where visitors sign in: an address that takes `redirect_to`, a path of this site. Empty for
    /// nowhere.
    #[serde(default)]
    pub sign_in_url: String,
    /// The sources of scripts that forms' pages may also load, as a content security policy has them.
    #[serde(default)]
    pub script_sources: Vec<String>,
    /// The host's own secret, part of the key that encrypts secrets in the database. Without it the
    /// database alone suffices to read them.
    #[serde(default)]
    pub secret: String,
    /// The name of the one process that has it, the same after a restart: it frees what it held. Empty
    /// for none.
    #[serde(default)]
    pub instance: String,
    /// The most bytes of a submit without files; 0 where the host does not say.
    #[serde(default)]
    pub body_limit: u64,
    /// The most bytes of a submit with files; 0 where the host does not say.
    #[serde(default)]
    pub upload_limit: u64,
    /// How long finished and old rows are kept.
    #[serde(default)]
    pub keep_days: KeepDays,
}

/// How many days finished and old rows are kept; 0 keeps them for ever.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct KeepDays {
    /// Entries of the queue that were completed.
    pub completed: i64,
    /// Entries that failed for good and were not retried.
    pub failed: i64,
    /// Entries of the log.
    pub logs: i64,
    /// Submissions that their forms do not keep, after an action of theirs failed for good. The
    /// others go with their last action.
    pub unsaved: i64,
}

impl Default for KeepDays {
    fn default() -> KeepDays {
        KeepDays {
            completed: 30,
            failed: 90,
            logs: 90,
            unsaved: 30,
        }
    }
}

/// Which SQL the host's database speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// SQLite 3.45 or later, D1, libSQL.
    Sqlite,
    /// PostgreSQL 13 or later.
    Postgres,
}
