//! The element names that the tree's rules distinguish, and the kinds of elements.

/// Declares the tags: each with its name in lower case.
macro_rules! tags {
    ($($name:ident $text:literal)*) => {
        /// The name of an HTML element: one variant for each name that the rules distinguish.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Tag {
            $(#[doc = concat!("`<", $text, ">`.")] $name,)*
            /// Any other name, formatting elements included.
            Other,
        }

        impl Tag {
            /// The tag of a name, ignoring case.
            pub fn of(name: &str) -> Tag {
                let found = NAMES.binary_search_by_key(&packed(name), |(known, _)| *known);
                let found = found.ok().and_then(|found| NAMES.get(found));
                found.map_or(Tag::Other, |(_, tag)| *tag)
            }
        }

        /// The known names in alphabetical order, packed into numbers, with their tags.
        const NAMES: [(u64, Tag); Tag::COUNT - 1] = [$((packed($text), Tag::$name),)*];
    };
}

/// Declares a predicate for each kind of element.
macro_rules! kinds {
    ($($(#[$doc:meta])* $seen:vis $kind:ident: $($name:ident)*;)*) => {
        impl Tag {
            $($(#[$doc])* $seen const fn $kind(self) -> bool {
                matches!(self, $(Tag::$name)|*)
            })*
        }
    };
}

/// Packs a name of at most ten characters, ignoring case, into six bits for each character. The numbers sort like the
/// names. 0 means an unknown name; no known name packs to 0.
const fn packed(name: &str) -> u64 {
    let mut rest = name.as_bytes();
    let (mut number, mut shift) = (0, 60);
    while let [byte, others @ ..] = rest {
        let code = byte.to_ascii_uppercase().wrapping_sub(b' ');
        if shift == 0 || code > 63 {
            return 0;
        }
        shift -= 6;
        number |= (code as u64) << shift;
        rest = others;
    }
    number
}

tags! {
    Address "address"  Area "area"  Article "article"  Aside "aside"  Base "base"
    Blockquote "blockquote"  Body "body"  Br "br"  Button "button"  Caption "caption"
    Center "center"  Col "col"  Colgroup "colgroup"  Datalist "datalist"  Dd "dd"
    Details "details"  Dialog "dialog"  Dir "dir"  Div "div"  Dl "dl"  Dt "dt"  Embed "embed"
    Fieldset "fieldset"  Figcaption "figcaption"  Figure "figure"  Footer "footer"  Form "form"
    Frameset "frameset"  H1 "h1"  H2 "h2"  H3 "h3"  H4 "h4"  H5 "h5"  H6 "h6"  Head "head"
    Header "header"  Hgroup "hgroup"  Hr "hr"  Html "html"  Iframe "iframe"  Image "image"
    Img "img"  Input "input"  Keygen "keygen"  Label "label"  Legend "legend"  Li "li"
    Link "link"  Main "main"  Marquee "marquee"  Math "math"  Menu "menu"  Meta "meta"
    Meter "meter"  Nav "nav"  Noembed "noembed"  Noframes "noframes"  Noscript "noscript"
    Object "object"  Ol "ol"  Optgroup "optgroup"  Option "option"  Output "output"  P "p"
    Param "param"  Plaintext "plaintext"  Pre "pre"  Progress "progress"  Script "script"
    Search "search"  Section "section"  Select "select"  Small "small"  Source "source"
    Style "style"  Summary "summary"  Svg "svg"  Table "table"  Tbody "tbody"  Td "td"
    Template "template"  Textarea "textarea"  Tfoot "tfoot"  Th "th"  Thead "thead"
    Title "title"  Tr "tr"  Track "track"  Ul "ul"  Wbr "wbr"  Xmp "xmp"
}

kinds! {
    /// Elements without content or end tag.
    pub is_void:
        Area Base Br Col Embed Hr Image Img Input Keygen Link Meta Param Source Track Wbr;
    /// `<h1>` to `<h6>`.
    pub is_heading:
        H1 H2 H3 H4 H5 H6;
    /// Elements whose content is not part of the form: scripts, fallbacks and inert content.
    pub(crate) is_skipped:
        Iframe Noembed Noframes Noscript Plaintext Script Style Template Title Xmp;
    /// Elements whose content is raw text.
    pub holds_raw_text:
        Iframe Noembed Noframes Noscript Plaintext Script Style Textarea Title Xmp;
    /// Elements whose start tag ends an open paragraph, and whose end tag ends them only in scope (HTML standard, "in
    /// body").
    pub is_block:
        Address Article Aside Blockquote Center Details Dialog Dir Div Dl Fieldset Figcaption
        Figure Footer Header Hgroup Main Menu Nav Ol Pre Search Section Summary Ul;
    /// Parts of a table.
    pub is_table_part:
        Caption Colgroup Tbody Td Tfoot Th Thead Tr;
    /// Elements whose end is implied by another's (HTML standard, "generate implied end tags").
    pub(crate) is_implied:
        Dd Dt Li Optgroup Option P;
    /// Further elements that begin their own line.
    is_line:
        Br Dd Dt Form Hr Legend Li Optgroup Option P Table;
    /// Further elements whose end tag ends them only in scope.
    pub(crate) ends_in_scope:
        Button Dd Dt Marquee Object;
    /// Elements that are a field or a part of one, and contain no other fields. Headings are not included.
    pub(crate) is_part_of_field:
        Button Hr Input Label Legend Optgroup Option Select Textarea;
    /// Elements with content or behaviour that a schema cannot hold.
    pub(crate) has_no_field:
        Embed Iframe Image Img Keygen Math Meter Noscript Object Output Progress Script Style Svg
        Template;
    /// Elements that bound a scope (HTML standard, "has an element in scope", and in button, list item and table
    /// scope).
    pub(crate) bounds_scope: Caption Marquee Object Table Td Th;
    pub(crate) bounds_button_scope: Button Caption Marquee Object Table Td Th;
    pub(crate) bounds_list_scope: Caption Marquee Object Ol Table Td Th Ul;
    pub(crate) bounds_table_scope: Table;
}

impl Tag {
    /// The number of tags.
    pub(crate) const COUNT: usize = Tag::Other as usize + 1;

    /// Whether an element begins its own line, so that the text before it is separate from the text after it.
    pub(crate) const fn parts_text(self) -> bool {
        self.is_block() || self.is_heading() || self.is_table_part() || self.is_line()
    }

    /// Whether the element is a table or part of one.
    pub(crate) const fn is_of_table(self) -> bool {
        self.is_table_part() || matches!(self, Tag::Table)
    }

    /// Whether the end tag of an ordinary element cannot reach past this element (HTML standard, "special").
    pub(crate) const fn is_special(self) -> bool {
        (self.parts_text() && !matches!(self, Tag::Legend | Tag::Optgroup | Tag::Option))
            || matches!(self, Tag::Select | Tag::Textarea)
            || self.ends_in_scope()
    }
}
