//! The test host's effects: what the engine requests, and how the host performs it.

use std::collections::BTreeMap;

use cf_forms::http::Response;
use cf_forms::rest::openapi::document;
use cf_forms::task::{Effect, IncomingResponse, Outcome, PortError, Received};
use model::file_types::SNIFFED_BYTES;
use serde_json::Value;

use crate::host::Host;

impl Host {
    /// Performs one effect.
    pub fn perform(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Sql { statements, .. } => match self.batch(&statements) {
                Ok(results) => Outcome::Sql(results),
                Err(error) => failed("sql", &error.to_string()),
            },
            Effect::Mail { message } if self.mail_fails => {
                failed("mail", &format!("no server for {:?}", message.to))
            }
            Effect::Mail { message } => {
                self.mails.push(*message);
                Outcome::Value(serde_json::json!({"message_id": "1", "response": "250 OK"}))
            }
            Effect::Http { request } => {
                self.requests.push(*request);
                self.http_response()
            }
            Effect::Body => Outcome::File(Some(std::mem::take(&mut self.body))),
            Effect::Part => Outcome::Value(self.parts.next_part()),
            Effect::Image { .. } => failed("files", "this host reads no pictures"),
            Effect::Import { file, mut options } => {
                options.offsets = offsets(&options.time_zone);
                let options = serde_json::to_string(&options).unwrap();
                Outcome::Value(::import::read_as_json(&file, &options).into())
            }
            Effect::Reference { .. } if self.reference_is_gone => {
                failed("reference", "no such module")
            }
            Effect::Reference {
                part: "openapi", ..
            } => Outcome::File(Some(document().to_string().into_bytes())),
            // The shim makes the other parts of the document.
            Effect::Reference { .. } => Outcome::File(Some(b"{}".to_vec())),
            Effect::HostImport { .. } => failed("files", "this host runs no imports"),
            Effect::Log { message, .. } => {
                self.log.push(message);
                Outcome::Value(Value::Null)
            }
            Effect::Callback { callback, .. } => match self.callbacks.get(&callback) {
                Some(result) => Outcome::Value(result.clone()),
                None => failed("hooks", "this host has no such callback"),
            },
            Effect::FileOpen { .. } | Effect::FileReceive { .. } | Effect::FileDelete { .. } => {
                self.perform_on_file(effect)
            }
            // This host knows only one zone, which is five hours behind UTC.
            Effect::Zone { zone, moment } => Outcome::Value(match zone.as_str() {
                "America/Bogota" => Value::from(moment - 5 * 3_600_000),
                _ => Value::Null,
            }),
            Effect::MetaGet { .. } | Effect::MetaSet { .. } | Effect::MetaDelete { .. } => {
                self.perform_on_meta(effect)
            }
            Effect::Answer { .. } | Effect::AnswerBytes { .. } => self.stream(effect),
        }
    }

    /// The next prepared response to a request, or else an empty 200.
    fn http_response(&mut self) -> Outcome {
        let ok = IncomingResponse {
            status: 200,
            headers: BTreeMap::new(),
            body: vec![],
        };
        let response = if self.responses.is_empty() {
            Ok(ok)
        } else {
            self.responses.remove(0)
        };
        response.map_or_else(Outcome::Failed, Outcome::Http)
    }

    fn perform_on_file(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::FileOpen { key } => {
                let opened = self.files.get(&key).cloned();
                self.opened = opened.clone();
                Outcome::File(opened)
            }
            Effect::FileReceive { key, limit, .. } => {
                let bytes = self.parts.take_file();
                let stored = key.is_some() && bytes.len() as u64 <= limit;
                let received = Received {
                    size: bytes.len() as u64,
                    sha256: crate::multipart::sha256(&bytes),
                    stored,
                    first: bytes.iter().copied().take(SNIFFED_BYTES).collect(),
                    error: None,
                    full: false,
                };
                if let (Some(key), true) = (key, stored) {
                    self.files.insert(key, bytes);
                }
                Outcome::Received(received)
            }
            Effect::FileDelete { .. } if self.files_stay => failed("files", "the disk is gone"),
            Effect::FileDelete { key } => {
                self.files.remove(&key);
                Outcome::Value(Value::Null)
            }
            other => panic!("no effect on files: {other:?}"),
        }
    }

    fn perform_on_meta(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::MetaGet { form_id, key } => {
                Outcome::Value(self.meta.get(&(form_id, key)).cloned().into())
            }
            Effect::MetaSet { .. } if self.meta_fails.is_some() => Outcome::Failed(PortError {
                port: "meta".to_owned(),
                code: self.meta_fails.unwrap_or_default().to_owned(),
                message: "the platform's store".to_owned(),
            }),
            Effect::MetaSet {
                form_id,
                key,
                value,
            } => {
                self.meta.insert((form_id, key), value);
                Outcome::Value(Value::Null)
            }
            Effect::MetaDelete { form_id, key } => {
                self.meta.remove(&(form_id, key));
                Outcome::Value(Value::Null)
            }
            other => panic!("no effect on meta values: {other:?}"),
        }
    }

    /// Keeps the pieces of a response that the engine streams.
    fn stream(&mut self, effect: Effect) -> Outcome {
        match effect {
            Effect::Answer {
                status,
                headers,
                bytes,
            } => {
                self.pieces = vec![bytes.len()];
                self.streamed = Some(Response {
                    status,
                    headers,
                    body: bytes,
                    ..Response::default()
                });
            }
            Effect::AnswerBytes { bytes } => {
                self.pieces.push(bytes.len());
                let response = self.streamed.as_mut().expect("a response that has begun");
                response.body.extend_from_slice(&bytes);
            }
            other => panic!("no piece of an answer: {other:?}"),
        }
        Outcome::Value(Value::Null)
    }
}

fn failed(port: &str, message: &str) -> Outcome {
    Outcome::Failed(PortError {
        port: port.to_owned(),
        code: "failed".to_owned(),
        message: message.to_owned(),
    })
}

/// The offsets from UTC of the zones that tests name. Simplified: they change at the start of each April and November.
fn offsets(zone: &str) -> Option<Vec<(i64, i64)>> {
    let hours = match zone {
        "UTC" => [0, 0],
        "Europe/Berlin" => [1, 2],
        "America/New_York" => [-5, -4],
        _ => return None,
    };
    let changes = (2000..2040).flat_map(|year| [(year, 4, 1), (year, 11, 0)]);
    let offset = |(year, month, season): (i32, u32, usize)| {
        let since = model::dates::parse_moment(&format!("{year}-{month:02}-01")).unwrap();
        (since, hours[season] * 3_600_000)
    };
    Some(changes.map(offset).collect())
}
