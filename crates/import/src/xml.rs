//! Reads XML to a tree. The reader knows only the XML that exports use, takes linear time, and never fails on bad XML.

use model::entities::unescape;

/// Maximum depth of nested elements; deeper elements are left out.
const MAX_DEPTH: usize = 32;

/// An element: its name, its attributes as written, its own text, and its child elements.
#[derive(Clone, Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: String,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    /// The first child with this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children with this name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child with this name.
    pub fn text_of(&self, name: &str) -> &str {
        self.child(name).map_or("", |child| child.text.trim())
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes.as_str();
        while let Some((before, after)) = rest.split_once('=') {
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, next) = after.get(1..)?.split_once(quote)?;
            if before.trim() == name {
                return Some(unescape(value).into_owned());
            }
            rest = next;
        }
        None
    }
}

/// Reads XML. The result is an unnamed element that contains the outermost elements.
pub fn read(content: &str) -> Element {
    let mut open = vec![Element::default()];
    // The number of open elements beyond the maximum depth.
    let mut deeper = 0_usize;
    let mut rest = content;
    while let Some((before, at)) = rest.split_once('<') {
        if let Some(element) = open.last_mut().filter(|_| deeper == 0) {
            element.text.push_str(&unescape(before));
        }
        if let Some(section) = at.strip_prefix("![CDATA[") {
            let (text, after) = section.split_once("]]>").unwrap_or((section, ""));
            if let Some(element) = open.last_mut().filter(|_| deeper == 0) {
                element.text.push_str(text);
            }
            rest = after;
        } else if let Some(comment) = at.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else {
            let (tag, after) = at.split_once('>').unwrap_or((at, ""));
            rest = after;
            tag_read(tag, &mut open, &mut deeper);
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().unwrap_or_default()
}

fn tag_read(tag: &str, open: &mut Vec<Element>, deeper: &mut usize) {
    if tag.starts_with(['?', '!']) {
        return;
    }
    if let Some(name) = tag.strip_prefix('/') {
        if *deeper > 0 {
            *deeper -= 1;
        } else if open
            .last()
            .is_some_and(|element| element.name == name.trim())
        {
            close(open);
        }
        return;
    }
    let is_whole = tag.ends_with('/');
    let tag = tag.trim_end_matches('/');
    let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    if open.len() > MAX_DEPTH {
        *deeper += usize::from(!is_whole);
        return;
    }
    open.push(Element {
        name: name.to_owned(),
        attributes: attributes.to_owned(),
        ..Element::default()
    });
    if is_whole {
        close(open);
    }
}

/// Ends the innermost element: moves it to its parent's children.
fn close(open: &mut Vec<Element>) {
    if let Some(element) = open.pop()
        && let Some(outer) = open.last_mut()
    {
        outer.children.push(element);
    }
}
