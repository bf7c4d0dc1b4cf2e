//! One form-tag of Contact Form 7.

/// A form-tag, such as `[email* your-email placeholder "Mail"]`.
pub(super) struct Tag<'t> {
    pub(super) kind: &'t str,
    pub(super) required: bool,
    pub(super) name: &'t str,
    /// The options that no control has taken; those left at the end are reported.
    pub(super) options: Vec<&'t str>,
    pub(super) values: Vec<String>,
}

impl<'t> Tag<'t> {
    /// Takes a flag; returns whether it was there.
    pub(super) fn take_flag(&mut self, flag: &str) -> bool {
        let before = self.options.len();
        self.options.retain(|option| *option != flag);
        self.options.len() < before
    }

    /// Takes the options `name:value` whose value satisfies `passes`, and returns these values.
    pub(super) fn take(&mut self, name: &str, passes: &dyn Fn(&str) -> bool) -> Vec<&'t str> {
        let mut taken = Vec::new();
        self.options.retain(|option| {
            let value = option.strip_prefix(name);
            let value = value.and_then(|rest| rest.strip_prefix(':'));
            let value = value.filter(|value| passes(value));
            taken.extend(value);
            value.is_none()
        });
        taken
    }

    /// Takes the first option that satisfies `passes`.
    pub(super) fn take_first(&mut self, passes: &dyn Fn(&str) -> bool) -> Option<&'t str> {
        let index = self.options.iter().position(|option| passes(option))?;
        Some(self.options.remove(index))
    }
}
