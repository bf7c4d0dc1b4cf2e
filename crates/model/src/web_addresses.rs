//! The addresses that a form's author may name: redirect targets and pictures.

/// The message for an invalid redirect target.
pub(crate) const NO_TARGET: &str = "Enter a URL or a path.";

/// Whether visitors may be sent to an address: a path, or one that begins with `http:` or `https:`. Control
/// characters would hide a scheme from this check, since browsers drop them.
pub fn is_redirect_target(address: &str) -> bool {
    // Browsers read `//host`, and `\` as `/`, as another site.
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
    // A picture that a form was given, on a site without https.
    let is_uploaded = address.starts_with("http://") && address.contains("/-/images/");
    (is_path || is_uploaded || address.starts_with("https://")) && address.chars().all(is_plain)
}
