//! Where a document is in SVG or MathML (HTML standard, "The rules for parsing tokens in foreign
//! content"): there, `<style>` and its like hold markup, and character data sections are no
//! comments.

use super::attributes::Attributes;
use super::tag::{Tag, hash};

/// How many SVG and MathML elements may be open at once; what is deeper has no depth.
const MAX_DEPTH: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// The open elements of SVG and MathML, and of the HTML within them, outermost first; none while
/// there is but HTML.
#[derive(Default)]
pub(super) struct Foreign {
    open: Vec<Open>,
}

struct Open {
    name_hash: u32,
    /// What its content is; HTML may stand in some elements.
    content: Namespace,
    /// Whether it is HTML itself, within SVG or MathML.
    is_html: bool,
    /// Whether an end tag of another HTML element does not reach across it.
    is_special: bool,
}

impl Foreign {
    /// Whether the content here is SVG or MathML.
    pub(super) fn is_current(&self) -> bool {
        self.current() != Namespace::Html
    }

    /// Whether the content here is SVG or MathML, or HTML within them.
    pub(super) fn is_around(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes that an element around all of it has ended.
    pub(super) fn leave(&mut self) {
        self.open.clear();
    }

    fn current(&self) -> Namespace {
        self.open
            .last()
            .map_or(Namespace::Html, |open| open.content)
    }

    /// Back to the HTML around, which may lie in an element of SVG or MathML.
    fn leave_to_html(&mut self) {
        while self.is_current() {
            self.open.pop();
        }
    }

    /// Notes a start tag, and says whether its element is SVG or MathML.
    pub(super) fn start(
        &mut self,
        tag: Tag,
        name: &str,
        attributes: Attributes<'_, '_>,
        is_self_closing: bool,
    ) -> bool {
        let is_root = matches!(tag, Tag::Svg | Tag::Math);
        if self.open.is_empty() && !is_root {
            return false;
        }
        let around = self.current();
        if around != Namespace::Html && leaves(tag, name, attributes) {
            self.leave_to_html();
            return false;
        }
        let content = match (tag, around) {
            (Tag::Svg, Namespace::Html) => Namespace::Svg,
            (Tag::Math, Namespace::Html) => Namespace::MathMl,
            (_, Namespace::Html) => Namespace::Html,
            _ if holds_html(around, name, attributes) => Namespace::Html,
            _ => around,
        };
        let is_html = around == Namespace::Html && !is_root;
        let is_empty = match is_html {
            true => tag.is_void() || tag.holds_raw_text(),
            false => is_self_closing,
        };
        if !is_empty && self.open.len() < MAX_DEPTH {
            self.open.push(Open {
                name_hash: hash(name),
                content,
                is_html,
                is_special: is_html && tag.is_special(),
            });
        }
        !is_html
    }

    /// Notes an end tag, and says whether it may end an element of the HTML around all of it.
    pub(super) fn end(&mut self, name: &str) -> bool {
        if self.open.is_empty() {
            return true;
        }
        let name_hash = hash(name);
        if self.is_current() && matches!(Tag::of(name), Tag::P | Tag::Br) {
            self.leave_to_html();
            return self.open.is_empty();
        }
        let is_in_html = self.open.last().is_some_and(|open| open.is_html);
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.is_html != is_in_html {
                return false;
            }
            if open.name_hash == name_hash {
                self.open.truncate(index);
                return false;
            }
            if open.is_special {
                return false;
            }
        }
        self.open.iter().all(|open| open.content != Namespace::Html)
    }
}

/// Whether a start tag cannot stand in SVG or MathML, so that it ends them.
fn leaves(tag: Tag, name: &str, attributes: Attributes<'_, '_>) -> bool {
    const OTHERS: [&str; 17] = [
        "b", "big", "code", "em", "i", "listing", "nobr", "ruby", "s", "span", "strike", "strong",
        "sub", "sup", "tt", "u", "var",
    ];
    let is_html = tag.is_heading()
        || matches!(
            tag,
            Tag::Blockquote
                | Tag::Body
                | Tag::Br
                | Tag::Center
                | Tag::Dd
                | Tag::Div
                | Tag::Dl
                | Tag::Dt
                | Tag::Embed
                | Tag::Head
                | Tag::Hr
                | Tag::Img
                | Tag::Li
                | Tag::Menu
                | Tag::Meta
                | Tag::Ol
                | Tag::P
                | Tag::Pre
                | Tag::Small
                | Tag::Table
                | Tag::Ul
        );
    let is_styled_font = || {
        name.eq_ignore_ascii_case("font")
            && ["color", "face", "size"]
                .iter()
                .any(|known| attributes.find(known).is_some())
    };
    is_html
        || (tag == Tag::Other && OTHERS.iter().any(|known| name.eq_ignore_ascii_case(known)))
        || is_styled_font()
}

/// Whether an element's content is HTML.
fn holds_html(namespace: Namespace, name: &str, attributes: Attributes<'_, '_>) -> bool {
    if !name.eq_ignore_ascii_case("annotation-xml") {
        return is_integration_point(namespace, name);
    }
    namespace == Namespace::MathMl
        && attributes.find("encoding").is_some_and(|encoding| {
            let encoding = encoding.value();
            encoding.eq_ignore_ascii_case("text/html")
                || encoding.eq_ignore_ascii_case("application/xhtml+xml")
        })
}

fn is_integration_point(namespace: Namespace, name: &str) -> bool {
    let names: &[&str] = match namespace {
        Namespace::Html => &[],
        Namespace::Svg => &["foreignobject", "desc", "title"],
        Namespace::MathMl => &["mi", "mo", "mn", "ms", "mtext", "annotation-xml"],
    };
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}
