//! Encryption with XChaCha20-Poly1305, and the keys of saved progress. A random key encrypts the answers, and each
//! token encrypts ("wraps") that key.

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Encrypts ("seals") and decrypts ("opens") texts with one key.
pub struct Cipher(XChaCha20Poly1305);

impl Cipher {
    /// Creates the cipher of a key.
    pub fn new(key: &[u8; 32]) -> Cipher {
        Cipher(XChaCha20Poly1305::new(Key::from_slice(key)))
    }

    /// Encrypts bytes, which can be decrypted only for the same purpose. Returns base64 of the nonce (24 bytes) and the
    /// ciphertext; `None` for a text that is too long.
    pub fn seal(&self, purpose: &str, msg: &[u8]) -> Result<Option<String>, getrandom::Error> {
        let mut nonce = [0; 24];
        getrandom::fill(&mut nonce)?;
        let aad = purpose.as_bytes();
        let sealed = self
            .0
            .encrypt(XNonce::from_slice(&nonce), Payload { msg, aad });
        let text = sealed
            .map(|sealed| BASE64_STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()));
        Ok(text.ok())
    }

    /// Decrypts a text that was encrypted for a purpose; `None` for any other text.
    pub fn open(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        let bytes = BASE64_STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, msg) = bytes.split_at_checked(24)?;
        let aad = purpose.as_bytes();
        self.0
            .decrypt(XNonce::from_slice(nonce), Payload { msg, aad })
            .ok()
    }
}

/// The HMAC-SHA256 of a message.
pub fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    // This cannot fail, since the key of an HMAC may have any length.
    let Ok(mut mac) = <Hmac<Sha256> as Mac>::new_from_slice(key) else {
        return [0; 32];
    };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// The cipher derived from a visitor's token by HKDF-SHA256 (RFC 5869).
pub fn token_cipher(token: &str) -> Cipher {
    let extracted = hmac(b"cf-forms saved answers", token.as_bytes());
    Cipher::new(&hmac(&extracted, b"wrap\x01"))
}

/// The purpose of wrapped keys.
const WRAP: &str = "key";

/// The random key that encrypts the answers of saved progress.
pub struct AnswerKey([u8; 32]);

impl AnswerKey {
    /// A fresh key.
    pub fn random() -> Result<AnswerKey, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(AnswerKey(key))
    }

    /// Decrypts a wrapped key with a token; `None` if the token does not fit.
    pub fn unwrapped(token: &str, wrapped: &str) -> Option<AnswerKey> {
        let key = token_cipher(token).open(WRAP, wrapped)?;
        Some(AnswerKey(key.try_into().ok()?))
    }

    /// Encrypts the key with a token.
    pub fn wrapped(&self, token: &str) -> Result<String, getrandom::Error> {
        let wrapped = token_cipher(token).seal(WRAP, &self.0)?;
        Ok(wrapped.unwrap_or_default())
    }

    /// The cipher of the answers.
    pub fn cipher(&self) -> Cipher {
        Cipher::new(&self.0)
    }
}
