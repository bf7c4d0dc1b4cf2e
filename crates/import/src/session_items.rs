//! Reads the submissions of a large JSON file in parts, while the file arrives.

use std::collections::VecDeque;

use serde_json::Value;

use crate::entries::{self, document_parts};
use crate::report::MAX_LARGE;
use crate::values::{parse, put};
use crate::{Clock, Contents, ImportError, Options, Report, marks};

/// The maximum number of submissions in a part.
pub const MAX_PART: usize = 500;

/// The size of a part's submissions, in bytes, at which the part is complete.
pub const MAX_PART_BYTES: usize = 1 << 20;

/// The names of the members that may contain the list of submissions.
const LISTS: [&str; 4] = ["entries", "items", "content", "submissions"];

/// The maximum number of submissions in the sample. The reader recognises the file's format by the sample. For a file
/// from Gravity Forms, the reader also infers from the sample which field each field number means
/// (`entries/gravity.rs`).
const MAX_SAMPLE: usize = 200;

/// The list of submissions in a JSON file. The list is read in parts.
pub struct Items {
    format: &'static str,
    /// The beginning of the file, with a sample of the first submissions in place of the list.
    head: Value,
    splitter: Splitter,
    /// The JSON of the submissions that have arrived and were not removed by [`skip`](Items::skip). Empty in a scan.
    pub waiting: VecDeque<String>,
    /// The size of the waiting submissions, in bytes.
    bytes: usize,
    /// The number of submissions that have arrived.
    pub count: usize,
}

impl Items {
    /// Starts reading a file that begins with `begin`; `None` if `begin` has no list of submissions in a known format.
    pub fn of(begin: &str, is_scan: bool) -> Option<Items> {
        let text = begin.trim_start_matches('\u{feff}').trim_start();
        let start = list_start(text)?;
        let (before, rest) = text.split_at_checked(start)?;
        let mut splitter = Splitter::default();
        let mut found = Vec::new();
        splitter.push(rest, &mut found);
        let sample = found.iter().take(MAX_SAMPLE);
        let sample: Vec<Value> = sample.filter_map(|item| parse(item).ok()).collect();
        let head = head_of(before, sample)?;
        let known = marks::of_json(&head);
        let [format] = known.as_slice() else {
            return None;
        };
        let format = entries::known(format)?;
        // The titles of Tally's questions may come after the submissions. Then the file cannot be read in parts.
        if format == "tally-submissions" && head.get("questions").is_none() {
            return None;
        }
        let mut items = Items {
            format,
            head,
            splitter,
            waiting: VecDeque::new(),
            bytes: 0,
            count: 0,
        };
        items.add(found, is_scan);
        Some(items)
    }

    /// Reads the next piece of the file, and counts the submissions. Keeps the first [`MAX_LARGE`] submissions. A scan
    /// keeps no submissions, because a scan only describes the file.
    pub fn push(&mut self, piece: &str, is_scan: bool) {
        let mut found = Vec::new();
        self.splitter.push(piece, &mut found);
        self.add(found, is_scan);
    }

    fn add(&mut self, found: Vec<String>, is_scan: bool) {
        for item in found {
            self.count += 1;
            if !is_scan && self.count <= MAX_LARGE {
                self.bytes += item.len();
                self.waiting.push_back(item);
            }
        }
    }

    pub fn format(&self) -> &'static str {
        self.format
    }

    /// Whether the waiting submissions are enough for a part.
    pub fn is_enough(&self) -> bool {
        self.waiting.len() >= MAX_PART || self.bytes >= MAX_PART_BYTES
    }

    /// Removes the first waiting submissions, at most `count`. Returns the number of removed submissions.
    pub fn skip(&mut self, count: usize) -> usize {
        let count = count.min(self.waiting.len());
        let skipped = self.waiting.drain(..count);
        self.bytes -= skipped.map(|item| item.len()).sum::<usize>();
        count
    }

    /// Reads the next part. Returns the part's contents, and the number of submissions in the part. The submissions
    /// stay in `waiting` until the caller calls [`skip`](Items::skip).
    pub fn read(
        &self,
        options: &Options,
        report: &mut Report,
    ) -> Result<(Contents, usize), ImportError> {
        let mut bytes = 0;
        let part = self.waiting.iter().take(MAX_PART).take_while(|item| {
            let is_within = bytes < MAX_PART_BYTES;
            bytes += item.len();
            is_within
        });
        let documents: serde_json::Result<Vec<Value>> = part.map(|item| parse(item)).collect();
        let documents = documents
            .map_err(|error| ImportError::from(format!("This file is not valid JSON: {error}.")))?;
        let documents: Vec<&Value> = documents.iter().collect();
        let clock = Clock::of(options)?;
        let head = &self.head;
        let sample = document_parts::of(head, self.format);
        let file = entries::File {
            head,
            sample: &sample,
            format: self.format,
        };
        let contents = entries::read_documents(&file, &documents, options, &clock, report)?;
        Ok((contents, documents.len()))
    }
}

/// Parses the beginning of a file, and puts a sample of the submissions in place of the list. `before` ends with the
/// bracket that opens the list.
fn head_of(before: &str, sample: Vec<Value>) -> Option<Value> {
    if before == "[" {
        return Some(Value::Array(sample));
    }
    let mut head = parse(&[before, "]}"].concat()).ok()?;
    let members = head.as_object_mut()?;
    let (name, _) = before.trim_end_matches('[').trim_end().rsplit_once('"')?;
    let (_, name) = name.rsplit_once('"')?;
    put(members, name, Value::Array(sample));
    Some(head)
}

/// The position after the bracket that opens the list of submissions; `None` without a list. The list is the whole
/// file, or a member of the file's object.
fn list_start(text: &str) -> Option<usize> {
    if text.starts_with('[') {
        return Some(1);
    }
    let mut state = Scan::default();
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'[' && state.depth == 1 && !state.is_quoted {
            let name = text.get(..at)?.trim_end().strip_suffix(':')?.trim_end();
            let is_list = LISTS
                .iter()
                .any(|list| name.ends_with(&["\"", list, "\""].concat()));
            if is_list {
                return Some(at + 1);
            }
        }
        state.step(byte);
    }
    None
}

/// The state of a pass through JSON: the depth of brackets, and whether the position is within a string.
#[derive(Default)]
struct Scan {
    depth: usize,
    is_quoted: bool,
    is_escaped: bool,
}

impl Scan {
    fn step(&mut self, byte: u8) {
        if self.is_quoted {
            self.is_quoted = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return;
        }
        match byte {
            b'"' => self.is_quoted = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Splits the JSON of a list into objects.
#[derive(Default)]
struct Splitter {
    scan: Scan,
    /// The beginning of an object whose end has not arrived.
    begun: String,
    has_ended: bool,
}

impl Splitter {
    fn push(&mut self, piece: &str, found: &mut Vec<String>) {
        let mut start = 0;
        for (at, byte) in piece.bytes().enumerate() {
            if self.has_ended {
                return;
            }
            let before = self.scan.depth;
            self.has_ended = before == 0 && byte == b']' && !self.scan.is_quoted;
            self.scan.step(byte);
            if before == 0 && self.scan.depth == 1 {
                start = at;
            } else if before == 1 && self.scan.depth == 0 {
                self.begun
                    .push_str(piece.get(start..=at).unwrap_or_default());
                let item = std::mem::take(&mut self.begun);
                if item.starts_with('{') {
                    found.push(item);
                }
            }
        }
        if self.scan.depth > 0 {
            self.begun.push_str(piece.get(start..).unwrap_or_default());
        }
    }
}
