//! The export file of the platform (WXR, an RSS extension): its posts with their meta. The reader knows only the
//! XML that such files use, takes linear time, and never fails on bad XML.

use model::entities::unescape;
use serde_json::{Map, Value};

use super::values::{put, shortened};

/// The longest text about the site, in characters; a template may repeat it.
const MAX_SITE_TEXT_CHARS: usize = 200;

/// The site of a file (`title`, `description`, `link`), and its posts: `kind`, `title`, `slug`, `content`, and
/// `meta`, an object. If a fact of the site or a meta key occurs twice, the first counts.
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
                "title" => put(&mut post, "title", trimmed.into()),
                "content:encoded" => put(&mut post, "content", Value::String(value)),
                "wp:post_type" => put(&mut post, "kind", trimmed.into()),
                "wp:post_name" => put(&mut post, "slug", trimmed.into()),
                "wp:meta_key" => trimmed.clone_into(&mut key),
                "wp:meta_value" if !meta.contains_key(&key) => {
                    put(&mut meta, &key, Value::String(value));
                }
                "item" => {
                    put(&mut post, "meta", Value::Object(std::mem::take(&mut meta)));
                    posts.push(Value::Object(std::mem::take(&mut post)));
                }
                _ => {}
            }
        }
    }
    (Value::Object(site), posts)
}
