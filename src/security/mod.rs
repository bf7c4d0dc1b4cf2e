//! Secrets and signatures: randomness, and what only this site can sign or recognise.

pub mod random;
mod signer;

pub use signer::{LinkedFile, Signer, Use, counted_address, may_be_a_proxy, shortened_address};
