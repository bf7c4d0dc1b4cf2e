//! The parameters of routes. The same descriptions serve to check requests and to generate the API's reference.

use serde_json::Value;

use model::HAS_REFERENCE;

use crate::error::Fault;

/// The location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A variable of the path.
    Path,
    /// The query string. The JSON body is accepted too, since some of the platform's clients send it there.
    Query,
    /// The JSON body. The query string and a form-encoded body are accepted too.
    Body,
    /// All members of the JSON body, described by the component of `openapi.components.json` with the parameter's
    /// name. The handler checks the body, since its members depend on each other.
    Members,
}

/// A function that checks a value and converts it to its stored form; `Err` with all faults, whose paths begin inside
/// the value.
pub type Check = fn(&Value) -> Result<Value, Vec<Fault>>;

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number between two inclusive bounds. Numeric text counts as its number.
    Integer(i64, i64),
    /// True or false, also as `"true"`, `"false"`, `"1"`, `"0"`, 1 or 0. An empty text is rejected, since the meaning
    /// of `?preview` without a value is ambiguous.
    Boolean,
    /// Text up to a number of characters, without U+0000, which PostgreSQL cannot store.
    Text(usize),
    /// The text of a file up to a number of characters, which may contain U+0000.
    File(usize),
    /// One line of text up to a number of characters, trimmed and not empty.
    Line(usize),
    /// A form's slug; empty to derive it from the title.
    Slug,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A day, `YYYY-MM-DD`.
    Date,
    /// A moment, ISO 8601.
    Moment,
    /// A JSON object.
    Object,
    /// Texts by name: the pairs `parameter[name]=text` of the query.
    Texts,
    /// A JSON array.
    Array,
    /// One or more ids, up to a number, as a JSON array or separated by commas. Numeric text counts as its number.
    Ids(usize),
    /// A value that a component of `openapi.components.json` describes: the component's name, and the check.
    Component(&'static str, Check),
    /// Any value. The handler checks it together with the body's other members.
    Any,
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name in the path, the query or the body.
    pub name: &'static str,
    /// Where requests contain the parameter.
    pub location: Location,
    /// The kind of its value, which also determines the check.
    pub kind: Kind,
    /// Whether the request must contain the parameter.
    pub required: bool,
    /// The default, as JSON text.
    default: Option<&'static str>,
    /// The description, for the reference.
    pub description: &'static str,
}

impl Parameter {
    const fn new(
        location: Location,
        name: &'static str,
        kind: Kind,
        description: &'static str,
    ) -> Parameter {
        Parameter {
            name,
            location,
            kind,
            required: false,
            default: None,
            description: if HAS_REFERENCE { description } else { "" },
        }
    }

    /// A variable of the path that is an id.
    pub const fn id(name: &'static str, description: &'static str) -> Parameter {
        let kind = Kind::Integer(0, i64::MAX);
        Parameter::new(Location::Path, name, kind, description).required()
    }

    /// A variable of the path that is a name.
    pub const fn segment(name: &'static str, description: &'static str) -> Parameter {
        Parameter::new(Location::Path, name, Kind::Text(1000), description).required()
    }

    /// An optional parameter of the query.
    pub const fn query(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
        Parameter::new(Location::Query, name, kind, description)
    }

    /// An optional member of the JSON body.
    pub const fn body(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
        Parameter::new(Location::Body, name, kind, description)
    }

    /// The members of the JSON body, described by a component.
    pub const fn members(component: &'static str) -> Parameter {
        Parameter::new(Location::Members, component, Kind::Any, "")
    }

    /// Makes the parameter required.
    pub const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    /// Sets the default, as JSON text.
    pub const fn or(mut self, default: &'static str) -> Parameter {
        self.default = Some(default);
        self
    }

    /// The default.
    pub(super) fn default(&self) -> Option<Value> {
        serde_json::from_str(self.default?).ok()
    }
}
