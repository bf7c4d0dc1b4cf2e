//! What the classes that authors and their tools use say about an element's part in a form.

/// The meanings of the words of an element's class.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassWords {
    /// It helps with the control beside it.
    pub is_help: bool,
    /// It is the message of a fault.
    pub is_error: bool,
    /// It is a step of several.
    pub is_step: bool,
    /// It is shown for one of the choices around it, as `govuk-radios__conditional` is.
    pub is_follow_up: bool,
    /// It is an icon, which may be drawn from its text.
    pub is_icon: bool,
    /// It stands before or behind a control, as a currency does.
    pub is_addon: bool,
    /// It is hidden from people.
    pub is_hidden: bool,
    /// It is a spam trap.
    pub is_trap: bool,
}

/// The words, parted by spaces, that end the class of a help text: alone, or behind a prefix as in `govuk-hint`.
const HELP: &str = "help hint helper helptext help-text help_text form-text help-block helper-text \
    field-description";

/// Words that end the class of the message of a fault.
const ERROR: &str = "error-message error-text form-error field-error valid-feedback invalid-feedback \
    invalid-tooltip";

/// Words that end the class of what stands before or behind a control.
const ADDONS: &str = "input-group-text addon prefix suffix prepend append adornment";

/// Words that end the class of what people do not see.
const HIDDEN: &str = "hidden hide visuallyhidden d-none display-none invisible sr-only screen-reader-text \
    screen-reader-only offscreen off-screen opacity-0 validation_container hp honeypot ohnohoney";

/// How the classes of Tailwind begin that move an element out of sight.
const FAR: [&str; 4] = ["-left-[", "left-[-", "-top-[", "top-[-"];

impl ClassWords {
    /// Reads a class.
    pub fn of(class: &str) -> ClassWords {
        let mut says = ClassWords::default();
        for word in class.split_ascii_whitespace() {
            let ends_as = |known: &str| known.split(' ').any(|known| ends_with_word(word, known));
            let is_one = |known: &str| known.split(' ').any(|own| word.eq_ignore_ascii_case(own));
            says.is_help |= ends_as(HELP) || is_one("description");
            says.is_error |= ends_as(ERROR) || is_one("error wpcf7-not-valid-tip");
            says.is_step |= ends_as("step") || is_one("tab page tab-pane");
            says.is_follow_up |= ends_as("conditional");
            says.is_icon |= ends_as("icon icons") || word.starts_with("material-");
            says.is_addon |= ends_as(ADDONS);
            says.is_hidden |= ends_as(HIDDEN) || FAR.iter().any(|far| word.starts_with(far));
            says.is_trap |= ends_as("honeypot ohnohoney");
        }
        says
    }
}

/// Whether a class is that word, or ends with it behind `-` or `_`: `form-step`, `e-form__step`.
fn ends_with_word(class: &str, word: &str) -> bool {
    let start = class.len().checked_sub(word.len());
    let parts = start.and_then(|start| class.split_at_checked(start));
    parts.is_some_and(|(before, end)| {
        end.eq_ignore_ascii_case(word) && (before.is_empty() || before.ends_with(['-', '_']))
    })
}
