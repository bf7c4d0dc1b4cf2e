//! Reads a site's export (WXR, an RSS extension): its posts with their meta. The reader knows only the XML that these
//! files use, takes linear time, and never fails on bad XML.

use model::entities::unescape;
use serde_json::{Map, Value};

use super::values::{put, put_text, shortened};

/// Maximum length of a text about the site, in characters. It is limited because a template may repeat the text.
const MAX_SITE_TEXT_CHARS: usize = 200;

/// The start of a tag that names a Flamingo message's channel, which identifies its form.
const CHANNEL: &str = "category domain=\"flamingo_inbound_channel\"";

/// The elements of a post that contain text, each with the member that stores it.
const MEMBERS: [(&str, &str); 6] = [
    ("title", "title"),
    ("wp:post_type", "kind"),
    ("wp:post_name", "slug"),
    ("wp:post_id", "id"),
    ("wp:post_date_gmt", "at"),
    ("wp:status", "status"),
];

/// Puts the text of an element, if a post has a member for it.
fn put_member(post: &mut Map<String, Value>, element: &str, text: &str) {
    let member = MEMBERS.iter().find(|(theirs, _)| *theirs == element);
    if let Some((_, ours)) = member {
        put(post, ours, text.into());
    }
}

/// The channel that a category's tag names; empty for other tags.
fn channel_of(tag: &str) -> &str {
    let channel = tag.strip_prefix(CHANNEL).unwrap_or_default();
    let name = channel.split("nicename=\"").nth(1).unwrap_or_default();
    name.split('"').next().unwrap_or_default()
}

/// Returns the site of a file (`title`, `description`, `link`), and its posts: `kind`, `title`, `slug`, `content`,
/// `id`, `at`, `status`, `channel`, and `meta`, an object. If a fact of the site or a meta key occurs twice, the first
/// counts.
pub fn read(text: &str) -> (Value, Vec<Value>) {
    let mut site = Map::new();
    let mut is_in_post = false;
    let mut posts = Vec::new();
    let (mut post, mut meta) = (Map::new(), Map::new());
    let mut key = String::new();
    let mut content = String::new();
    let mut rest = text;
    while let Some((before, at)) = rest.split_once('<') {
        content.push_str(&unescape(before));
        rest = at;
        if let Some(section) = rest.strip_prefix("![CDATA[") {
            let (text, after) = section.split_once("]]>").unwrap_or((section, ""));
            content.push_str(text);
            rest = after;
        } else if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else {
            let (tag, after) = rest.split_once('>').unwrap_or((rest, ""));
            rest = after;
            let Some(name) = tag.strip_prefix('/') else {
                if tag.trim_end() == "item" {
                    (post, meta) = (Map::new(), Map::new());
                    is_in_post = true;
                }
                put_text(&mut post, "channel", channel_of(tag));
                content.clear();
                continue;
            };
            let value = std::mem::take(&mut content);
            let trimmed = value.trim();
            match name.trim() {
                name @ ("title" | "description" | "link")
                    if !is_in_post && !trimmed.is_empty() && !site.contains_key(name) =>
                {
                    put(
                        &mut site,
                        name,
                        shortened(trimmed, MAX_SITE_TEXT_CHARS).into(),
                    );
                }
                _ if !is_in_post => {}
                "content:encoded" => put(&mut post, "content", Value::String(value)),
                "wp:meta_key" => trimmed.clone_into(&mut key),
                "wp:meta_value" if !meta.contains_key(&key) => {
                    put(&mut meta, &key, Value::String(value));
                }
                "item" => {
                    put(&mut post, "meta", Value::Object(std::mem::take(&mut meta)));
                    posts.push(Value::Object(std::mem::take(&mut post)));
                }
                name => put_member(&mut post, name, trimmed),
            }
        }
    }
    (Value::Object(site), posts)
}
