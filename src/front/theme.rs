//! How a form's page looks: its preset, and the values that its author set over it.

use serde_json::Value;

use crate::forms::Form;
use crate::http::Response;
use crate::markup::escape;
use model::front_settings::{THEMES, is_picture, is_theme_value};

/// The preset that the form names, if it is not the default one.
pub fn preset(form: &Form) -> Option<&str> {
    let theme = form.settings.get("theme")?.as_str()?;
    THEMES
        .iter()
        .skip(1)
        .find(|known| **known == theme)
        .copied()
}

/// The path of the form's own values below its page, if it has any. It changes with them.
pub fn values_path(form: &Form) -> Option<String> {
    values(form)
        .is_some()
        .then(|| format!("/{}/theme.css?v={}", form.slug, form.revision))
}

/// `GET /{slug}/theme.css`: the form's own values, as a style sheet.
pub fn style_sheet(form: &Form) -> Response {
    let rule = values(form).map(|values| {
        format!(
            ":host,.cf-page,.cf-form-{}:not(.cf-page *,.cf-embed *){{{values}}}\n",
            form.id
        )
    });
    Response::of(200, "text/css; charset=UTF-8", rule.unwrap_or_default())
        .with_header("cache-control", "public, max-age=31536000")
        .with_header("x-content-type-options", "nosniff")
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
pub fn pictures(html: &mut String, form: &Form) {
    for name in ["cover", "logo"] {
        let address = form.settings.get(name).and_then(Value::as_str);
        if let Some(address) = address.filter(|address| is_picture(address)) {
            html.push_str("<img alt=\"\"");
            escape::attribute(html, "class", &format!("cf-{name}"));
            escape::attribute(html, "src", address);
            html.push_str(">\n");
        }
    }
}
