//! The elements, attributes and addresses that stay in the HTML of authors who may not write all HTML
//! (contract, section 4).

/// Elements that stay. The tags of others go and their content stays, but for [`DROPPED`].
#[rustfmt::skip]
pub const ELEMENTS: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br",
    "button", "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd",
    "del", "details", "dfn", "dir", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure",
    "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "img",
    "input", "ins", "kbd", "label", "legend", "li", "main", "mark", "menu", "meter", "nav", "ol",
    "optgroup", "option", "output", "p", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp",
    "search", "section", "select", "small", "span", "strike", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul",
    "var", "wbr",
];

/// Elements that go with all that is in them.
#[rustfmt::skip]
pub const DROPPED: &[&str] = &[
    "applet", "embed", "frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript",
    "object", "plaintext", "script", "style", "svg", "template", "title", "xmp",
];

/// Those of [`DROPPED`] that have no content.
pub const EMPTY: &[&str] = &["embed", "frame"];

/// Attributes that stay, beside `aria-…` and what authors may use of `data-…`
/// ([`crate::markers::AUTHOR_DATA`]).
#[rustfmt::skip]
pub const ATTRIBUTES: &[&str] = &[
    "accept", "align", "alt", "autocapitalize", "autocomplete", "autofocus", "border",
    "cellpadding", "cellspacing", "checked", "class", "color", "cols", "colspan", "datetime", "dir",
    "dirname", "disabled", "enterkeyhint", "face", "for", "headers", "height", "hidden", "high",
    "href", "id", "inputmode", "label", "lang", "list", "low", "max", "maxlength", "min",
    "minlength", "multiple", "name", "open", "optimum", "pattern", "placeholder", "readonly", "rel",
    "required", "reversed", "role", "rows", "rowspan", "scope", "selected", "size", "span",
    "spellcheck", "src", "start", "step", "tabindex", "target", "title", "translate", "type",
    "valign", "value", "width", "wrap",
];

/// The schemes of addresses that stay; addresses without a scheme do too.
pub const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "sms"];

/// Pictures that may be part of the page itself.
pub const IMAGE_TYPES: &[&str] = &[
    "image/png",
    "image/gif",
    "image/jpeg",
    "image/webp",
    "image/avif",
];
