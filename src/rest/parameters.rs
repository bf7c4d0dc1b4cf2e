//! The parameters of routes. One description serves checking, OPTIONS and OpenAPI.

use serde_json::Value;

use crate::error::Fault;
use crate::forms::slug::MAX_SLUG_CHARS;
use crate::json;

/// The location of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A variable of the path.
    Path,
    /// The query string, or the JSON body, as the platform's clients send it.
    Query,
    /// The JSON body.
    Body,
    /// All members of the JSON body, described by the component of `openapi.components.json` with the parameter's
    /// name. The handler checks the body, since its members depend on each other.
    Members,
}

/// A function that converts a value to its stored form; `Err` with all faults, with paths inside the value.
pub type Check = fn(&Value) -> Result<Value, Vec<Fault>>;

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number from the first to the second. Numeric text is read as its number.
    Integer(i64, i64),
    /// True or false; `"true"`, `"false"`, `"1"`, `"0"`, 1 and 0 are accepted too. An empty text is rejected, since
    /// `?preview` is ambiguous.
    Boolean,
    /// Text up to a number of characters, without U+0000, which PostgreSQL cannot store.
    Text(usize),
    /// The text of a file up to a number of characters, which may contain U+0000.
    File(usize),
    /// One non-blank line of text up to a number of characters, which is trimmed.
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
    /// From one id up to a number of ids, as a JSON array or separated by commas. Numeric text is read as its number.
    Ids(usize),
    /// A value that the named component of `openapi.components.json` describes, with its check.
    Component(&'static str, Check),
    /// Any value, which the handler checks with the body's other members.
    Any,
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Kind::Integer(min, i64::MAX) => json!({"type": "integer", "minimum": min}),
            Kind::Integer(min, max) => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Text(max) | Kind::File(max) => {
                json!({"type": "string", "maxLength": max})
            }
            Kind::Line(max) => json!({"type": "string", "minLength": 1, "maxLength": max}),
            Kind::Slug => {
                let pattern = "^([a-z0-9]([a-z0-9_-]*[a-z0-9])?)?$";
                json!({"type": "string", "maxLength": MAX_SLUG_CHARS, "pattern": pattern})
            }
            Kind::Enum(words) => json!({"type": "string", "enum": words}),
            Kind::Date => json!({"type": "string", "format": "date"}),
            Kind::Moment => json!({"type": "string", "format": "date-time"}),
            Kind::Object => json!({"type": "object"}),
            Kind::Texts => json!({"type": "object", "additionalProperties": {"type": "string"}}),
            Kind::Array => json!({"type": "array"}),
            Kind::Ids(max) => {
                let id = json!({"type": "integer", "minimum": 1});
                json!({"type": "array", "items": id, "minItems": 1, "maxItems": max})
            }
            Kind::Any => json!({}),
            Kind::Component(name, _) => json!({"$ref": format!("#/components/schemas/{name}")}),
        }
    }
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The location.
    pub location: Location,
    /// The kind of value.
    pub kind: Kind,
    /// Whether the request must contain the parameter.
    pub required: bool,
    /// The default, as JSON text.
    default: Option<&'static str>,
    /// The description, for OPTIONS and OpenAPI.
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
            description,
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

    /// The JSON Schema, with the description and the default.
    pub(super) fn schema(&self) -> Value {
        let described = json!({"description": self.description});
        let schema = json::with(self.kind.schema(), described);
        match self.default() {
            Some(default) => json::with(schema, json!({"default": default})),
            None => schema,
        }
    }

    /// The location in OpenAPI's words.
    pub(super) fn place(&self) -> &'static str {
        match self.location {
            Location::Path => "path",
            Location::Query => "query",
            Location::Body | Location::Members => "body",
        }
    }
}
