//! The serialization of forms for clients and hooks.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use crate::action_types::secrets::mask_settings;
use crate::dates::format_moment;
use crate::json;
use crate::store::{Among, Form};

/// A form as an argument of callbacks, in the shape of the REST API.
pub fn form_argument(form: &Form) -> Value {
    json::value(form)
}

impl Serialize for Form {
    /// Serializes the form with all defaults filled in, and with masked secrets.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut settings = self.all_settings();
        mask_settings(&mut settings);
        let mut form = serializer.serialize_struct("Form", 16)?;
        form.serialize_field("id", &self.id)?;
        form.serialize_field("title", &self.title)?;
        form.serialize_field("slug", &self.slug)?;
        form.serialize_field("markup", &self.markup)?;
        form.serialize_field("settings", &settings)?;
        form.serialize_field("messages", &self.all_messages())?;
        let status = match self.trashed_at {
            Some(_) => Among::TRASH,
            None => self.status.as_str(),
        };
        form.serialize_field("status", status)?;
        form.serialize_field("url", &self.url())?;
        form.serialize_field("former_slugs", &self.former_slugs)?;
        form.serialize_field("source", &self.source)?;
        form.serialize_field("has_schema", &self.has_schema)?;
        form.serialize_field("revision", &self.revision)?;
        form.serialize_field("submission_count", &self.submission_count)?;
        form.serialize_field("created_at", &format_moment(self.created_at))?;
        form.serialize_field("updated_at", &format_moment(self.updated_at))?;
        if let Some(trashed_at) = self.trashed_at {
            form.serialize_field("trashed_at", &format_moment(trashed_at))?;
        }
        form.end()
    }
}
