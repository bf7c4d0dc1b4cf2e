//! The revisions of forms: who changed what, and when.

use super::Batch;
use model::Principal;

/// What a change of a form replaces; `None` for what it leaves alone. JSON as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The new title.
    pub title: Option<String>,
    /// The author's new markup.
    pub markup: Option<String>,
    /// The new schema.
    pub schema: Option<String>,
    /// All settings that are set now.
    pub settings: Option<String>,
    /// All messages that are set now.
    pub messages: Option<String>,
}

/// Adds the revision of the change that an earlier statement of the batch made under `token`; none
/// when that statement changed nothing.
pub(super) fn add(batch: &mut Batch<'_>, token: &str, changed: Changed, author: &Principal) {
    batch.add(
        "INSERT INTO cf_form_revisions (form_id, revision, title, markup, schema, settings, messages, source, user_id, user_login, created_at) \
         SELECT f.id, f.revision, ?2, ?3, ?4, ?5, ?6, f.source, ?7, ?8, f.updated_at \
         FROM cf_forms f WHERE f.change_token = ?1",
        vec![
            token.into(),
            changed.title.into(),
            changed.markup.into(),
            changed.schema.into(),
            changed.settings.into(),
            changed.messages.into(),
            author.id.as_str().into(),
            author.login.as_str().into(),
        ],
    );
}
