//! What a route's parameters may be. One description serves checking, OPTIONS and OpenAPI.

use serde_json::Value;

use crate::error::Fault;

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

/// Gives a value in the form in which it is stored, or every fault in it, with paths inside it.
pub type Check = fn(&Value) -> Result<Value, Vec<Fault>>;

/// What a parameter's value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number within bounds. Numeric text is read as its number.
    Integer {
        /// The least.
        minimum: i64,
        /// The most.
        maximum: i64,
    },
    /// True or false; `"true"`, `"false"`, `"1"`, `"0"`, 1 and 0 are read too. An empty text is
    /// neither: `?preview` means yes to some and no to others.
    Boolean,
    /// Text of at most so many characters, without U+0000, which PostgreSQL cannot store.
    Text {
        /// The most characters.
        maximum: usize,
    },
    /// One line of text that is not blank, of at most so many characters. White space at its ends
    /// goes.
    Line {
        /// The most characters.
        maximum: usize,
    },
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
    Ids {
        /// The most.
        maximum: usize,
    },
    /// What a component of `openapi.components.json` describes.
    Component {
        /// The component's name.
        name: &'static str,
        /// Checks the value.
        check: Check,
    },
    /// Anything: the handler checks it with the body's other members.
    Any,
}

/// A parameter of a route.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Where it comes from.
    pub location: Location,
    /// What it may be.
    pub kind: Kind,
    /// Whether the request must carry it.
    pub required: bool,
    /// What it is when the request does not carry it, as JSON text.
    pub default: Option<&'static str>,
    /// What it means, for OPTIONS and OpenAPI.
    pub description: &'static str,
}

impl Parameter {
    /// A variable of the path that is an id.
    pub const fn id(name: &'static str, description: &'static str) -> Parameter {
        let kind = Kind::Integer {
            minimum: 0,
            maximum: i64::MAX,
        };
        Parameter {
            name,
            location: Location::Path,
            kind,
            required: true,
            default: None,
            description,
        }
    }

    /// A variable of the path that is a name.
    pub const fn segment(name: &'static str, description: &'static str) -> Parameter {
        let kind = Kind::Text { maximum: 1000 };
        Parameter {
            name,
            location: Location::Path,
            kind,
            required: true,
            default: None,
            description,
        }
    }

    /// An optional parameter of the query.
    pub const fn query(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
        Parameter {
            name,
            location: Location::Query,
            kind,
            required: false,
            default: None,
            description,
        }
    }

    /// An optional member of the JSON body.
    pub const fn body(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
        Parameter {
            name,
            location: Location::Body,
            kind,
            required: false,
            default: None,
            description,
        }
    }

    /// The members of the JSON body, described by a component.
    pub const fn members(component: &'static str) -> Parameter {
        Parameter {
            name: component,
            location: Location::Members,
            kind: Kind::Any,
            required: false,
            default: None,
            description: "",
        }
    }

    /// The same, required.
    pub const fn required(self) -> Parameter {
        Parameter {
            required: true,
            ..self
        }
    }

    /// The same, with a default given as JSON text.
    pub const fn or(self, default: &'static str) -> Parameter {
        Parameter {
            default: Some(default),
            ..self
        }
    }
}
