//! The theme of a form's page: a preset, and the author's values on top of it.

use crate::forms::Form;
use crate::http::Response;
use crate::markup::escape::escaped;
use model::front_settings::{THEMES, is_picture, is_theme_value};

/// The form's preset; `None` for the default preset.
pub fn preset(form: &Form) -> Option<&str> {
    let theme = form.settings.get("theme")?.as_str()?;
    let mut others = THEMES.iter().skip(1);
    others.find(|known| **known == theme).copied()
}

/// The path of the style sheet with the form's theme values, if the form has any. The path contains the form's
/// revision, so that browsers can cache it.
pub fn values_path(form: &Form) -> Option<String> {
    let address = format!("/{}/theme.css?v={}", form.slug, form.revision);
    values(form).map(|_| address)
}

/// `GET /{slug}/theme.css`: the form's theme values, as a style sheet.
pub fn style_sheet(form: &Form) -> Response {
    let rule = values(form).map(|values| {
        format!(
            ":host,.cf-page,.cf-form-{}:not(.cf-page *,.cf-embed *){{{values}}}\n",
            form.id
        )
    });
    Response::of(200, "text/css; charset=UTF-8", rule.unwrap_or_default())
        .with_header("cache-control", "public, max-age=31536000")
}

fn values(form: &Form) -> Option<String> {
    let values = form.settings.get("theme_values")?.as_object()?;
    let declared: String = values
        .iter()
        .filter_map(|(name, value)| {
            let value = value.as_str()?.trim();
            is_theme_value(name, value).then(|| format!("--cf-{name}:{value};"))
        })
        .collect();
    (!declared.is_empty()).then_some(declared)
}

/// The cover picture and the logo, above the title.
pub fn pictures(form: &Form) -> String {
    let pictures = ["cover", "logo"].into_iter().filter_map(|name| {
        let address = form.settings.get(name)?.as_str()?;
        let shown = escaped(address);
        is_picture(address).then(|| format!("<img alt=\"\" class=\"cf-{name}\" src=\"{shown}\">\n"))
    });
    pictures.collect()
}
