//! The trees of expressions.
//!
//! The precedence, from the loosest: `or`, `and`, `not`, one comparison, `&`, `+ -`, `* /`, `-x`, `^`, `x%`, and
//! numbers, texts, names and calls. Words and functions may be in upper or lower case; names must match exactly.

use serde_json::Value;

use super::decimal;
use crate::ordered::Gather;

/// A node of an expression's tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number.
    Number(i128),
    /// A text.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// The name of a field or of its part; the value is the answer.
    Name(String),
    /// An operator or a function with its arguments.
    Call(&'static str, Vec<Node>),
}

/// The functions that compute one value from several: from the rows of a repeating group, or from their arguments.
pub const OF_ROWS: [&str; 5] = ["sum", "avg", "min", "max", "count"];

impl Node {
    /// The tree as JSON, for the visitor's script: calls and names as lists, numbers in objects.
    pub fn json(&self) -> Value {
        match self {
            Node::Number(number) => {
                let number = ("n".to_owned(), Value::from(decimal::text_of(*number, None)));
                Value::Object([number].into_iter().gather())
            }
            Node::Text(text) => Value::from(text.as_str()),
            Node::Bool(is_true) => Value::Bool(*is_true),
            Node::Name(name) => Value::Array(vec!["".into(), name.as_str().into()]),
            Node::Call(function, arguments) => {
                let arguments = arguments.iter().map(Node::json);
                std::iter::once(Value::from(*function))
                    .chain(arguments)
                    .collect()
            }
        }
    }

    /// Applies `visit` to the node and all below it.
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        visit(self);
        if let Node::Call(_, arguments) = self {
            arguments.iter().for_each(|argument| argument.walk(visit));
        }
    }
}
