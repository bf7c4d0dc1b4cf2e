//! The element names that the tree's rules know.

macro_rules! tags {
    ($($name:ident = $text:literal,)*) => {
        /// An HTML element's name, as far as the rules tell it from others.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Tag {
            $($name,)*
            /// Any other name, spelled so in lower case; formatting elements are among them.
            Other,
        }

        impl Tag {
            /// How many tags there are.
            pub(crate) const COUNT: usize = Tag::Other as usize + 1;

            fn of_lower(name: &[u8]) -> Tag {
                const NAMES: &[(&[u8], Tag)] = &[$(($text.as_bytes(), Tag::$name),)*];
                match NAMES.binary_search_by(|(known, _)| (*known).cmp(name)) {
                    Ok(found) => NAMES.get(found).map_or(Tag::Other, |(_, tag)| *tag),
                    Err(_) => Tag::Other,
                }
            }
        }
    };
}

// In the order of their names, for the binary search.
tags! {
    Address = "address",
    Area = "area",
    Article = "article",
    Aside = "aside",
    Base = "base",
    Blockquote = "blockquote",
    Body = "body",
    Br = "br",
    Button = "button",
    Caption = "caption",
    Center = "center",
    Col = "col",
    Colgroup = "colgroup",
    Datalist = "datalist",
    Dd = "dd",
    Details = "details",
    Dialog = "dialog",
    Dir = "dir",
    Div = "div",
    Dl = "dl",
    Dt = "dt",
    Embed = "embed",
    Fieldset = "fieldset",
    Figcaption = "figcaption",
    Figure = "figure",
    Footer = "footer",
    Form = "form",
    Frameset = "frameset",
    H1 = "h1",
    H2 = "h2",
    H3 = "h3",
    H4 = "h4",
    H5 = "h5",
    H6 = "h6",
    Head = "head",
    Header = "header",
    Hgroup = "hgroup",
    Hr = "hr",
    Html = "html",
    Iframe = "iframe",
    Image = "image",
    Img = "img",
    Input = "input",
    Keygen = "keygen",
    Label = "label",
    Legend = "legend",
    Li = "li",
    Link = "link",
    Main = "main",
    Marquee = "marquee",
    Math = "math",
    Menu = "menu",
    Meta = "meta",
    Meter = "meter",
    Nav = "nav",
    Noembed = "noembed",
    Noframes = "noframes",
    Noscript = "noscript",
    Object = "object",
    Ol = "ol",
    Optgroup = "optgroup",
    Option = "option",
    Output = "output",
    P = "p",
    Param = "param",
    Plaintext = "plaintext",
    Pre = "pre",
    Progress = "progress",
    Script = "script",
    Search = "search",
    Section = "section",
    Select = "select",
    Small = "small",
    Source = "source",
    Style = "style",
    Summary = "summary",
    Svg = "svg",
    Table = "table",
    Tbody = "tbody",
    Td = "td",
    Template = "template",
    Textarea = "textarea",
    Tfoot = "tfoot",
    Th = "th",
    Thead = "thead",
    Title = "title",
    Tr = "tr",
    Track = "track",
    Ul = "ul",
    Wbr = "wbr",
    Xmp = "xmp",
}

/// The longest name among the known ones.
const LONGEST_NAME: usize = 10;

impl Tag {
    /// The tag of a name, in any case.
    pub(crate) fn of(name: &str) -> Tag {
        let mut buffer = [0_u8; LONGEST_NAME];
        let Some(lower) = buffer.get_mut(..name.len()) else {
            return Tag::Other;
        };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Tag::of_lower(lower)
    }

    /// Elements without content or end tag.
    pub(crate) const fn is_void(self) -> bool {
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

    pub(crate) const fn is_heading(self) -> bool {
        matches!(
            self,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6
        )
    }

    /// Elements whose content is not part of the form: scripts, fallbacks, inert or foreign
    /// content.
    pub(crate) const fn is_skipped(self) -> bool {
        matches!(
            self,
            Tag::Iframe
                | Tag::Math
                | Tag::Noembed
                | Tag::Noframes
                | Tag::Noscript
                | Tag::Plaintext
                | Tag::Script
                | Tag::Style
                | Tag::Svg
                | Tag::Template
                | Tag::Title
                | Tag::Xmp
        )
    }

    /// Elements whose start tag ends an open paragraph, and whose end tag ends them only when
    /// they are in scope (HTML standard, "in body").
    pub(crate) const fn is_block(self) -> bool {
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

    pub(crate) const fn is_table_part(self) -> bool {
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
