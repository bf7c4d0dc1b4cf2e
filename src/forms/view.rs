//! A form as clients and hooks see it.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::actions::secrets::mask_settings;
use crate::dates::format_moment;
use crate::store::{Form, Source, Status};

/// The members of a form on the wire, with every default filled in.
#[derive(Serialize)]
pub struct FormView<'a> {
    id: i64,
    title: &'a str,
    slug: &'a str,
    markup: &'a str,
    settings: Map<String, Value>,
    messages: Map<String, Value>,
    status: Status,
    url: String,
    source: Source,
    has_schema: bool,
    revision: i64,
    submission_count: i64,
    created_at: String,
    updated_at: String,
}

impl Form {
    /// The form as clients and hooks see it, the secrets of its actions masked.
    pub fn view(&self) -> FormView<'_> {
        let mut settings = self.all_settings();
        mask_settings(&mut settings);
        FormView {
            id: self.id,
            title: &self.title,
            slug: &self.slug,
            markup: &self.markup,
            settings,
            messages: self.all_messages(),
            status: self.status,
            url: self.url(),
            source: self.source,
            has_schema: self.has_schema,
            revision: self.revision,
            submission_count: self.submission_count,
            created_at: format_moment(self.created_at),
            updated_at: format_moment(self.updated_at),
        }
    }
}
