//! Adds pages, texts and confirmations to a form under construction.

use super::builder::Builder;
use super::html_text::{is_formatted, lines, linked};
use super::item::Item;
use super::maps;
use super::templates::{Marks, filled};
use crate::values::{one_line, put, put_text, texts};
use serde_json::Value;

/// Maximum number of distinct texts that are kept for each kind of page button.
const MAX_PAGE_WORDS: usize = 100;

impl Builder<'_> {
    /// Begins a page.
    pub fn page(&mut self, title: &str) {
        if self.pages.is_empty() && !self.items.is_empty() {
            self.pages.push((String::new(), 0));
        }
        self.pages.push((one_line(title), self.items.len()));
    }

    /// Shows one question per page.
    pub fn conversational(&mut self) {
        self.is_conversational = true;
    }

    /// Sets the title of the current page, or of the first page if none has begun.
    pub fn title_page(&mut self, title: &str) {
        match self.pages.last_mut() {
            Some(page) => page.0 = one_line(title),
            None => self.pages.push((one_line(title), 0)),
        }
    }

    /// Adds the texts of a page's buttons.
    pub fn page_buttons(&mut self, next: &str, previous: &str) {
        for (words, set) in [next, previous].into_iter().zip(&mut self.page_words) {
            let words = one_line(words);
            if !words.is_empty() && !set.contains(&words) && set.len() < MAX_PAGE_WORDS {
                set.push(words);
            }
        }
    }

    /// Replaces the variables of a template. Unknown variables are reported with `place`.
    pub fn fill(
        &mut self,
        template: &str,
        marks: Marks,
        place: &str,
        variable: &dyn Fn(&Builder<'_>, &str) -> Option<String>,
    ) -> String {
        let mut unknown = Vec::new();
        let filled = filled(template, marks, &|tag| variable(self, tag), &mut |tag| {
            unknown.push(tag.to_owned())
        });
        for tag in unknown {
            self.note("unknown_variable", place, &tag);
        }
        filled.replace("\r\n", "\n")
    }

    /// Replaces the variables in the labels of the fields.
    pub fn fill_labels(
        &mut self,
        marks: Marks,
        variable: &dyn Fn(&Builder<'_>, &str) -> Option<String>,
    ) {
        for at in 0..self.items.len() {
            let Some(item) = self.items.get(at) else {
                return;
            };
            if item.label.contains(marks.open) {
                let (label, place) = (item.label.clone(), item.name.clone());
                let label = self.fill(&label, marks, &place, variable);
                if let Some(item) = self.items.get_mut(at) {
                    item.label = label;
                }
            }
        }
    }

    /// The variable of a field, or of one of its parts.
    pub fn variable(&self, id: &str, part: &str) -> Option<String> {
        let item = self.find(id)?;
        let part = match item.kind {
            "name" | "address" => maps::kind("parts", part).unwrap_or(""),
            _ => "",
        };
        let between = if part.is_empty() { "" } else { "." };
        Some(["[", &item.name, between, part, "]"].concat())
    }

    /// Adds a confirmation text. The first text without conditions becomes the form's success message; texts with
    /// conditions become endings.
    pub fn thanks(&mut self, html: &str, conditions: Option<Value>) {
        let text = lines(html);
        if text.is_empty() {
            return;
        }
        let is_html = is_formatted(html);
        if let Some(conditions) = conditions {
            let mut ending = texts(&[("text", &text)]);
            if is_html {
                put_text(&mut ending, "html", html.trim());
            }
            put(&mut ending, "conditions", conditions);
            self.endings.push(Value::Object(ending));
        } else if self.confirm() {
            put_text(&mut self.messages, "success", &text);
            if is_html {
                put_text(&mut self.messages, "success_html", html.trim());
            }
        }
    }

    /// Adds a redirect after a submission.
    pub fn redirect(&mut self, address: &str, conditions: Option<Value>) {
        let address = address.trim();
        if address.is_empty() {
            return;
        }
        if let Some(conditions) = conditions {
            let mut ending = texts(&[("redirect_url", address)]);
            put(&mut ending, "conditions", conditions);
            self.endings.push(Value::Object(ending));
        } else if self.confirm() {
            put_text(&mut self.settings, "redirect_url", address);
        }
    }

    /// Returns whether this is the first unconditional confirmation; any further one is reported.
    fn confirm(&mut self) -> bool {
        let is_first = !self.has_confirmation;
        if !is_first {
            self.note("confirmation", "confirmations", "");
        }
        self.has_confirmation = true;
        is_first
    }

    /// Sets a message from a text that may be HTML.
    pub fn message(&mut self, code: &str, html: &str) {
        put_text(&mut self.messages, code, &lines(html));
    }

    /// Sets the label of a consent, with its links.
    pub fn consent_label(&mut self, item: &mut Item, html: &str) {
        let label = linked(html);
        if !label.is_empty() {
            item.label = label;
        }
    }

    /// Sets the limit of submissions; zero means no limit.
    pub fn submission_limit(&mut self, text: &str) {
        if let Ok(most) = text.trim().parse::<u64>()
            && most > 0
        {
            put(&mut self.settings, "submission_limit", most.into());
        }
    }
}
