//! The HTML that visitors see: the form element and the document around it. `src/front` serves it to visitors;
//! `src/rest` uses it for previews.

mod answers;
mod document;
mod fields;
mod file_notes;
mod form_element;
mod honeypot;
mod messages;
mod rows;
mod script_texts;
mod script_words;
mod scripts;
mod seats;
mod summary;
mod texts;
pub mod theme;

pub use answers::{REVIEWED, answers, has_review, list};
pub use document::{form_document, html_document, links, path_of, site_path};
pub use file_notes::{KeptFile, REMOVED};
pub use form_element::{FormElement, closed};
pub use messages::{Message, MessageKind, messages};
pub use rows::changes_rows;
pub use scripts::Scripts;
pub use texts::{filtered_message, megabytes, message};

use crate::error::Error;
use crate::forms::Form;
use crate::task::Context;

/// The page of a form as a new visitor sees it.
pub async fn preview(cx: &Context, form: &Form) -> Result<String, Error> {
    let element = FormElement::of(cx, form, path_of(cx, form))?;
    let signer = crate::store::signer(cx).await?;
    let body = element.html(cx, &signer).await?;
    // A preview has no nonce: the admin's page that shows it has its own content security policy.
    Ok(form_document(cx, form, 200, &body, &Scripts::Path))
}
