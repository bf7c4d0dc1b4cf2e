//! What PHP's `serialize` writes: the meta of posts. Objects and references are not read.

use model::logic::number::parse_number;
use serde_json::{Map, Value, json};

/// How deep arrays may lie in each other.
const MAX_DEPTH: usize = 32;

/// Reads a serialized value; `None` for a text that is none. An array is a JSON object.
pub fn unserialize(text: &str) -> Option<Value> {
    let mut rest = text.trim_start();
    value(&mut rest, MAX_DEPTH)
}

fn value(rest: &mut &str, depth: usize) -> Option<Value> {
    let (kind, after) = rest.split_at_checked(2)?;
    match kind {
        "N;" => {
            *rest = after;
            Some(Value::Null)
        }
        "b:" => {
            *rest = after;
            Some(json!(until(rest, ';')? == "1"))
        }
        "i:" => {
            *rest = after;
            until(rest, ';')?.parse::<i64>().ok().map(Value::from)
        }
        "d:" => {
            *rest = after;
            parse_number(until(rest, ';')?).map(Value::from)
        }
        "s:" => {
            *rest = after;
            string(rest).map(Value::from)
        }
        "a:" => {
            *rest = after;
            array(rest, depth.checked_sub(1)?)
        }
        _ => None,
    }
}

fn until<'t>(rest: &mut &'t str, end: char) -> Option<&'t str> {
    let (own, after) = rest.split_once(end)?;
    *rest = after;
    Some(own)
}

/// `5:"bytes";`: the length counts bytes. Files that went through an editor have other line ends than
/// their lengths say; then the text goes to the next quote that ends a value.
fn string(rest: &mut &str) -> Option<String> {
    let length: usize = until(rest, ':')?.parse().ok()?;
    let text = rest.strip_prefix('"')?;
    if let Some((own, after)) = text.split_at_checked(length)
        && let Some(after) = after.strip_prefix("\";")
    {
        *rest = after;
        return Some(own.to_owned());
    }
    let (own, after) = text.split_once("\";")?;
    *rest = after;
    Some(own.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialized_values_are_read_and_broken_ones_are_none() {
        let text = "a:4:{s:2:\"é\";i:-3;i:0;a:1:{s:1:\"b\";b:1;}s:1:\"d\";d:0.5;s:1:\"n\";N;}";
        let read = unserialize(text).unwrap();
        assert_eq!(
            read,
            json!({"é": -3, "0": {"b": true}, "d": 0.5, "n": null})
        );
        let edited = unserialize("a:1:{s:1:\"a\";s:9:\"one\ntwo\";}").unwrap();
        assert_eq!(edited, json!({"a": "one\ntwo"}));
        let deep = "a:1:{i:0;".repeat(10_000);
        for broken in [
            "",
            "x",
            "a:1:{",
            "a:99999999999:{}",
            "s:5:\"a",
            "O:3:\"Foo\":0:{}",
            "i:x;",
            &deep,
        ] {
            assert_eq!(unserialize(broken), None, "{broken:.20}");
        }
    }
}
