//! JSON literals, and conversions between JSON values and types. Structs are converted through JSON text, because the
//! WebAssembly module contains serde's code for text anyway. Direct conversions would add as much code again, so only
//! simple types have them ([`of_simple`]).

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Builds a JSON value. `serde_json::json!` repeats the code that converts and inserts a value for each member and
/// item. This macro calls [`add`], [`insert`] and [`of_simple`] instead, so the WebAssembly module is
/// smaller.
#[macro_export]
macro_rules! json {
    (@members $to:ident $name:tt : $value:tt $(, $($rest:tt)*)?) => {
        $crate::values::insert(&mut $to, $name, $crate::json!($value));
        $($crate::json!(@members $to $($rest)*);)?
    };
    (@members $to:ident $name:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::values::add(&mut $to, $name, &$value);
        $($crate::json!(@members $to $($rest)*);)?
    };
    (@members $to:ident) => {};
    (@items [$($done:expr,)*] $value:tt $(, $($rest:tt)*)?) => {
        $crate::json!(@items [$($done,)* $crate::json!($value),] $($($rest)*)?)
    };
    (@items [$($done:expr,)*] $value:expr $(, $($rest:tt)*)?) => {
        $crate::json!(@items [$($done,)* $crate::json!($value),] $($($rest)*)?)
    };
    (@items [$($done:expr,)*]) => { ::serde_json::Value::Array(::std::vec![$($done),*]) };
    (null) => { ::serde_json::Value::Null };
    ({}) => { ::serde_json::Value::Object(::serde_json::Map::new()) };
    ({ $($members:tt)+ }) => {{
        let mut members = ::serde_json::Map::new();
        $crate::json!(@members members $($members)+);
        ::serde_json::Value::Object(members)
    }};
    ([ $($items:tt)* ]) => { $crate::json!(@items [] $($items)*) };
    ($value:expr) => { $crate::values::of_simple(&$value) };
}

/// An item of a [`list`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A text.
    Text(&'a str),
    /// An integer.
    Integer(i64),
    /// Items that are already JSON, separated by commas.
    Json(&'a str),
}

impl<'a, T: AsRef<str> + ?Sized> From<&'a T> for Item<'a> {
    fn from(text: &'a T) -> Item<'a> {
        Item::Text(text.as_ref())
    }
}

impl From<i64> for Item<'_> {
    fn from(number: i64) -> Self {
        Item::Integer(number)
    }
}

/// The initial capacity of a list, in bytes. Without it, growing lists took a tenth of the engine's time for a submit.
const INITIAL_CAPACITY: usize = 640;

/// Writes a JSON list of texts, integers, and items that are already JSON. Each submission needs such lists, so they
/// are written directly, without a [`Value`].
pub fn list(items: &[Item<'_>]) -> String {
    let mut json = Vec::with_capacity(INITIAL_CAPACITY);
    push_list(&mut json, items);
    String::from_utf8(json).unwrap_or_default()
}

/// Writes a JSON list of lists, each as [`list`] writes it.
pub fn list_of_lists<'a, const LENGTH: usize>(
    lists: impl Iterator<Item = [Item<'a>; LENGTH]>,
) -> String {
    let mut json = Vec::with_capacity(INITIAL_CAPACITY);
    json.push(b'[');
    for items in lists {
        if json.len() > 1 {
            json.push(b',');
        }
        push_list(&mut json, &items);
    }
    json.push(b']');
    String::from_utf8(json).unwrap_or_default()
}

/// Appends a JSON list to `json`, as [`list`] writes it.
fn push_list(json: &mut Vec<u8>, items: &[Item<'_>]) {
    json.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        match item {
            // Writing into memory cannot fail.
            Item::Text(text) => serde_json::to_writer(&mut *json, text).unwrap_or_default(),
            Item::Integer(number) => json.extend(itoa::Buffer::new().format(*number).bytes()),
            Item::Json(items) => json.extend_from_slice(items.as_bytes()),
        }
    }
    json.push(b']');
}

/// Adds a member to an object.
pub fn insert(object: &mut Map<String, Value>, name: &str, value: Value) {
    object.insert(name.to_owned(), value);
}

/// Adds a member of a simple type to an object.
pub fn add(object: &mut Map<String, Value>, name: &str, value: &(impl Serialize + ?Sized)) {
    insert(object, name, of_simple(value));
}

/// Converts a value of a simple type to JSON; null if JSON cannot represent the value.
pub fn of_simple(value: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Converts a JSON value into a type.
///
/// # Errors
/// The value does not have the shape of the type.
pub fn of<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// Converts a value to JSON; null if JSON cannot represent the value.
pub fn value(of: &impl Serialize) -> Value {
    let text = serde_json::to_string(of).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
