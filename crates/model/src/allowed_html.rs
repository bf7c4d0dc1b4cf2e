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
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "sms"];

/// Pictures that may be part of the page itself.
const IMAGE_TYPES: &[&str] = &[
    "image/png",
    "image/gif",
    "image/jpeg",
    "image/webp",
    "image/avif",
];

/// Whether an address has no scheme, or one that stays.
pub fn is_safe_address(address: &str) -> bool {
    let address = as_browsers_read(address);
    let is_known = |scheme: &str| {
        SCHEMES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme))
    };
    // A colon behind the beginning of a path is none of a scheme.
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_none_or(|scheme| scheme.contains(['/', '?', '#']) || is_known(scheme))
}

/// Whether an address is itself a picture that stays.
pub fn is_image_address(address: &str) -> bool {
    let address = as_browsers_read(address).to_ascii_lowercase();
    let data = address.strip_prefix("data:").unwrap_or_default();
    let kind = data.split([';', ',']).next().filter(|kind| *kind != data);
    kind.is_some_and(|kind| IMAGE_TYPES.contains(&kind))
}

/// An address as browsers read it: without white space and control characters around it, and
/// without line breaks and tabs in it.
fn as_browsers_read(address: &str) -> String {
    let address = address.trim_matches(|c: char| c <= ' ');
    address.replace(['\t', '\n', '\r'], "")
}
