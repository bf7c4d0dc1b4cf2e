//! The configuration of an engine.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Port;

/// The configuration that the host passes to the engine once, at the start.
#[derive(Clone, Debug, Deserialize)]
pub struct Configuration {
    /// The SQL dialect of the database.
    pub dialect: Dialect,
    /// The site's URL without a trailing slash, such as `https://example.org`, for requests without a specific URL.
    pub base_url: String,
    /// The public URL for mails, cron and signed links. If it is empty, mails contain no links to files.
    #[serde(default)]
    pub public_url: String,
    /// Whether the host reads `X-Forwarded-For`. Otherwise a private IP address may be that of a proxy, which all
    /// visitors share.
    #[serde(default)]
    pub forwarded_for_is_read: bool,
    /// The path of the REST API below the site's URL, such as `/api`.
    pub rest_root: String,
    /// The path of visitors' pages below the site's URL, such as `/forms`.
    pub front_prefix: String,
    /// The optional ports that the host has.
    #[serde(default)]
    pub ports: Vec<Port>,
    /// The file names of assets for visitors' pages by kind, such as `style` and `script`.
    #[serde(default)]
    pub assets: BTreeMap<String, String>,
    /// The catalogue of each language by its tag in lower case. A catalogue contains texts by message key.
    #[serde(default)]
    pub languages: Map<String, Value>,
    /// The default sender of mails.
    #[serde(default)]
    pub mail_from: String,
    /// The URL where visitors sign in; empty for none. The page accepts a path of this site as `redirect_to`.
    #[serde(default)]
    pub sign_in_url: String,
    /// The address of a submission in the admin, with `{id}` in place of its id; empty for none. A path is below the
    /// public URL.
    #[serde(default)]
    pub submission_url: String,
    /// Further sources of scripts for forms' pages, in the syntax of a content security policy.
    #[serde(default)]
    pub script_sources: Vec<String>,
    /// The host's secret, a part of the key that encrypts secrets in the database. If it is empty, a copy of the
    /// database suffices to decrypt them.
    #[serde(default)]
    pub secret: String,
    /// The unique name of this process, which a restart does not change; empty for none. By this name, the restarted
    /// process releases the queue entries that it had claimed.
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
    /// Unsaved submissions with a permanently failed action. Other unsaved submissions are deleted after their last
    /// action.
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
