//! Reads typed values from a client's JSON, and collects the faults.

use serde_json::{Map, Value};

use super::collapse;
use super::fault::{At, Fault, FaultCode, Faults};

/// Reads a document. The error lists all faults of the document.
pub(crate) fn read_document<T>(
    document: &Value,
    read: impl FnOnce(&Given<'_>) -> T,
) -> Result<T, Vec<Fault>> {
    let faults = Faults::default();
    let read = read(&Given {
        value: document,
        at: At::Root,
        faults: &faults,
    });
    faults.unless_any(read)
}

/// A value in a client's document, with its path. Null counts as absent.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) value: &'a Value,
    pub(crate) at: At<'a>,
    pub(crate) faults: &'a Faults,
}

impl<'a> Given<'a> {
    /// Adds a fault at the value's path.
    pub(crate) fn fault(&self, code: FaultCode, message: impl Into<String>) {
        self.faults.add(&self.at, code, message);
    }

    /// Adds a fault at the path of a member, which may be absent.
    pub(crate) fn fault_of(&self, name: &str, code: FaultCode, message: impl Into<String>) {
        self.faults.add(&self.at.member(name), code, message);
    }

    /// Returns `found` unchanged; adds a fault if it is `None`.
    pub(crate) fn found<T>(&self, found: Option<T>, code: FaultCode, message: &str) -> Option<T> {
        if found.is_none() {
            self.fault(code, message);
        }
        found
    }

    /// The member with a name.
    pub(crate) fn member<'g>(&'g self, name: &'g str) -> Option<Given<'g>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Given {
            value,
            at: self.at.member(name),
            faults: self.faults,
        })
    }

    /// The member with a name; adds a fault if the member is absent.
    pub(crate) fn needed<'g>(&'g self, name: &'g str, message: &str) -> Option<Given<'g>> {
        let member = self.member(name);
        if member.is_none() {
            self.fault_of(name, FaultCode::PropertyRequired, message);
        }
        member
    }

    /// The members of an object with their names.
    pub(crate) fn members<'g>(&'g self) -> impl Iterator<Item = (&'g str, Given<'g>)> {
        let names = self.object().into_iter().flat_map(Map::keys);
        names.filter_map(|name| Some((name.as_str(), self.member(name)?)))
    }

    /// Adds a fault for each member whose name is not listed.
    pub(crate) fn reject_unknown(&self, known: &[&str]) {
        for (_, other) in self.members().filter(|(name, _)| !known.contains(name)) {
            let message = format!("Only {} are known here.", known.join(", "));
            other.fault(FaultCode::AdditionalProperty, message);
        }
    }

    /// The items of a list. A list with more than `most` items is a fault, and gives no items.
    pub(crate) fn items<'g>(&'g self, most: usize) -> impl Iterator<Item = Given<'g>> {
        let list = self.value.as_array();
        let list = self.found(list, FaultCode::InvalidType, "This must be an array.");
        let list = list.filter(|list| {
            if list.len() > most {
                let message = format!("This may have at most {most} items.");
                self.fault(FaultCode::TooManyItems, message);
            }
            list.len() <= most
        });
        let items = list.into_iter().flatten().enumerate();
        items.map(|(index, value)| Given {
            value,
            at: self.at.item(index),
            faults: self.faults,
        })
    }

    /// The value as an object; any other type is a fault.
    pub(crate) fn object(&self) -> Option<&'a Map<String, Value>> {
        let object = self.value.as_object();
        self.found(object, FaultCode::InvalidType, "This must be an object.")
    }

    /// The value as a boolean; any other type is a fault.
    pub(crate) fn boolean(&self) -> Option<bool> {
        let boolean = self.value.as_bool();
        self.found(
            boolean,
            FaultCode::InvalidType,
            "This must be true or false.",
        )
    }

    /// A whole number from 0 to `most`.
    pub(crate) fn count(&self, most: u64) -> Option<u64> {
        let number = self.value.as_f64().filter(|number| number.fract() == 0.0);
        self.found(
            number,
            FaultCode::InvalidType,
            "This must be a whole number.",
        )?;
        let count = self.value.as_u64().filter(|count| *count <= most);
        if count.is_none() {
            let message = format!("This must be from 0 to {most}.");
            self.fault(FaultCode::OutOfBounds, message);
        }
        count
    }

    /// A text of at most `most` characters. Line breaks become line feeds. Other control characters except the tab
    /// are a fault, since HTML cannot hold them.
    pub(crate) fn text(&self, most: usize) -> Option<String> {
        let text = self.value.as_str();
        let text = self.found(text, FaultCode::InvalidType, "This must be a string.")?;
        if text.chars().count() > most {
            let message = format!("This may have at most {most} characters.");
            self.fault(FaultCode::TooLong, message);
            return None;
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
        let text = Some(text).filter(|text| !text.contains(is_control));
        let message = "This may not contain control characters.";
        self.found(text, FaultCode::InvalidPattern, message)
    }

    /// A text in one line, as HTML shows it: trimmed, with runs of white space collapsed.
    pub(crate) fn line(&self, most: usize) -> Option<String> {
        self.text(most).map(|text| collapse(&text))
    }

    /// Reads one of two words, and returns the value of the word.
    pub(crate) fn choice<T: Copy>(&self, [one, other]: [(&str, T); 2]) -> Option<T> {
        let mut words = [one, other].into_iter();
        let chosen = words.find_map(|(word, value)| (self.value == word).then_some(value));
        if chosen.is_none() {
            let message = format!("This must be `{}` or `{}`.", one.0, other.0);
            self.fault(FaultCode::NotInEnum, message);
        }
        chosen
    }

    /// Reads one of several words, and converts it with `read`.
    pub(crate) fn word<T>(&self, read: fn(&str) -> Option<T>, words: &[&str]) -> Option<T> {
        let word = self.value.as_str();
        let word = self.found(word, FaultCode::InvalidType, "This must be a string.")?;
        let found = read(word);
        if found.is_none() {
            let message = format!("This must be one of {}.", words.join(", "));
            self.fault(FaultCode::NotInEnum, message);
        }
        found
    }
}
