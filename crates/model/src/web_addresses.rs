//! The addresses that a form's author may set: redirect targets and pictures.

/// The message for an invalid redirect target.
pub(crate) const NO_TARGET: &str = "Enter a URL or a path.";

/// Whether visitors may be redirected to an address: a path, or an address that begins with `http://` or `https://`.
/// Control characters are rejected: browsers drop them, so they could hide a scheme from this check.
pub fn is_redirect_target(address: &str) -> bool {
    // Browsers read `//host` as another site, and `\` as `/`.
    if address.starts_with("//") || address.contains(|c: char| c.is_control() || " \\".contains(c))
    {
        return false;
    }
    match address.split_once(':') {
        Some((scheme, rest)) if !scheme.contains(['/', '?', '#']) => {
            let schemes = ["http", "https"];
            let is_web = schemes
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known));
            is_web && rest.starts_with("//")
        }
        _ => true,
    }
}

/// Whether pages may show a picture from an address.
pub fn is_picture(address: &str) -> bool {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let is_plain = |c: char| !c.is_control() && !matches!(c, ' ' | '\\' | '"' | '<' | '>');
    // A picture that was uploaded for a form, on a site without HTTPS.
    let is_uploaded = address.starts_with("http://") && address.contains("/-/images/");
    (is_path || is_uploaded || address.starts_with("https://")) && address.chars().all(is_plain)
}
