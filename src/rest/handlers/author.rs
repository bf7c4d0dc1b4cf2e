//! The rights of authors. Content of an author without the capability `unfiltered_html` must not run scripts or let
//! visitors upload programs (contract, section 4).

use serde_json::{Map, Value};

use crate::error::Error;
use crate::forms::{Form, FormSchema, Source};
use crate::markup::{Warning, WarningCode, sanitize, without_reserved};
use crate::rest::Call;
use model::UNFILTERED_HTML;
use model::file_types::without_programs;

/// The rights with which content is stored.
#[derive(Clone, Copy)]
pub(super) struct Author {
    /// Whether the author's content is stored without sanitizing it.
    pub is_unfiltered: bool,
}

impl Author {
    /// The rights of a caller.
    pub fn of(call: &Call) -> Author {
        Author {
            is_unfiltered: call.principal.can(UNFILTERED_HTML),
        }
    }

    /// The rights that this author and the writer of the content both have.
    #[must_use]
    pub fn and(self, is_unfiltered: bool) -> Author {
        Author {
            is_unfiltered: self.is_unfiltered && is_unfiltered,
        }
    }

    /// Returns the markup that may be stored, and warnings about removed parts. Removes reserved markup for every
    /// author.
    pub fn markup(self, markup: &str) -> Result<(String, Vec<Warning>), Error> {
        if self.is_unfiltered {
            return Ok(without_reserved(markup));
        }
        sanitize(markup).map_err(|_| Error::MarkupAmbiguous)
    }

    /// Returns the schema that may be stored, and warnings about removed parts. File types that the form's fields
    /// already accept stay, since an author with more rights may have set them.
    pub fn schema(
        self,
        form: Option<&Form>,
        mut schema: FormSchema,
    ) -> Result<(FormSchema, Vec<Warning>), Error> {
        let mut warnings = Vec::new();
        if self.is_unfiltered {
            return Ok((schema, warnings));
        }
        let mut known = None;
        for field in &mut schema.fields {
            let accept = field.attributes.get("accept");
            let Some(kept) = accept.and_then(|accept| without_programs(accept)) else {
                continue;
            };
            let known = match &mut known {
                Some(known) => known,
                none => none.insert(schemas_of(form)?),
            };
            let is_known = |schema: &FormSchema| {
                let former = schema.field(&field.name);
                former.is_some_and(|former| former.attributes.get("accept") == accept)
            };
            if known.iter().any(is_known) {
                continue;
            }
            warnings.push(Warning {
                code: WarningCode::AttributeRemoved,
                message: format!(
                    "Types of files that can run as programs were removed: the field `{}` now accepts `{kept}`.",
                    field.name
                ),
                offset: 0,
            });
            if kept.is_empty() {
                field.attributes.remove("accept");
            } else {
                field.attributes.insert("accept".to_owned(), kept);
            }
        }
        Ok((schema, warnings))
    }

    /// Sanitizes the HTML of the settings and messages in a form's members; returns warnings about removed parts.
    pub fn texts(self, form: &Form, members: &mut Map<String, Value>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (name, value) in members.iter_mut() {
            match (name.as_str(), value) {
                ("messages", Value::Object(messages)) => {
                    warnings.extend(self.messages(Some(form), messages));
                }
                ("settings", Value::Object(settings)) => {
                    warnings.extend(self.settings(Some(form), settings));
                }
                _ => {}
            }
        }
        warnings
    }

    /// Sanitizes the HTML of messages; returns warnings about removed parts. Unchanged HTML stays, since an author with
    /// more rights may have set it.
    pub fn messages(self, form: Option<&Form>, messages: &mut Map<String, Value>) -> Vec<Warning> {
        let html = messages.get_mut("success_html");
        let known = form.and_then(|form| form.messages.get("success_html"));
        self.clean(html.filter(|html| known != Some(&**html)))
    }

    /// Sanitizes the HTML of the endings in settings; returns warnings about removed parts. Unchanged endings stay, since
    /// an author with more rights may have set them.
    pub fn settings(self, form: Option<&Form>, settings: &mut Map<String, Value>) -> Vec<Warning> {
        let endings = settings.get_mut("endings");
        let known = form.and_then(|form| form.settings.get("endings"));
        let endings = endings.filter(|endings| known != Some(&**endings));
        let endings = endings.and_then(Value::as_array_mut).into_iter().flatten();
        self.clean(endings.filter_map(|ending| ending.get_mut("html")))
    }

    fn clean<'a>(self, texts: impl IntoIterator<Item = &'a mut Value>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for html in texts {
            let Value::String(text) = html else { continue };
            match self.markup(text) {
                Ok((cleaned, removed)) => {
                    *text = cleaned;
                    warnings.extend(removed);
                }
                Err(_) => {
                    text.clear();
                    warnings.push(Warning {
                        code: WarningCode::ElementRemoved,
                        message: Error::MarkupAmbiguous.to_string(),
                        offset: 0,
                    });
                }
            }
        }
        warnings
    }
}

/// The schemas of a form: the stored schema, and the schema of the markup if the markup is the source.
fn schemas_of(form: Option<&Form>) -> Result<Vec<FormSchema>, Error> {
    let Some(form) = form else {
        return Ok(Vec::new());
    };
    let mut schemas: Vec<FormSchema> = form.schema()?.into_iter().collect();
    if form.source == Source::Markup {
        schemas.push(form.parsed_markup()?.schema);
    }
    Ok(schemas)
}
