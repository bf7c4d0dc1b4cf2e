//! Secrets in the settings of actions and spam checks: encrypted at rest, masked on read, and kept when a mask is
//! written back.
//!
//! A built-in type declares its secrets. In other types, a setting is a secret if its key ends with `secret`, `token`,
//! `password` or `api_key`, in any case and also without `_` or with `-`, such as `accessToken` and `apiKey`.

use std::collections::BTreeSet;

use model::settings::fill_actions;
use serde_json::{Map, Value};

use super::built_in;
use super::secret_names::names_secret;
use super::setting_faults::clear_secrets;
use crate::error::{Error, Fault};
use crate::json::text_of;
use crate::security::random::token;
use crate::security::{Cipher, hmac};
use crate::store::site_key;
use crate::task::Context;

/// The mask that replaces a secret on read. Writing the mask back keeps the stored secret.
pub const MASK: &str = "••••••••";

/// The prefix of a stored secret: XChaCha20-Poly1305, with a nonce of 24 bytes before the ciphertext.
const SEALED: &str = "sealed:1:";

/// The member of a form's settings that lists its spam checks.
pub const SPAM_CHECKS: &str = "spam_checks";

/// The member of a form's settings that lists its actions.
const ACTIONS: &str = "actions";

/// The members of a form's settings whose entries have secrets.
pub const LISTS: [&str; 2] = [ACTIONS, SPAM_CHECKS];

/// The outcome of decrypting an action's settings.
pub enum OpenedSettings {
    /// The settings, with their secrets decrypted.
    Clear(Map<String, Value>),
    /// The key of a secret that cannot be decrypted, for example after the host's secret was changed.
    Unreadable(String),
}

/// Encrypts and decrypts secrets, with a key derived from the host's secret and the site's key.
pub struct SecretCipher {
    cipher: Cipher,
}

impl SecretCipher {
    /// Creates the cipher of this site.
    pub async fn of(cx: &Context) -> Result<SecretCipher, Error> {
        let host = &cx.shared().configuration().secret;
        let site = site_key(cx).await?;
        let message = [b"action secrets\n".as_slice(), &site].concat();
        Ok(SecretCipher {
            cipher: Cipher::new(&hmac(host.as_bytes(), &message)),
        })
    }

    /// Encrypts the secrets of the actions and spam checks in a form's settings, and gives each action an id. A mask
    /// represents the secret of the stored entry with the same id or, without an id, of the most similar entry.
    pub fn seal_settings(
        &self,
        settings: &mut Map<String, Value>,
        stored: &Map<String, Value>,
    ) -> Result<(), Error> {
        let mut stored = stored.clone();
        fill_actions(&mut stored);
        for list in LISTS {
            let stored: Vec<&Map<String, Value>> = entries_of(&stored, list).collect();
            let named: Vec<String> = entries_of(settings, list)
                .filter_map(|entry| id_of(entry).map(str::to_owned))
                .collect();
            let mut taken = BTreeSet::new();
            let entries = settings.get_mut(list).and_then(Value::as_array_mut);
            let entries = entries.into_iter().flatten().map(Value::as_object_mut);
            for (index, entry) in entries.enumerate() {
                let Some(entry) = entry else { continue };
                let sent_id = id_of(entry).map(str::to_owned);
                let before = former(entry, index, &stored);
                self.seal(entry, before, &format!("settings.{list}[{index}]"))?;
                if list == ACTIONS {
                    // An entry without an id takes the id of its stored version, unless another entry has that id.
                    let former = before.and_then(id_of).map(str::to_owned);
                    let id = sent_id.or_else(|| former.filter(|id| !named.contains(id)));
                    let id = id.filter(|id| !taken.contains(id));
                    let id = id.map_or_else(|| token(6), Ok)?;
                    taken.insert(id.clone());
                    entry.insert("action_id".to_owned(), id.into());
                }
            }
        }
        fill_actions(settings);
        Ok(())
    }

    /// Encrypts the secrets of one action's settings.
    fn seal(
        &self,
        action: &mut Map<String, Value>,
        before: Option<&Map<String, Value>>,
        place: &str,
    ) -> Result<(), Error> {
        let kind = kind_of(action).to_owned();
        let before = before.filter(|before| has_same_destination(action, before));
        for (key, value) in secrets_of(&kind, action) {
            match value.as_str() {
                Some(MASK) => {
                    *value = kept(before, key, place)?;
                    if !value.is_string() {
                        // Earlier versions stored numbers and lists unencrypted.
                        *value = self.sealed(&kind, key, &text_of(value))?.into();
                    }
                }
                Some(text) if !text.is_empty() => *value = self.sealed(&kind, key, text)?.into(),
                _ => {}
            }
        }
        Ok(())
    }

    /// Encrypts one secret.
    pub fn sealed(&self, kind: &str, key: &str, text: &str) -> Result<String, Error> {
        let sealed = self
            .cipher
            .seal(&format!("{kind}:{key}"), text.as_bytes())?;
        let sealed = sealed.ok_or_else(|| Error::Internal("a secret is too long".to_owned()))?;
        Ok([SEALED, &sealed].concat())
    }

    /// Decrypts the secrets of one action's settings.
    pub fn open(&self, mut action: Map<String, Value>) -> OpenedSettings {
        let kind = kind_of(&action).to_owned();
        for (key, value) in secrets_of(&kind, &mut action) {
            let sealed = value.as_str().and_then(|text| text.strip_prefix(SEALED));
            if let Some(sealed) = sealed {
                match self.opened(&kind, key, sealed) {
                    Some(text) => *value = Value::String(text),
                    None => return OpenedSettings::Unreadable(key.to_owned()),
                }
            }
        }
        OpenedSettings::Clear(action)
    }

    fn opened(&self, kind: &str, key: &str, sealed: &str) -> Option<String> {
        let opened = self.cipher.open(&format!("{kind}:{key}"), sealed)?;
        String::from_utf8(opened).ok()
    }

    /// Decrypts an action's settings for a test run. A mask represents the form's stored secret.
    pub fn open_test(
        &self,
        kind: &str,
        mut settings: Map<String, Value>,
        form_settings: &Map<String, Value>,
    ) -> Result<OpenedSettings, Error> {
        settings.insert("type".to_owned(), Value::String(kind.to_owned()));
        let mut stored = form_settings.clone();
        fill_actions(&mut stored);
        let stored: Vec<&Map<String, Value>> = entries_of(&stored, ACTIONS).collect();
        let before = former(&settings, usize::MAX, &stored);
        let before = before.filter(|before| has_same_destination(&settings, before));
        for (key, value) in secrets_of(kind, &mut settings) {
            if value.as_str() == Some(MASK) {
                *value = kept(before, key, "settings")?;
            }
        }
        Ok(self.open(settings))
    }
}

/// The stored secret that a mask represents; fails if none is stored for the same destination.
fn kept(before: Option<&Map<String, Value>>, key: &str, place: &str) -> Result<Value, Error> {
    let kept = before.and_then(|before| before.get(key)).cloned();
    kept.ok_or_else(|| Error::SecretRequired(format!("{place}.{key}")))
}

/// Words in the keys of settings that determine where secrets are sent.
const DESTINATIONS: [&str; 9] = [
    "url", "uri", "host", "server", "domain", "endpoint", "account", "address", "port",
];

/// Whether an action sends its secrets to the same destination as a stored action.
fn has_same_destination(action: &Map<String, Value>, stored: &Map<String, Value>) -> bool {
    let text = |entry: &Map<String, Value>, key: &str| {
        let text = entry.get(key).map(text_of).unwrap_or_default();
        text.trim().to_owned()
    };
    let keys = action.keys().chain(stored.keys());
    let mut destinations = keys.filter(|key| {
        let key = key.to_ascii_lowercase();
        DESTINATIONS.iter().any(|word| key.contains(word))
    });
    destinations.all(|key| {
        let wanted = text(action, key);
        wanted == text(stored, key) || wanted == MASK && is_secret(kind_of(stored), key)
    })
}

/// Reports faulty secrets of built-in actions: mistyped keys, which would store a secret unencrypted, and lists.
pub fn mistyped_secrets(cx: &Context, settings: &Map<String, Value>) -> Vec<Fault> {
    let actions = settings.get(ACTIONS).and_then(Value::as_array);
    let actions = actions.into_iter().flatten().map(Value::as_object);
    let faults = actions.enumerate().flat_map(|(index, action)| {
        let keys = action
            .map(|action| clear_secrets(cx, action))
            .unwrap_or_default();
        keys.into_iter().map(move |(key, message)| {
            let path = format!("settings.{ACTIONS}[{index}].{key}");
            Fault::new(path, "rest_invalid_key", message)
        })
    });
    faults.collect()
}

/// Whether a form's settings may contain secrets.
pub fn has_secrets(settings: &Map<String, Value>) -> bool {
    LISTS.iter().any(|list| settings.contains_key(*list))
}

/// Masks the secrets of the actions and spam checks in a form's settings.
pub fn mask_settings(settings: &mut Map<String, Value>) {
    for list in LISTS {
        let entries = settings.get_mut(list).and_then(Value::as_array_mut);
        let entries = entries.into_iter().flatten();
        entries.filter_map(Value::as_object_mut).for_each(mask);
    }
}

/// Masks the secrets of one action's settings.
pub fn mask(action: &mut Map<String, Value>) {
    let kind = kind_of(action).to_owned();
    for (_, value) in secrets_of(&kind, action) {
        if value.as_str().is_some_and(|text| !text.is_empty()) {
            *value = Value::String(MASK.to_owned());
        }
    }
}

/// Whether a setting of a type is a secret.
pub fn is_secret(kind: &str, key: &str) -> bool {
    match built_in(kind) {
        Some(action_type) => action_type
            .setting(key)
            .is_some_and(|setting| setting.secret),
        None => names_secret(key),
    }
}

fn kind_of(action: &Map<String, Value>) -> &str {
    let kind = action.get("type").and_then(Value::as_str);
    kind.unwrap_or_default()
}

fn entries_of<'a>(
    settings: &'a Map<String, Value>,
    list: &str,
) -> impl Iterator<Item = &'a Map<String, Value>> + use<'a> {
    let entries = settings.get(list).and_then(Value::as_array);
    entries.into_iter().flatten().filter_map(Value::as_object)
}

/// The secrets of an action. A value that is not a text, such as a number, becomes its text or its JSON.
fn secrets_of<'a>(
    kind: &'a str,
    action: &'a mut Map<String, Value>,
) -> impl Iterator<Item = (&'a str, &'a mut Value)> {
    let members = action.iter_mut().map(|(key, value)| (key.as_str(), value));
    let secrets = members.filter(move |(key, _)| is_secret(kind, key));
    secrets.map(|(key, value)| {
        if !(value.is_string() || value.is_null()) {
            *value = text_of(value).into();
        }
        (key, value)
    })
}

/// Finds an entry's stored version: by its id or, without an id, by similarity.
fn former<'a>(
    entry: &Map<String, Value>,
    index: usize,
    stored: &[&'a Map<String, Value>],
) -> Option<&'a Map<String, Value>> {
    let of_id = |id| {
        stored
            .iter()
            .copied()
            .find(|entry| id_of(entry) == Some(id))
    };
    match id_of(entry) {
        Some(id) => of_id(id).filter(|former| kind_of(former) == kind_of(entry)),
        None => most_alike(entry, index, stored),
    }
}

/// The id of an action; `None` for a missing or empty id.
fn id_of(entry: &Map<String, Value>) -> Option<&str> {
    let id = entry.get("action_id").and_then(Value::as_str);
    id.filter(|id| !id.is_empty())
}

/// Finds the stored action of the same type that shares the most settings. The index only breaks ties, since actions
/// may have been moved.
fn most_alike<'a>(
    action: &Map<String, Value>,
    index: usize,
    stored: &[&'a Map<String, Value>],
) -> Option<&'a Map<String, Value>> {
    let kind = kind_of(action);
    let same_type = stored.iter().enumerate();
    let same_type = same_type.filter(|(_, candidate)| kind_of(candidate) == kind);
    let likeness = |(place, candidate): &(usize, &&Map<String, Value>)| {
        let open = candidate.iter().filter(|(key, _)| !is_secret(kind, key));
        let equal = open.filter(|(key, value)| action.get(*key) == Some(value));
        (equal.count(), *place == index)
    };
    same_type
        .max_by_key(likeness)
        .map(|(_, candidate)| *candidate)
}
