//! `POST /cf/v1/forms/{id}/images`: pictures of a form, such as its logo, at public URLs that never change.

use serde_json::Value;

use crate::error::Error;
use crate::forms;
use crate::http::Response;
use crate::rest::Call;
use crate::store::uploads;
use crate::task::Port;

/// Stores the picture of the multipart body. The host detects the picture's type from its bytes, and sanitizes SVG.
pub async fn upload(call: Call) -> Result<Response, Error> {
    let form = call.form().await?;
    let cx = &call.cx;
    let invalid = |code, message: &str| Error::invalid("file", code, message);
    if !cx.has(Port::Files) {
        return Err(invalid("rest_no_files", "This site stores no files."));
    }
    let folder = format!("images/{}", form.id);
    let stored = cx
        .image(folder.clone())
        .await
        .map_err(|fault| Error::of_body(&fault))?;
    let text = |name: &str| stored.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("fault") {
        "" => {}
        "missing" => return Err(Error::MissingParameters(vec!["file".to_owned()])),
        "size" => return Err(Error::PayloadTooLarge),
        _ => {
            let message = "The file is not a PNG, JPEG, WebP or SVG picture.";
            return Err(invalid("file_type_not_allowed", message));
        }
    }
    let key = [&folder, "/", text("name")].concat();
    if !uploads::record_image(cx, form.id, &key, text("content_type")).await? {
        let message = "The form has too many pictures.";
        return Err(invalid("rest_too_many_items", message));
    }
    let url = [&*forms::front(cx), "-/", &key].concat();
    let response = Response::json(201, &json!({"url": url}));
    Ok(response.with_header("location", url))
}
