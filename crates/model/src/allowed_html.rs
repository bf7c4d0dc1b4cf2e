//! The elements, attributes and addresses that are allowed for authors who may not write all HTML (contract,
//! section 4).

/// Allowed elements. Other elements lose their tags and keep their content, except for [`DROPPED`].
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

/// Elements that are removed with their content.
#[rustfmt::skip]
pub const DROPPED: &[&str] = &[
    "applet", "embed", "frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript",
    "object", "plaintext", "script", "style", "svg", "template", "title", "xmp",
];

/// Elements of [`DROPPED`] that cannot have content.
pub const EMPTY: &[&str] = &["embed", "frame"];

/// Allowed attributes, in addition to `aria-…` and authors' `data-…` ([`crate::markers::AUTHOR_DATA`]).
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

/// Allowed schemes of addresses; addresses without a scheme are allowed too.
const SCHEMES: &[&str] = &["http", "https", "mailto", "tel", "sms"];

/// Types of pictures that may be embedded as `data:` addresses.
const IMAGE_TYPES: &[&str] = &[
    "image/png",
    "image/gif",
    "image/jpeg",
    "image/webp",
    "image/avif",
];

/// Whether an address has an allowed scheme or none.
pub fn is_safe_address(address: &str) -> bool {
    let address = as_browsers_read(address);
    let is_known = |scheme: &str| {
        SCHEMES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme))
    };
    // A colon after `/`, `?` or `#` does not end a scheme.
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_none_or(|scheme| scheme.contains(['/', '?', '#']) || is_known(scheme))
}

/// Whether an address is a `data:` address of an allowed picture.
pub fn is_image_address(address: &str) -> bool {
    let address = as_browsers_read(address).to_ascii_lowercase();
    let data = address.strip_prefix("data:").unwrap_or_default();
    let kind = data.split([';', ',']).next().filter(|kind| *kind != data);
    kind.is_some_and(|kind| IMAGE_TYPES.contains(&kind))
}

/// An address as browsers read it: without white space and control characters around it, and without line breaks
/// and tabs in it.
fn as_browsers_read(address: &str) -> String {
    let address = address.trim_matches(|c: char| c <= ' ');
    address.replace(['\t', '\n', '\r'], "")
}
