//! Randomness, and signatures and hashes with the site's key.

pub mod random;
mod seal;
mod signer;

pub use random::new_token;
pub use seal::{AnswerKey, Cipher, hmac};
pub use signer::{
    LinkedFile, Signer, Use, counted_address, may_be_a_proxy, shortened_address, token_hash,
};
