//! Warns about content that no field can hold, so that nothing is lost silently. Layout, which rendering replaces,
//! and hidden content need no warning.

use super::elements::ElementAttributes;
use super::items::{Item, ItemKind, Items, Node, index};
use crate::html::entities::decode_attribute;
use crate::html::tag::Tag;
use crate::html::text::{TextRange, is_unseen};
use crate::html::tokens::{StartTag, tag_name_at};
use crate::warnings::{MAX_WARNINGS, WarningCode, Warnings};

/// The longest text that a warning repeats, in characters.
const MAX_EXCERPT: usize = 200;

/// Elements that a schema cannot hold, in addition to [`Tag::has_no_field`].
const LOST: [&str; 4] = ["applet", "audio", "canvas", "video"];

/// A loss to report.
pub(super) struct Loss<'a> {
    code: WarningCode,
    /// The name of the element or attribute, or the address of the link, as written.
    name: &'a str,
    offset: u32,
}

impl<'a> Items<'a> {
    /// Notes warnings about the parts of an element that the schema cannot hold. Returns whether its text is lost too.
    /// Attributes of items are read with their fields.
    pub(super) fn note_losses(
        &mut self,
        tag: &StartTag<'a, '_>,
        attributes: &ElementAttributes<'a>,
        items_before: usize,
    ) -> bool {
        let is_field = self.list.len() > items_before;
        let alternative = || tag.attribute("alt").map(|text| text.raw_value());
        let lost = match tag.tag {
            Tag::Other if tag.name.eq_ignore_ascii_case("a") => tag
                .attribute("href")
                .map(|address| (WarningCode::LinkDropped, address.raw_value())),
            Tag::Img | Tag::Image if alternative() == Some("") => None,
            _ if attributes.is_hidden() => None,
            known => {
                let is_one = |name: &&str| tag.name.eq_ignore_ascii_case(name);
                let is_lost =
                    known.has_no_field() || (known == Tag::Other && LOST.iter().any(is_one));
                is_lost.then_some((WarningCode::ElementDropped, tag.name))
            }
        };
        let is_field = is_field || matches!(tag.tag, Tag::Input | Tag::Button);
        let handler = attributes.handler.filter(|_| !is_field);
        let handler = handler.map(|handler| (WarningCode::UnsafeAttribute, handler));
        for (code, name) in lost.into_iter().chain(handler) {
            self.note_loss(code, name, index(tag.span.start));
        }
        lost.is_some_and(|(code, _)| code == WarningCode::ElementDropped)
    }

    /// Notes a loss. Losses in the page around the form have their own list, so that they never crowd out the form's.
    pub(super) fn note_loss(&mut self, code: WarningCode, name: &'a str, offset: u32) {
        let noted = if self.context.is_in_form {
            &mut self.losses_in_form
        } else {
            &mut self.losses_outside
        };
        if noted.len() < MAX_WARNINGS {
            noted.push(Loss { code, name, offset });
        }
    }

    /// Ends an element whose class marks a fault. An element without a label or control is a message, which neither
    /// labels nor describes a field. Otherwise the element is the field with the fault, and stays.
    pub(super) fn close_fault(&mut self, offset: u32, text: TextRange, node: &Node) {
        let items = self.list.get_mut(node.items_before..);
        let items = items.unwrap_or_default();
        let is_text = |item: &Item| {
            matches!(
                item.kind,
                ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider | ItemKind::Nothing
            )
        };
        if !items.iter().all(is_text) || self.labels.len() != node.labels_before {
            return;
        }
        for item in items {
            item.kind = ItemKind::Nothing;
        }
        self.texts.hide(text);
        let name = tag_name_at(self.html, offset as usize);
        self.note_loss(WarningCode::ElementDropped, name, offset);
        if let Some(text_of_id) = node.id.of_mut(&mut self.texts_of_ids) {
            // References to the message by its id are not descriptions.
            *text_of_id = 0..0;
        }
    }
}

/// Warns about all losses, after the fields have claimed their texts. If there is a form element, content outside it
/// belongs to the page and is reported once.
pub(super) fn report(items: &Items<'_>, warnings: &mut Warnings) {
    let has_form = items.form_count > 0;
    let texts = &items.texts;
    let outside = items.losses_outside.iter().filter(|_| !has_form);
    for loss in items.losses_in_form.iter().chain(outside) {
        if loss.code == WarningCode::LinkDropped && texts.keeps_link(loss.name) {
            continue;
        }
        let message = message(loss.code, &decode_attribute(loss.name));
        warnings.add(loss.code, loss.offset as usize, message);
    }
    let first = items.losses_outside.first().filter(|_| has_form);
    let mut outside = first.map(|loss| loss.offset as usize);
    let mut page_is_reported = false;
    for (run, is_in_form) in texts.unclaimed() {
        let is_pages = has_form && !is_in_form;
        if warnings.is_full() || (is_pages && page_is_reported) || texts.is_blank(run.clone()) {
            continue;
        }
        let (text, offset) = (texts.glimpse(run.clone()), texts.start_of(&run));
        // The `&nbsp;` of an empty cell needs no warning.
        if is_unseen(&text) {
            continue;
        }
        if is_pages {
            page_is_reported = true;
            outside = Some(outside.map_or(offset, |first| first.min(offset)));
        } else {
            let code = WarningCode::ContentDropped;
            warnings.add(code, offset, message(code, &text));
        }
    }
    if let Some(offset) = outside {
        let message = "Content outside the form belongs to the page and is left out.";
        warnings.add(WarningCode::OutsideForm, offset, message);
    }
}

/// The message of the warning about a lost text or element.
pub(super) fn message(code: WarningCode, text: &str) -> String {
    let end = text.char_indices().nth(MAX_EXCERPT).map(|(end, _)| end);
    let excerpt = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let more = if end.is_some() { "…" } else { "" };
    let (before, after) = match code {
        WarningCode::LinkDropped => ("The address `", "` of a link is left out; its text stays."),
        WarningCode::UnsafeAttribute => ("`", "` is left out: it runs script."),
        WarningCode::ElementDropped => ("The element `", "` is left out."),
        _ => ("The text `", "` is left out: it belongs to no field."),
    };
    [before, excerpt, more, after].concat()
}
