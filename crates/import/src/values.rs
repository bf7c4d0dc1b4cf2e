//! Reads JSON members as PHP and JavaScript write them, builds objects, and looks up the engine's counterpart of a
//! plugin's name (`tables.json`).

use std::sync::LazyLock;

use model::logic::number::parse_number;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The tables by their names, which map a plugin's names to the engine's.
static TABLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("tables.json")).unwrap_or_default());

/// The entries of a table.
pub fn table(name: &str) -> Vec<(&'static str, &'static str)> {
    let entries = entries(member(&TABLES, name)).into_iter();
    entries
        .map(|(theirs, ours)| (theirs, ours.as_str().unwrap_or_default()))
        .collect()
}

/// Looks up a name in a table.
pub fn counterpart(table: &str, name: &str) -> Option<&'static str> {
    member(member(&TABLES, table), name).as_str()
}

/// A member, or null.
pub fn member<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// The text of a member; empty if the member is missing or is not a text.
pub fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    member(value, name).as_str().unwrap_or_default()
}

/// The text of the first member, or of the second if the first is empty.
pub fn either<'v>(value: &'v Value, first: &str, second: &str) -> &'v str {
    match text(value, first) {
        "" => text(value, second),
        text => text,
    }
}

/// Cuts a text to a maximum number of characters.
pub fn shortened(text: &str, max_chars: usize) -> &str {
    let end = text.char_indices().nth(max_chars).map(|(end, _)| end);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A text on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text or number of a member as text; empty for anything else.
pub fn text_or_number(value: &Value, name: &str) -> String {
    match member(value, name) {
        Value::Number(number) => number.to_string(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// The number of a member, which may be written as text.
pub fn number(value: &Value, name: &str) -> Option<f64> {
    parse_number(text_or_number(value, name).trim())
}

/// Converts all numbers to texts, because PHP writes either. Every zero becomes "0", which is false in PHP.
pub fn numbers_as_texts(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_f64() == Some(0.0) => *value = Value::from("0"),
        Value::Number(number) => *value = Value::String(number.to_string()),
        Value::Array(items) => items.iter_mut().for_each(numbers_as_texts),
        Value::Object(members) => members.values_mut().for_each(numbers_as_texts),
        _ => {}
    }
}

/// Whether a member that is neither a list nor an object is true by PHP's rules.
pub fn is_on(value: &Value, name: &str) -> bool {
    let value = member(value, name);
    !value.is_array() && !value.is_object() && is_set(value)
}

/// Whether a value is neither false, zero nor empty.
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.as_str(), "" | "0"),
        list => !values(list).is_empty(),
    }
}

/// The name of an internal member that lists an object's names in the order of the file, because `Map` sorts them. It
/// is missing if the file's order is alphabetical.
const ORDER: &str = "\0";

/// Reads JSON; [`values`] and [`entries`] give the members of objects in the order of the file.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|InOrder(value)| value)
}

/// A value whose objects have the member [`ORDER`].
struct InOrder(Value);

impl<'de> Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InOrder, D::Error> {
        deserializer.deserialize_any(InOrderVisitor)
    }
}

struct InOrderVisitor;

impl<'de> Visitor<'de> for InOrderVisitor {
    type Value = InOrder;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<InOrder, E> {
        Ok(InOrder(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<InOrder, E> {
        Ok(InOrder(Value::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<InOrder, E> {
        Ok(InOrder(Value::from(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<InOrder, E> {
        Ok(InOrder(Value::from(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<InOrder, E> {
        Ok(InOrder(Value::from(value)))
    }

    fn visit_unit<E>(self) -> Result<InOrder, E> {
        Ok(InOrder(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<InOrder, A::Error> {
        let mut list = Vec::new();
        while let Some(InOrder(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(InOrder(Value::Array(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<InOrder, A::Error> {
        let (mut members, mut names) = (Map::new(), Vec::new());
        while let Some((name, InOrder(value))) = entries.next_entry::<String, InOrder>()? {
            if members.insert(name.clone(), value).is_none() {
                names.push(name);
            }
        }
        members.remove(ORDER);
        names.retain(|name| name != ORDER);
        if !names.is_sorted() {
            put(&mut members, ORDER, Value::from(names));
        }
        Ok(InOrder(Value::Object(members)))
    }
}

/// The items of a list, or the values of an object's members: PHP does not distinguish them.
pub fn values(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        _ => entries(value).into_iter().map(|(_, value)| value).collect(),
    }
}

/// The members of an object, in the order of the file.
pub fn entries(value: &Value) -> Vec<(&str, &Value)> {
    let Value::Object(members) = value else {
        return Vec::new();
    };
    if let Some(Value::Array(names)) = members.get(ORDER) {
        let names = names.iter().filter_map(Value::as_str);
        return names
            .filter_map(|name| Some((name, members.get(name)?)))
            .collect();
    }
    let members = members.iter();
    members
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// Puts a member into an object.
pub fn put(members: &mut Map<String, Value>, name: &str, value: Value) {
    members.insert(name.to_owned(), value);
}

/// Puts a text into an object, unless it is empty.
pub fn put_text(members: &mut Map<String, Value>, name: &str, text: &str) {
    if !text.is_empty() {
        put(members, name, Value::from(text));
    }
}

/// An object whose members are texts.
pub fn texts(members: &[(&str, &str)]) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, text) in members {
        put(&mut object, name, Value::from(*text));
    }
    object
}

/// Builds an email action. The table `names` maps each setting to the plugin's name for it. `fill` gets a setting's
/// name and the plugin's template, and returns the converted template. Empty settings are left out.
pub fn email_action(
    mail: &Value,
    names: &str,
    fill: &mut dyn FnMut(&str, &str) -> String,
) -> Map<String, Value> {
    let mut action = texts(&[("type", "email")]);
    for (ours, theirs) in table(names) {
        put_text(
            &mut action,
            ours,
            &fill(ours, &text_or_number(mail, theirs)),
        );
    }
    action
}

/// Indexes or counts by name. A single map type for all uses keeps the module small.
#[derive(Debug, Default)]
pub struct Places(Map<String, Value>);

impl Places {
    pub fn put(&mut self, name: &str, place: usize) {
        put(&mut self.0, name, Value::from(place));
    }

    pub fn get(&self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    /// Adds one to a count.
    pub fn count(&mut self, name: &str) {
        let count = self.get(name).unwrap_or(0);
        self.put(name, count + 1);
    }

    /// The names with their indexes or counts, sorted by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, usize)> {
        let names = self.0.keys().map(String::as_str);
        names.filter_map(|name| Some((name, self.get(name)?)))
    }
}
