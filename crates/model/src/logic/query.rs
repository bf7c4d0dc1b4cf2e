//! Reads the parameters in the query of a URL.

use percent_encoding::percent_decode;

/// A parameter of a query.
#[derive(Debug)]
pub struct Parameter<'q> {
    /// The parameter as written.
    pub written: &'q str,
    /// The decoded name.
    pub name: String,
    /// The decoded value.
    pub value: String,
}

/// The parameters of a query, in order.
pub fn parameters(query: &str) -> Vec<Parameter<'_>> {
    let decoded = |text: &str| {
        let spaced = text.replace('+', " ");
        percent_decode(spaced.as_bytes())
            .decode_utf8_lossy()
            .into_owned()
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let parameters = pairs.map(|written| {
        let (name, value) = written.split_once('=').unwrap_or((written, ""));
        Parameter {
            written,
            name: decoded(name),
            value: decoded(value),
        }
    });
    parameters.collect()
}
