//! Writes texts that repeat answers by pipes ([`model::logic::piping`]). Only visitors' pages fill in pipes; the
//! visitor's script keeps them up to date (`visitor/script/pipes.ts`).
//!
//! | attribute | on | value |
//! |---|---|---|
//! | `data-cf-pipe`, `data-cf-else` | the `<bdi>` around an answer | the field, with its part; the fallback words |
//! | `data-cf-text` | an option, which cannot contain elements | its text with pipes |
//! | `data-cf-text-placeholder`, `data-cf-text-aria-label` | a control | the attribute's text with pipes |

use super::Page;
use model::escape;
use model::logic::piping::Piece;

impl Page<'_> {
    /// Writes a text with an element around each answer.
    pub(super) fn piped(&mut self, text: &str) {
        let Some(pipes) = self.pipes.as_ref().filter(|_| text.contains('[')) else {
            return self.text(text);
        };
        for piece in pipes.pieces(text) {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Pipe(pipe) => {
                    let name = pipe.name();
                    let options = self.options;
                    let known = options.piped.get(&name).map_or(pipe.words, String::as_str);
                    let attributes = [
                        ("data-cf-pipe", name.as_str()),
                        ("data-cf-else", pipe.words),
                    ];
                    self.element("bdi", &attributes, known);
                }
            }
        }
    }

    /// Writes an element with a text that may have pipes.
    pub(super) fn piped_element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.piped(text);
        self.close(name);
    }

    /// A text with answers instead of its pipes; `None` for a text without pipes.
    pub(super) fn filled(&self, text: &str) -> Option<String> {
        let pipes = self.pipes.as_ref().filter(|_| text.contains('['))?;
        let has_pipes = !pipes.pipes(text).is_empty();
        has_pipes.then(|| pipes.filled(text, &self.options.piped))
    }

    /// Writes an attribute whose text may have pipes, unless it is empty.
    pub(super) fn piped_attribute(&mut self, name: &str, text: &str) {
        let Some(filled) = self.filled(text) else {
            return self.attribute_if_any(name, text);
        };
        self.attribute(name, &filled);
        self.attribute(&["data-cf-text-", name].concat(), text);
    }

    /// Ends the start tag of an option, and writes its text, which may have pipes.
    pub(super) fn option_text(&mut self, text: &str) {
        let filled = self.filled(text);
        if filled.is_some() {
            self.attribute("data-cf-text", text);
        }
        self.out.push('>');
        escape::text(&mut self.out, filled.as_deref().unwrap_or(text));
    }
}
