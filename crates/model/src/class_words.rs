//! The meanings of common class names for an element's part in a form.

/// The meanings of the words of an element's class.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassWords {
    /// Help for the control beside it.
    pub is_help: bool,
    /// The message of a fault.
    pub is_error: bool,
    /// One of several steps.
    pub is_step: bool,
    /// An element that is shown for one of the choices around it, such as `govuk-radios__conditional`.
    pub is_follow_up: bool,
    /// An icon, which may be drawn from its text.
    pub is_icon: bool,
    /// A text before or after a control, such as a currency.
    pub is_addon: bool,
    /// An element that is hidden from people.
    pub is_hidden: bool,
    /// A spam trap.
    pub is_trap: bool,
}

/// Words, separated by spaces, that end the class of a help text: alone, or after a prefix as in `govuk-hint`.
const HELP: &str = "help hint helper helptext help-text help_text form-text help-block helper-text \
    field-description";

/// Words that end the class of the message of a fault.
const ERROR: &str = "error-message error-text form-error field-error valid-feedback invalid-feedback \
    invalid-tooltip";

/// Words that end the class of a text before or after a control.
const ADDONS: &str = "input-group-text addon prefix suffix prepend append adornment";

/// Words that end the class of a hidden element.
const HIDDEN: &str = "hidden hide visuallyhidden d-none display-none invisible sr-only screen-reader-text \
    screen-reader-only offscreen off-screen opacity-0 validation_container hp honeypot ohnohoney";

/// The beginnings of Tailwind classes that move an element out of sight.
const FAR: [&str; 4] = ["-left-[", "left-[-", "-top-[", "top-[-"];

impl ClassWords {
    /// Reads a class.
    pub fn of(class: &str) -> ClassWords {
        let mut meanings = ClassWords::default();
        for word in class.split_ascii_whitespace() {
            let ends_as = |known: &str| known.split(' ').any(|known| ends_with_word(word, known));
            let is_one = |known: &str| {
                known
                    .split(' ')
                    .any(|known| word.eq_ignore_ascii_case(known))
            };
            meanings.is_help |= ends_as(HELP) || is_one("description");
            meanings.is_error |= ends_as(ERROR) || is_one("error wpcf7-not-valid-tip");
            meanings.is_step |= ends_as("step") || is_one("tab page tab-pane");
            meanings.is_follow_up |= ends_as("conditional");
            meanings.is_icon |= ends_as("icon icons") || word.starts_with("material-");
            meanings.is_addon |= ends_as(ADDONS);
            meanings.is_hidden |= ends_as(HIDDEN) || FAR.iter().any(|far| word.starts_with(far));
            meanings.is_trap |= ends_as("honeypot ohnohoney");
        }
        meanings
    }
}

/// Whether a class is a word, or ends with it after `-` or `_`: `form-step`, `e-form__step`.
fn ends_with_word(class: &str, word: &str) -> bool {
    let start = class.len().checked_sub(word.len());
    let parts = start.and_then(|start| class.split_at_checked(start));
    parts.is_some_and(|(before, end)| {
        end.eq_ignore_ascii_case(word) && (before.is_empty() || before.ends_with(['-', '_']))
    })
}
