//! The export file of the platform (WXR, an RSS extension): its posts with their meta. Only as much of
//! XML as such files have; linear in the text, and never failing on bad XML.

use model::entities::unescape;

/// A post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Its post type.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// Its slug.
    pub slug: String,
    /// Its content.
    pub content: String,
    /// Its meta, by key, in order.
    pub meta: Vec<(String, String)>,
}

impl Post {
    /// The first value of a meta key; empty where there is none.
    pub fn meta(&self, key: &str) -> &str {
        let found = self.meta.iter().find(|(own, _)| own == key);
        found.map_or("", |(_, value)| value)
    }
}

/// What a file says about its site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Its title.
    pub title: String,
    /// Its tagline.
    pub description: String,
    /// Its address.
    pub url: String,
}

/// The most characters of what a file says about its site; a template may repeat it.
const MAX_SAID: usize = 200;

impl Site {
    /// Takes what an element says that stands before the posts; the first of a name counts.
    fn take(&mut self, name: &str, value: &str) {
        let own = match name {
            "title" => &mut self.title,
            "description" => &mut self.description,
            "link" => &mut self.url,
            _ => return,
        };
        if own.is_empty() {
            *own = value.trim().chars().take(MAX_SAID).collect();
        }
    }
}

/// The site of a file, and its posts.
pub fn read(text: &str) -> (Site, Vec<Post>) {
    let mut site = Site::default();
    let mut is_in_post = false;
    let mut posts = Vec::new();
    let mut post = Post::default();
    let mut key = String::new();
    let mut content = String::new();
    let mut rest = text;
    while let Some((before, at)) = rest.split_once('<') {
        content.push_str(&unescape(before));
        rest = at;
        if let Some(section) = rest.strip_prefix("![CDATA[") {
            let (own, after) = section.split_once("]]>").unwrap_or((section, ""));
            content.push_str(own);
            rest = after;
        } else if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else {
            let (tag, after) = rest.split_once('>').unwrap_or((rest, ""));
            rest = after;
            let Some(name) = tag.strip_prefix('/') else {
                if tag.trim_end() == "item" {
                    post = Post::default();
                    is_in_post = true;
                }
                content.clear();
                continue;
            };
            let value = std::mem::take(&mut content);
            match name.trim() {
                name if !is_in_post => site.take(name, &value),
                "title" => post.title = value.trim().to_owned(),
                "content:encoded" => post.content = value,
                "wp:post_type" => post.kind = value.trim().to_owned(),
                "wp:post_name" => post.slug = value.trim().to_owned(),
                "wp:meta_key" => key = value.trim().to_owned(),
                "wp:meta_value" => post.meta.push((std::mem::take(&mut key), value)),
                "item" => posts.push(std::mem::take(&mut post)),
                _ => {}
            }
        }
    }
    (site, posts)
}
