//! Reads the format of PHP's `serialize`, which the meta of posts uses. Objects and references are not supported.

use model::logic::number::parse_number;
use serde_json::{Map, Value};

/// Maximum depth of nested arrays.
const MAX_DEPTH: usize = 32;

/// Reads a serialized value; returns `None` for other text. An array becomes a JSON object.
pub fn unserialize(text: &str) -> Option<Value> {
    let mut rest = text.trim_start();
    value(&mut rest, MAX_DEPTH)
}

fn value(rest: &mut &str, depth: usize) -> Option<Value> {
    let (kind, after) = rest.split_at_checked(2)?;
    *rest = after;
    match kind {
        "N;" => Some(Value::Null),
        "b:" => Some(Value::from(until(rest, ';')? == "1")),
        "i:" => until(rest, ';')?.parse::<i64>().ok().map(Value::from),
        "d:" => parse_number(until(rest, ';')?).map(Value::from),
        "s:" => string(rest).map(Value::from),
        "a:" => array(rest, depth.checked_sub(1)?),
        _ => None,
    }
}

fn until<'t>(rest: &mut &'t str, end: char) -> Option<&'t str> {
    let (text, after) = rest.split_once(end)?;
    *rest = after;
    Some(text)
}

/// Reads `5:"bytes";`, whose length counts bytes. If an editor changed the file's line ends, the length is wrong; the
/// text then ends at the next `";`.
fn string(rest: &mut &str) -> Option<String> {
    let length: usize = until(rest, ':')?.parse().ok()?;
    let text = rest.strip_prefix('"')?;
    let counted = text.split_at_checked(length);
    let counted = counted.and_then(|(content, after)| Some((content, after.strip_prefix("\";")?)));
    let (content, after) = counted.or_else(|| text.split_once("\";"))?;
    *rest = after;
    Some(content.to_owned())
}

fn array(rest: &mut &str, depth: usize) -> Option<Value> {
    let count: usize = until(rest, ':')?.parse().ok()?;
    *rest = rest.strip_prefix('{')?;
    let mut members = Map::new();
    for _ in 0..count {
        let name = match value(rest, 1)? {
            Value::String(name) => name,
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        members.insert(name, value(rest, depth)?);
    }
    *rest = rest.strip_prefix('}')?;
    Some(Value::Object(members))
}
