//! Reading the body of a submit: form-encoded, multipart or JSON, all as names with values.

use futures_util::future::FutureExt;
use futures_util::stream;
use multer::Multipart;
use serde_json::{Map, Value};

use crate::http::Request;
use crate::logic::input::{Input, UploadedFile};

/// The most names or parts of one body. A form may have ten thousand fields.
const MAX_PAIRS: usize = 20_000;

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the host allows.
    #[error("the body is too large")]
    TooLarge,
    /// It is of a kind that no form sends.
    #[error("the body is neither form-encoded nor multipart nor JSON")]
    UnknownType,
    /// It is not what its type says.
    #[error("the body is broken")]
    Broken,
    /// It has too many fields or parts.
    #[error("the body has too many fields")]
    TooManyFields,
}

/// What was sent.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// The values by name.
    pub input: Input,
    /// The bytes of the input's files, in their order.
    pub contents: Vec<Vec<u8>>,
    /// Whether it came as JSON, so that the answer is JSON too.
    pub is_json: bool,
}

impl Sent {
    fn of_pairs(pairs: Vec<(String, String)>, files: Vec<(UploadedFile, Vec<u8>)>) -> Sent {
        let (files, contents) = files.into_iter().unzip();
        Sent {
            input: Input::of_pairs(pairs, files),
            contents,
            is_json: false,
        }
    }

    /// The value of a name, if it was sent and is not empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.input.last(name).filter(|value| !value.is_empty())
    }
}

/// Reads a body by its content type. An empty body without one is a form without fields.
pub fn read(request: &mut Request) -> Result<Sent, BodyError> {
    if request.too_large {
        return Err(BodyError::TooLarge);
    }
    let body = std::mem::take(&mut request.body);
    match request.content_type().as_str() {
        "application/x-www-form-urlencoded" => read_pairs(&body),
        "multipart/form-data" => {
            let boundary = request
                .header("content-type")
                .and_then(|value| multer::parse_boundary(value).ok())
                .ok_or(BodyError::Broken)?;
            read_parts(body, boundary)
                .now_or_never()
                .unwrap_or(Err(BodyError::Broken))
        }
        kind if kind == "application/json" || kind.ends_with("+json") => read_json(&body),
        "" if body.is_empty() => Ok(Sent::default()),
        _ => Err(BodyError::UnknownType),
    }
}

fn read_pairs(body: &[u8]) -> Result<Sent, BodyError> {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(body)
        .into_owned()
        .take(MAX_PAIRS + 1)
        .collect();
    if pairs.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent::of_pairs(pairs, Vec::new()))
}

/// Reads the parts of a multipart body (RFC 7578). The body is all there, so that this never
/// waits.
async fn read_parts(body: Vec<u8>, boundary: String) -> Result<Sent, BodyError> {
    let whole = stream::iter([Ok::<Vec<u8>, std::convert::Infallible>(body)]);
    let mut parts = Multipart::new(whole, boundary);
    let mut pairs = Vec::new();
    let mut files = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(|_| BodyError::Broken)? {
        if pairs.len() + files.len() >= MAX_PAIRS {
            return Err(BodyError::TooManyFields);
        }
        let name = unescaped(part.name().unwrap_or_default());
        let filename = part.file_name().map(unescaped);
        let content_type = part.content_type().map(ToString::to_string);
        let bytes = part.bytes().await.map_err(|_| BodyError::Broken)?;
        match filename {
            Some(filename) => {
                let file = UploadedFile {
                    field: name,
                    filename,
                    content_type: content_type.unwrap_or_default(),
                    size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                };
                files.push((file, bytes.into()));
            }
            None => pairs.push((name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
    Ok(Sent::of_pairs(pairs, files))
}

/// A name as the page has it: browsers write what would end it as percent signs (HTML, "multipart
/// form data").
fn unescaped(name: &str) -> String {
    name.replace("%22", "\"")
        .replace("%0D", "\r")
        .replace("%0A", "\n")
}

fn read_json(body: &[u8]) -> Result<Sent, BodyError> {
    let members: Map<String, Value> = crate::json::read(body).map_err(|_| BodyError::Broken)?;
    if members.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent {
        input: Input::of_json(&members),
        is_json: true,
        contents: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(content_type: &str, body: impl Into<Vec<u8>>) -> Request {
        let mut request = Request {
            body: body.into(),
            ..Request::default()
        };
        request
            .headers
            .insert("content-type".to_owned(), content_type.to_owned());
        request
    }

    #[test]
    fn a_multipart_body_gives_texts_and_files() {
        let body = "--x\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\none\r\n\
            --x\r\nContent-Disposition: form-data; name=\"c[]\"\r\n\r\n\u{e4}\r\n\
            --x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\
            Content-Type: text/plain\r\n\r\nline\r\n--y\r\n\r\n--x--\r\n";
        let mut request = request("Multipart/Form-Data; boundary=\"x\"", body);
        let sent = read(&mut request).unwrap();
        assert_eq!(sent.value("a\"b"), Some("one"));
        assert_eq!(sent.value("c"), Some("\u{e4}"));
        let [file] = sent.input.files.as_slice() else {
            panic!("{:?}", sent.input.files);
        };
        assert_eq!(
            (file.field.as_str(), file.filename.as_str()),
            ("f", "a.txt")
        );
        assert_eq!((file.content_type.as_str(), file.size), ("text/plain", 11));
        assert_eq!(sent.contents, [b"line\r\n--y\r\n".to_vec()]);
    }

    #[test]
    fn a_broken_body_is_refused_and_never_waited_for() {
        let unfinished = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none";
        let rows: [(&str, &[u8], BodyError); 8] = [
            (
                "multipart/form-data; boundary=x",
                unfinished.as_bytes(),
                BodyError::Broken,
            ),
            ("multipart/form-data; boundary=x", b"", BodyError::Broken),
            ("multipart/form-data", b"--x--", BodyError::Broken),
            ("application/json", b"[1]", BodyError::Broken),
            ("application/json", b"{\"a\":\"\xff\"}", BodyError::Broken),
            ("application/json", &[b'['; 100_000], BodyError::Broken),
            ("text/plain", b"a=b", BodyError::UnknownType),
            ("", b"a=b", BodyError::UnknownType),
        ];
        for (content_type, body, expected) in rows {
            let outcome = read(&mut request(content_type, body)).map(drop);
            assert_eq!(outcome, Err(expected), "{content_type}");
        }
    }

    #[test]
    fn too_many_fields_are_refused() {
        let pairs = "a=&".repeat(MAX_PAIRS + 1);
        let part = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n";
        let parts = part.repeat(MAX_PAIRS + 1) + "--x--";
        let rows = [
            ("application/x-www-form-urlencoded", pairs),
            ("multipart/form-data; boundary=x", parts),
        ];
        for (content_type, body) in rows {
            let outcome = read(&mut request(content_type, body)).map(drop);
            assert_eq!(outcome, Err(BodyError::TooManyFields), "{content_type}");
        }
    }

    #[test]
    fn broken_text_is_kept_with_its_faults_replaced() {
        let mut request = request(
            "application/x-www-form-urlencoded; charset=utf-8",
            "a=%FF&b=1",
        );
        let sent = read(&mut request).unwrap();
        assert_eq!(sent.value("a"), Some("\u{fffd}"));
        assert_eq!(sent.value("b"), Some("1"));
    }
}
