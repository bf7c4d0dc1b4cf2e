//! The parameters of routes. One description serves checking, OPTIONS and OpenAPI.

use serde_json::Value;

use crate::error::Fault;
use crate::forms::slug::MAX_SLUG_CHARS;
use crate::json;

/// Where a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A variable of the path.
    Path,
    /// The query string; a JSON body may carry it too, as the platform's clients do.
    Query,
    /// The JSON body.
    Body,
    /// Every member of the JSON body: the parameter's name is the component of
    /// `openapi.components.json` that describes it. The handler checks the body as a whole, since
    /// its members depend on each other.
    Members,
}

/// Converts a value to the form in which it is stored; `Err` with every fault in it, with paths inside it.
pub type Check = fn(&Value) -> Result<Value, Vec<Fault>>;

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number from the first to the second. Numeric text is read as its number.
    Integer(i64, i64),
    /// True or false; `"true"`, `"false"`, `"1"`, `"0"`, 1 and 0 are read too. An empty text is
    /// neither: `?preview` means yes to some and no to others.
    Boolean,
    /// Text of at most so many characters, without U+0000, which PostgreSQL cannot store.
    Text(usize),
    /// The text of a file of at most so many characters, which may hold U+0000.
    File(usize),
    /// One line of text that is not blank, of at most so many characters. White space at its ends
    /// goes.
    Line(usize),
    /// A form's slug; empty for one that is made from the title.
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
    /// Ids, as a JSON array or separated by commas: from one to so many. Numeric text is read as
    /// its number.
    Ids(usize),
    /// What the component of that name in `openapi.components.json` describes, and what checks it.
    Component(&'static str, Check),
    /// Anything: the handler checks it with the body's other members.
    Any,
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Kind::Integer(minimum, i64::MAX) => json!({"type": "integer", "minimum": minimum}),
            Kind::Integer(minimum, maximum) => {
                json!({"type": "integer", "minimum": minimum, "maximum": maximum})
            }
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Text(maximum) | Kind::File(maximum) => {
                json!({"type": "string", "maxLength": maximum})
            }
            Kind::Line(maximum) => json!({"type": "string", "minLength": 1, "maxLength": maximum}),
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
            Kind::Ids(maximum) => {
                let id = json!({"type": "integer", "minimum": 1});
                json!({"type": "array", "items": id, "minItems": 1, "maxItems": maximum})
            }
            Kind::Any => json!({}),
            Kind::Component(name, _) => json!({"$ref": format!("#/components/schemas/{name}")}),
        }
    }
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Where it comes from.
    pub location: Location,
    /// The kind of its value.
    pub kind: Kind,
    /// Whether the request must carry it.
    pub required: bool,
    /// Its value when the request does not carry it, as JSON text.
    default: Option<&'static str>,
    /// Its description, for OPTIONS and OpenAPI.
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

    /// The same, required.
    pub const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    /// The same, with a default given as JSON text.
    pub const fn or(mut self, default: &'static str) -> Parameter {
        self.default = Some(default);
        self
    }

    /// Its value when the request does not carry it.
    pub(super) fn default(&self) -> Option<Value> {
        serde_json::from_str(self.default?).ok()
    }

    /// Its JSON Schema, with its meaning and its default.
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
