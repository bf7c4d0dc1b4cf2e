//! Simple parser of multipart bodies for tests.

use cf_forms::http::Request;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A part: field name, file name and type, bytes.
type Part = (String, Option<(String, String)>, Vec<u8>);

/// The parts that are not read yet, and the bytes of the current file.
#[derive(Default)]
pub struct Parts(std::vec::IntoIter<Part>, Vec<u8>);

impl Parts {
    /// Parses a request's body; `None` if it is not multipart.
    pub fn of(request: &Request) -> Option<Parts> {
        let kind = request.headers.get("content-type")?;
        let (_, boundary) = kind.split_once("multipart/form-data; boundary=")?;
        // Each byte becomes one character (Latin-1), so that any bytes pass.
        let body: String = request.body.iter().map(|byte| char::from(*byte)).collect();
        let boundary = format!("--{boundary}");
        let parts = body.split(&boundary).skip(1);
        let parts = parts.filter_map(|part| {
            let (head, content) = part.split_once("\r\n\r\n")?;
            let value = |name: &str| {
                let (_, rest) = head.split_once(&format!("{name}=\""))?;
                Some(rest.split('"').next()?.to_owned())
            };
            let kind = head
                .split_once("Content-Type: ")
                .map(|(_, kind)| kind.lines().next());
            let kind = kind.flatten().unwrap_or_default().to_owned();
            let bytes = content
                .strip_suffix("\r\n")?
                .chars()
                .map(|c| c as u8)
                .collect();
            let file = value("filename").map(|filename| (filename, kind));
            Some((value(" name")?, file, bytes))
        });
        Some(Parts(parts.collect::<Vec<_>>().into_iter(), Vec::new()))
    }

    /// Returns the fields up to the next file, and that file.
    pub fn next_part(&mut self) -> Value {
        let mut fields = Vec::new();
        for (name, file, bytes) in self.0.by_ref() {
            let Some((filename, kind)) = file else {
                fields.push(json!([name, String::from_utf8_lossy(&bytes)]));
                continue;
            };
            self.1 = bytes;
            let file = json!({"field": name, "filename": filename, "content_type": kind});
            return json!({"fields": fields, "file": file});
        }
        json!({"fields": fields, "file": null})
    }

    /// Returns the bytes of that file.
    pub fn take_file(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.1)
    }
}

pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
