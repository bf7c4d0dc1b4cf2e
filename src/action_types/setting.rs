//! One setting of an action type.

use model::FieldOption;
use serde::{Deserialize, Serialize};

/// The input control of a setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingInput {
    /// One line.
    #[default]
    Text,
    /// Several lines.
    Textarea,
    /// One of the options.
    Select,
    /// On or off, stored as `"1"` or `""`.
    Checkbox,
    /// One line that is never shown again.
    Password,
}

/// One setting of an action type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The key in the action's settings.
    pub key: String,
    /// The label for people.
    pub label: String,
    /// The input control.
    #[serde(default)]
    pub input: SettingInput,
    /// The value that applies when the setting is empty.
    #[serde(default)]
    pub default: String,
    /// Whether the action is not configured while this setting is empty.
    #[serde(default)]
    pub required: bool,
    /// Whether the setting is encrypted at rest and masked on read.
    #[serde(default)]
    pub secret: bool,
    /// The choices of a select.
    #[serde(default)]
    pub options: Vec<FieldOption>,
    /// A sentence that helps to fill it in.
    #[serde(default)]
    pub help: String,
}
