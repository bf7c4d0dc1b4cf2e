//! Pipes: earlier answers in the texts of later fields (`[name]`, `[name.first]`, `[name|there]`).
//!
//! Labels, help, placeholders, labels of options, headings, paragraphs, titles of steps, the label of "Other" and
//! buttons may contain pipes. A pipe names a field that takes an answer, in upper or lower case, except a password or
//! a file. All other brackets stay: `[optional]`, `[words](address)`. The words after `|` replace a missing answer;
//! the answer of a hidden field counts as missing. Brackets inside an answer are never read as pipes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Map, Value};

use super::display::answer_text;
use crate::unicode::case::lowercase;
use crate::{Field, FormSchema};

/// The longest text that a pipe shows, in characters; a longer text is cut and ends with an ellipsis.
pub const MAX_PIPED_CHARS: usize = 200;

/// The longest pipe as written, in bytes.
const MAX_PIPE_BYTES: usize = 1_000;

/// A part of a text.
#[derive(Clone, Debug)]
pub enum Piece<'s, 't> {
    /// Text that stays.
    Text(&'t str),
    /// An answer.
    Pipe(Pipe<'s, 't>),
}

/// An answer in a text.
#[derive(Clone, Debug)]
pub struct Pipe<'s, 't> {
    /// The field whose answer the pipe shows.
    pub field: &'s Field,
    /// The part of a name or address; empty for the whole answer.
    pub part: &'static str,
    /// The fallback words, shown if there is no answer.
    pub words: &'t str,
    /// The pipe as written, with its brackets.
    pub(super) written: &'t str,
    /// The byte range of the pipe in the text.
    span: Range<usize>,
}

impl Pipe<'_, '_> {
    /// The name in the schema's spelling: `name` or `name.part`. The text may write it in another case.
    pub fn name(&self) -> String {
        pipe_name(&self.field.name, self.part)
    }
}

pub(super) fn pipe_name(field: &str, part: &str) -> String {
    match part {
        "" => field.to_owned(),
        part => [field, ".", part].concat(),
    }
}

/// The texts that pipes show, by the pipes' names ([`Pipe::name`]). A missing answer has no entry.
pub type Piped = BTreeMap<String, String>;

/// The fields of a schema that pipes may name.
#[derive(Debug)]
pub struct PipeNames<'s> {
    exact: BTreeMap<&'s str, &'s Field>,
    folded: BTreeMap<String, &'s Field>,
}

impl<'s> PipeNames<'s> {
    /// The names of a schema's fields; `None` if the schema's texts contain no pipe.
    pub fn of(schema: &'s FormSchema) -> Option<PipeNames<'s>> {
        if !texts(schema).any(|text| text.contains('[')) {
            return None;
        }
        let names = PipeNames::all(schema);
        let has_pipe = texts(schema).any(|text| !names.pipes(text).is_empty());
        has_pipe.then_some(names)
    }

    pub(super) fn all(schema: &'s FormSchema) -> PipeNames<'s> {
        let takes_answer = |field: &&Field| field.takes_answer() && field.kind.stores_in_full();
        let fields = schema.fields.iter().filter(takes_answer);
        let mut names = PipeNames {
            exact: BTreeMap::new(),
            folded: BTreeMap::new(),
        };
        for field in fields {
            names.exact.entry(&field.name).or_insert(field);
            names.folded.entry(lowercase(&field.name)).or_insert(field);
        }
        names
    }

    /// The names of the fields whose answers the texts of a schema show.
    pub fn used(&self, schema: &FormSchema) -> BTreeSet<&'s str> {
        let texts = texts(schema).filter(|text| text.contains('['));
        let pipes = texts.flat_map(|text| self.pipes(text));
        pipes.map(|pipe| pipe.field.name.as_str()).collect()
    }

    /// Splits a text into its pipes and the text between them.
    pub fn pieces<'t>(&self, text: &'t str) -> Vec<Piece<'s, 't>> {
        let mut pieces = Vec::new();
        let mut literal = 0;
        for pipe in self.pipes(text) {
            let before = text.get(literal..pipe.span.start).unwrap_or_default();
            if !before.is_empty() {
                pieces.push(Piece::Text(before));
            }
            literal = pipe.span.end;
            pieces.push(Piece::Pipe(pipe));
        }
        let rest = text.get(literal..).unwrap_or_default();
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest));
        }
        pieces
    }

    /// The pipes of a text, in order.
    pub fn pipes<'t>(&self, text: &'t str) -> Vec<Pipe<'s, 't>> {
        let mut pipes: Vec<Pipe<'s, 't>> = Vec::new();
        for (at, _) in text.match_indices('[') {
            let is_within = pipes.last().is_some_and(|pipe| pipe.span.end > at);
            if !is_within && let Some(pipe) = self.pipe_at(text, at) {
                pipes.push(pipe);
            }
        }
        pipes
    }

    /// The pipe that begins with the bracket at an offset.
    fn pipe_at<'t>(&self, text: &'t str, at: usize) -> Option<Pipe<'s, 't>> {
        let inside = text.get(at + 1..)?;
        let window = inside.get(..inside.floor_char_boundary(MAX_PIPE_BYTES))?;
        // The name of a field may contain brackets: `[row[1]]`.
        let ends = window.match_indices(']').map(|(end, _)| end).take(3);
        for end in ends {
            let is_link = inside.get(end + 1..)?.starts_with('(');
            let found = inside.get(..end).and_then(|written| self.named(written));
            if let Some((field, part, words)) = found.filter(|_| !is_link) {
                let span = at..at + end + 2;
                return Some(Pipe {
                    field,
                    part,
                    words,
                    written: text.get(span.clone())?,
                    span,
                });
            }
        }
        None
    }

    /// The field, the part and the fallback words that the text between brackets states.
    fn named<'t>(&self, written: &'t str) -> Option<(&'s Field, &'static str, &'t str)> {
        if let Some(field) = self.field(written.trim()) {
            return Some((field, "", ""));
        }
        let (name, words) = written.split_once('|').unwrap_or((written, ""));
        let name = name.trim();
        if let Some(field) = self.field(name) {
            return Some((field, "", words));
        }
        let (name, part) = name.rsplit_once('.')?;
        let field = self.field(name)?;
        let mut parts = field.kind.parts().iter().map(|part| part.name);
        let part = parts.find(|known| known.eq_ignore_ascii_case(part))?;
        Some((field, part, words))
    }

    /// The field with a name. The exact name takes precedence over a name that differs only in case.
    fn field(&self, name: &str) -> Option<&'s Field> {
        let exact = self.exact.get(name);
        exact.or_else(|| self.folded.get(&lowercase(name))).copied()
    }

    /// Replaces each pipe in a text by the result of `of`.
    pub(super) fn replaced(&self, text: &str, of: &dyn Fn(&Pipe<'_, '_>) -> String) -> String {
        let pieces = self.pieces(text).into_iter().map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Pipe(pipe) => of(&pipe),
        });
        pieces.collect()
    }

    /// Replaces each pipe in a text by its answer, or else by its fallback words.
    pub fn filled(&self, text: &str, piped: &Piped) -> String {
        self.replaced(text, &|pipe| {
            let known = piped.get(&pipe.name());
            known.map_or_else(|| pipe.words.to_owned(), String::clone)
        })
    }
}

/// The texts of a field that may have pipes.
pub(super) fn texts_of_field(field: &Field) -> impl Iterator<Item = &String> {
    let texts = [&field.label, &field.placeholder, &field.description];
    let options = field.options.iter().map(|option| &option.label);
    let other = field.attributes.get(Field::OTHER);
    texts.into_iter().chain(options).chain(other)
}

/// The texts of a schema that may have pipes.
fn texts(schema: &FormSchema) -> impl Iterator<Item = &String> {
    let steps = schema.layout.steps.iter().flatten();
    let titles = steps.map(|step| &step.title);
    schema.fields.iter().flat_map(texts_of_field).chain(titles)
}

/// Changes each text of a field that may have pipes.
pub(super) fn change_field(field: &mut Field, change: &dyn Fn(&mut String)) {
    let texts = [
        &mut field.label,
        &mut field.placeholder,
        &mut field.description,
    ];
    texts.into_iter().for_each(change);
    let options = field.options.iter_mut();
    options.for_each(|option| change(&mut option.label));
    if let Some(other) = field.attributes.get_mut(Field::OTHER) {
        change(other);
    }
}

/// Replaces the pipes of one field. First, the links in a consent's label become plain text, so that no answer is
/// read as a link.
pub(super) fn fill_field(names: &PipeNames<'_>, field: &mut Field, piped: &Piped) {
    if field.kind.is_consent() {
        field.label = field.plain_label().into_owned();
    }
    change_field(field, &|text| {
        if text.contains('[') {
            *text = names.filled(text, piped);
        }
    });
}

/// Sets the texts that pipes of one field show; a missing answer removes them.
pub(super) fn set_piped(
    piped: &mut Piped,
    field: &Field,
    answer: Option<&Value>,
    texts_by_key: &Map<String, Value>,
) {
    let parts = field.kind.parts().iter().map(|part| part.name);
    for part in std::iter::once("").chain(parts) {
        let name = pipe_name(&field.name, part);
        let text = answer.and_then(|answer| text_in_pipe(field, part, answer, texts_by_key));
        match text {
            Some(text) => piped.insert(name, text),
            None => piped.remove(&name),
        };
    }
}

/// Changes each text of a schema that may have pipes.
pub(super) fn change_texts(schema: &mut FormSchema, change: &dyn Fn(&mut String)) {
    for field in &mut schema.fields {
        change_field(field, change);
    }
    for step in schema.layout.steps.iter_mut().flatten() {
        change(&mut step.title);
    }
}

/// Copies a schema, and replaces its pipes by answers or else by their fallback words. `None` for a schema without
/// pipes. First, the links in the labels of consents become plain text, so that no answer is read as a link.
pub fn filled(schema: &FormSchema, piped: &Piped) -> Option<FormSchema> {
    let names = PipeNames::of(schema)?;
    let mut shown = schema.clone();
    for field in &mut shown.fields {
        fill_field(&names, field, piped);
    }
    for step in shown.layout.steps.iter_mut().flatten() {
        step.title = names.filled(&step.title, piped);
    }
    Some(shown)
}

/// Copies a schema, and replaces its pipes by their fallback words, for columns, lists and sums. `None` for a schema
/// without pipes.
pub fn in_words(schema: &FormSchema) -> Option<FormSchema> {
    filled(schema, &Piped::new())
}

/// The texts that a schema's pipes show. `value` returns the answer to a field.
pub(super) fn piped_by<'s>(
    schema: &'s FormSchema,
    texts_by_key: &Map<String, Value>,
    value: impl Fn(&'s Field) -> Option<Value>,
) -> Piped {
    let mut piped = Piped::new();
    let Some(names) = PipeNames::of(schema) else {
        return piped;
    };
    // A pipe may show an option whose label has pipes itself; those become their fallback words.
    let words = in_words(schema);
    let words = words.as_ref().unwrap_or(schema);
    let mut answers: BTreeMap<&str, Option<Value>> = BTreeMap::new();
    for text in texts(schema) {
        for pipe in names.pipes(text) {
            let field = pipe.field;
            let answer = answers.entry(&field.name).or_insert_with(|| value(field));
            let shown = answer.as_ref().and_then(|answer| {
                let field = words.field(&field.name)?;
                text_in_pipe(field, pipe.part, answer, texts_by_key)
            });
            piped.extend(shown.map(|shown| (pipe.name(), shown)));
        }
    }
    piped
}

/// The texts that a schema's pipes show for a submission's data.
pub fn piped_data(
    schema: &FormSchema,
    data: &Map<String, Value>,
    texts_by_key: &Map<String, Value>,
) -> Piped {
    let groups = schema.row_groups();
    piped_by(schema, texts_by_key, |field| {
        let mut values = schema.values_of(&groups, &field.name, &|name| data.get(name));
        match groups.contains_key(field.name.as_str()) {
            true => Some(values.into_iter().cloned().collect()),
            false => values.pop().cloned(),
        }
    })
}

/// The text of an answer in a pipe: on one line, with at most [`MAX_PIPED_CHARS`] characters. `None` for a missing
/// answer.
fn text_in_pipe(
    field: &Field,
    part: &str,
    answer: &Value,
    texts_by_key: &Map<String, Value>,
) -> Option<String> {
    let answer = match part {
        "" => answer,
        part => answer.get(part)?,
    };
    let is_off = |answer: &Value| answer == &Value::Bool(false);
    if is_off(answer) || answer.get("accepted").is_some_and(is_off) {
        return None;
    }
    let text = answer_text(field, answer, texts_by_key);
    // Non-breaking spaces stay; they keep, for example, a price on one line.
    let is_space = |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}');
    let words = text.split(is_space).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let mut line = words.join(" ");
    if line.chars().count() > MAX_PIPED_CHARS {
        line = line.chars().take(MAX_PIPED_CHARS - 1).collect();
        line.push('…');
    }
    (!line.is_empty()).then_some(line)
}
