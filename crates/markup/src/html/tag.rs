//! The element names that the tree's rules know.

macro_rules! tags {
    ($($name:ident = $text:literal,)*) => {
        /// An HTML element's name, as far as the rules tell it from others.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Tag {
            $(#[doc = concat!("`<", stringify!($name), ">`.")] $name,)*
            /// Any other name; formatting elements are among them.
            Other,
        }

        impl Tag {
            /// How many tags there are.
            pub(crate) const COUNT: usize = Tag::Other as usize + 1;

            /// The tag of a name, in any case.
            pub fn of(name: &str) -> Tag {
                let mut lower = [0; LONGEST_NAME];
                let Some(lower) = lower.get_mut(..name.len()) else {
                    return Tag::Other;
                };
                lower.copy_from_slice(name.as_bytes());
                lower.make_ascii_lowercase();
                match &*lower {
                    $($text => Tag::$name,)*
                    _ => Tag::Other,
                }
            }
        }
    };
}

/// The longest name among the known ones.
const LONGEST_NAME: usize = 10;

tags! {
    Address = b"address",
    Area = b"area",
    Article = b"article",
    Aside = b"aside",
    Base = b"base",
    Blockquote = b"blockquote",
    Body = b"body",
    Br = b"br",
    Button = b"button",
    Caption = b"caption",
    Center = b"center",
    Col = b"col",
    Colgroup = b"colgroup",
    Datalist = b"datalist",
    Dd = b"dd",
    Details = b"details",
    Dialog = b"dialog",
    Dir = b"dir",
    Div = b"div",
    Dl = b"dl",
    Dt = b"dt",
    Embed = b"embed",
    Fieldset = b"fieldset",
    Figcaption = b"figcaption",
    Figure = b"figure",
    Footer = b"footer",
    Form = b"form",
    Frameset = b"frameset",
    H1 = b"h1",
    H2 = b"h2",
    H3 = b"h3",
    H4 = b"h4",
    H5 = b"h5",
    H6 = b"h6",
    Head = b"head",
    Header = b"header",
    Hgroup = b"hgroup",
    Hr = b"hr",
    Html = b"html",
    Iframe = b"iframe",
    Image = b"image",
    Img = b"img",
    Input = b"input",
    Keygen = b"keygen",
    Label = b"label",
    Legend = b"legend",
    Li = b"li",
    Link = b"link",
    Main = b"main",
    Marquee = b"marquee",
    Math = b"math",
    Menu = b"menu",
    Meta = b"meta",
    Meter = b"meter",
    Nav = b"nav",
    Noembed = b"noembed",
    Noframes = b"noframes",
    Noscript = b"noscript",
    Object = b"object",
    Ol = b"ol",
    Optgroup = b"optgroup",
    Option = b"option",
    Output = b"output",
    P = b"p",
    Param = b"param",
    Plaintext = b"plaintext",
    Pre = b"pre",
    Progress = b"progress",
    Script = b"script",
    Search = b"search",
    Section = b"section",
    Select = b"select",
    Small = b"small",
    Source = b"source",
    Style = b"style",
    Summary = b"summary",
    Svg = b"svg",
    Table = b"table",
    Tbody = b"tbody",
    Td = b"td",
    Template = b"template",
    Textarea = b"textarea",
    Tfoot = b"tfoot",
    Th = b"th",
    Thead = b"thead",
    Title = b"title",
    Tr = b"tr",
    Track = b"track",
    Ul = b"ul",
    Wbr = b"wbr",
    Xmp = b"xmp",
}

impl Tag {
    /// Elements without content or end tag.
    pub const fn is_void(self) -> bool {
        matches!(
            self,
            Tag::Area
                | Tag::Base
                | Tag::Br
                | Tag::Col
                | Tag::Embed
                | Tag::Hr
                | Tag::Image
                | Tag::Img
                | Tag::Input
                | Tag::Keygen
                | Tag::Link
                | Tag::Meta
                | Tag::Param
                | Tag::Source
                | Tag::Track
                | Tag::Wbr
        )
    }

    /// Whether it is `<h1>` to `<h6>`.
    pub const fn is_heading(self) -> bool {
        matches!(
            self,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
        )
    }

    /// Elements whose content is not part of the form: scripts, fallbacks and inert content.
    pub(crate) const fn is_skipped(self) -> bool {
        matches!(
            self,
            Tag::Iframe
                | Tag::Noembed
                | Tag::Noframes
                | Tag::Noscript
                | Tag::Plaintext
                | Tag::Script
                | Tag::Style
                | Tag::Template
                | Tag::Title
                | Tag::Xmp
        )
    }

    /// Elements whose content is text alone, whatever stands in it.
    pub const fn holds_raw_text(self) -> bool {
        matches!(
            self,
            Tag::Iframe
                | Tag::Noembed
                | Tag::Noframes
                | Tag::Noscript
                | Tag::Plaintext
                | Tag::Script
                | Tag::Style
                | Tag::Textarea
                | Tag::Title
                | Tag::Xmp
        )
    }

    /// Elements whose start tag ends an open paragraph, and whose end tag ends them only when
    /// they are in scope (HTML standard, "in body").
    pub const fn is_block(self) -> bool {
        matches!(
            self,
            Tag::Address
                | Tag::Article
                | Tag::Aside
                | Tag::Blockquote
                | Tag::Center
                | Tag::Details
                | Tag::Dialog
                | Tag::Dir
                | Tag::Div
                | Tag::Dl
                | Tag::Fieldset
                | Tag::Figcaption
                | Tag::Figure
                | Tag::Footer
                | Tag::Header
                | Tag::Hgroup
                | Tag::Main
                | Tag::Menu
                | Tag::Nav
                | Tag::Ol
                | Tag::Pre
                | Tag::Search
                | Tag::Section
                | Tag::Summary
                | Tag::Ul
        )
    }

    /// Elements that stand on lines of their own, so that text before and after them is apart.
    pub(crate) const fn parts_text(self) -> bool {
        self.is_block()
            || self.is_heading()
            || self.is_table_part()
            || matches!(
                self,
                Tag::Br
                    | Tag::Dd
                    | Tag::Dt
                    | Tag::Form
                    | Tag::Hr
                    | Tag::Legend
                    | Tag::Li
                    | Tag::Optgroup
                    | Tag::Option
                    | Tag::P
                    | Tag::Table
            )
    }

    /// Whether it is a part of a table.
    pub const fn is_table_part(self) -> bool {
        matches!(
            self,
            Tag::Caption
                | Tag::Colgroup
                | Tag::Tbody
                | Tag::Td
                | Tag::Tfoot
                | Tag::Th
                | Tag::Thead
                | Tag::Tr
        )
    }

    /// Elements whose end is implied by another's (HTML standard, "generate implied end tags").
    pub(crate) const fn is_implied(self) -> bool {
        matches!(
            self,
            Tag::Dd | Tag::Dt | Tag::Li | Tag::Optgroup | Tag::Option | Tag::P
        )
    }

    /// What an end tag of an ordinary element does not reach across (HTML standard, "special").
    pub(crate) const fn is_special(self) -> bool {
        (self.parts_text() && !matches!(self, Tag::Legend | Tag::Optgroup | Tag::Option))
            || matches!(
                self,
                Tag::Button | Tag::Marquee | Tag::Object | Tag::Select | Tag::Textarea
            )
    }

    /// What bounds a scope (HTML standard, "has an element in scope").
    pub(crate) const fn bounds_scope(self) -> bool {
        matches!(
            self,
            Tag::Caption | Tag::Marquee | Tag::Object | Tag::Table | Tag::Td | Tag::Th
        )
    }
}

/// A hash (FNV-1a) of the name in any case, which tells elements of [`Tag::Other`] apart.
pub fn hash(name: &str) -> u32 {
    let bytes = name.bytes().map(|byte| u32::from(byte | 0x20));
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ byte).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::Tag;

    #[test]
    fn names_are_found_in_any_case() {
        for (name, tag) in [
            ("address", Tag::Address),
            ("INPUT", Tag::Input),
            ("blockQuote", Tag::Blockquote),
            ("xmp", Tag::Xmp),
            ("h6", Tag::H6),
            ("wbr", Tag::Wbr),
            ("span", Tag::Other),
            ("", Tag::Other),
            ("my-custom-element", Tag::Other),
        ] {
            assert_eq!(Tag::of(name), tag, "{name}");
        }
    }
}
