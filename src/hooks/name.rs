//! The rules for names of hooks and namespaces.

/// The reason why a name is invalid, in the words of `@wordpress/hooks`. Names must also begin with a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The hook's name is empty.
    #[error("The hook name must be a non-empty string.")]
    EmptyHook,
    /// The hook's name begins with the registry's reserved prefix.
    #[error("The hook name cannot begin with `__`.")]
    ReservedHook,
    /// The hook's name has invalid characters.
    #[error("The hook name can only contain numbers, letters, dashes, periods and underscores.")]
    HookCharacters,
    /// The namespace is empty.
    #[error("The namespace must be a non-empty string.")]
    EmptyNamespace,
    /// The namespace has invalid characters.
    #[error(
        "The namespace can only contain numbers, letters, dashes, periods, underscores and slashes."
    )]
    NamespaceCharacters,
}

/// Checks a hook's name.
pub fn check_hook_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        Err(NameError::EmptyHook)
    } else if name.starts_with("__") {
        Err(NameError::ReservedHook)
    } else if !is_word(name, &['_', '.', '-']) {
        Err(NameError::HookCharacters)
    } else {
        Ok(())
    }
}

/// Checks a namespace.
pub fn check_namespace(namespace: &str) -> Result<(), NameError> {
    if namespace.is_empty() {
        Err(NameError::EmptyNamespace)
    } else if !is_word(namespace, &['_', '.', '-', '/']) {
        Err(NameError::NamespaceCharacters)
    } else {
        Ok(())
    }
}

fn is_word(text: &str, marks: &[char]) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || marks.contains(&character))
}
