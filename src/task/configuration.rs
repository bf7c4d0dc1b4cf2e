//! The configuration that the host gives the engine.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Port;

/// The configuration that the host gives the engine once, at the start.
#[derive(Clone, Debug, Deserialize)]
pub struct Configuration {
    /// The SQL dialect of the database.
    pub dialect: Dialect,
    /// The site's address without a trailing slash, such as `https://example.org`, for requests without a specific
    /// address.
    pub base_url: String,
    /// The address for mails, cron and signed links; empty if none is configured, and then mails contain no links.
    #[serde(default)]
    pub public_url: String,
    /// Whether the host reads `X-Forwarded-For`. If not, a private address may be a proxy's, and so every visitor's.
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
    /// The catalogues of languages: texts by message key, by language tag in lower case.
    #[serde(default)]
    pub languages: Map<String, Value>,
    /// The default sender of mails.
    #[serde(default)]
    pub mail_from: String,
    /// The address where visitors sign in, which accepts `redirect_to`, a path of this site; empty for none.
    #[serde(default)]
    pub sign_in_url: String,
    /// Further sources of scripts for forms' pages, in the syntax of a content security policy.
    #[serde(default)]
    pub script_sources: Vec<String>,
    /// The host's secret, part of the key that encrypts secrets in the database. Without it, the database is enough to
    /// decrypt them.
    #[serde(default)]
    pub secret: String,
    /// The unique name of this process, unchanged after a restart, by which it releases its former queue entries;
    /// empty for none.
    #[serde(default)]
    pub instance: String,
    /// Limit on the bytes of a submit without files; 0 if unknown.
    #[serde(default)]
    pub body_limit: u64,
    /// Limit on the bytes of a submit with files; 0 if unknown.
    #[serde(default)]
    pub upload_limit: u64,
    /// The retention of finished and old rows.
    #[serde(default)]
    pub keep_days: KeepDays,
}

/// The retention of finished and old rows, in days; 0 keeps them forever.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct KeepDays {
    /// Completed queue entries.
    pub completed: i64,
    /// Queue entries that failed permanently and were not retried.
    pub failed: i64,
    /// Log entries.
    pub logs: i64,
    /// Unsaved submissions with a permanently failed action. Others are deleted after their last action.
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

/// The SQL dialect of the host's database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// SQLite 3.45 or later, D1, libSQL.
    Sqlite,
    /// PostgreSQL 13 or later.
    Postgres,
}
