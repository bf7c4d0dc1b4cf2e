//! Parses the text of expressions into trees.

use std::ops::Range;

use super::decimal;
use super::syntax::Node;

/// The longest expression, in characters.
const MAX_CHARS: usize = 2_000;

/// The maximum number of nodes of a tree.
const MAX_NODES: usize = 500;

/// The deepest nesting of parentheses, arguments and prefix operators.
const MAX_DEPTH: usize = 32;

/// The functions, each with the minimum and maximum number of arguments.
pub const FUNCTIONS: [(&str, usize, usize); 35] = [
    ("if", 2, 3),
    ("switch", 3, MAX_NODES),
    ("tier", 3, MAX_NODES),
    ("default", 2, 2),
    ("is_empty", 1, 1),
    ("sum", 1, MAX_NODES),
    ("avg", 1, MAX_NODES),
    ("min", 1, MAX_NODES),
    ("max", 1, MAX_NODES),
    ("count", 1, MAX_NODES),
    ("row", 0, 0),
    ("round", 1, 2),
    ("floor", 1, 2),
    ("ceil", 1, 2),
    ("abs", 1, 1),
    ("mod", 2, 2),
    ("number", 1, 1),
    ("text", 1, 2),
    ("len", 1, 1),
    ("weight", 1, 1),
    ("label", 1, 1),
    ("has", 2, 2),
    ("rank", 2, 2),
    ("mode", 1, MAX_NODES),
    ("today", 0, 0),
    ("date", 3, 3),
    ("year", 1, 1),
    ("month", 1, 1),
    ("day", 1, 1),
    ("weekday", 1, 1),
    ("days", 2, 2),
    ("months", 2, 2),
    ("years", 2, 2),
    ("add_months", 2, 2),
    ("hours", 2, 2),
];

/// The binary operators of each level of precedence, the loosest first. Each operator has its sign and the name of
/// its function.
const LEVELS: [&[(&str, &str)]; 6] = [
    &[("or", "or")],
    &[("and", "and")],
    &[
        ("==", "="),
        ("<>", "!="),
        ("!=", "!="),
        ("<=", "<="),
        (">=", ">="),
        ("=", "="),
        ("<", "<"),
        (">", ">"),
    ],
    &[("&", "&")],
    &[("+", "+"), ("-", "-")],
    &[("*", "*"), ("/", "/")],
];

/// The level of comparisons, which cannot be chained. `not` binds more loosely than a comparison.
const COMPARISONS: usize = 2;

impl Node {
    /// Parses an expression. The error states the fault and its position in UTF-16 units: `unexpected end at 3`.
    pub fn parse(text: &str) -> Result<Node, String> {
        let mut parser = Parser::of(text);
        if text.chars().count() > MAX_CHARS {
            return Err(format!("at most {MAX_CHARS} characters"));
        }
        parser.whole().map_err(|(what, at)| {
            let before = text.get(..at).unwrap_or(text);
            format!("{what} at {}", before.encode_utf16().count())
        })
    }

    /// Changes the names in an expression. `change` returns the new spelling of a name, or `None` to keep the name.
    pub fn with_names(text: &str, change: &dyn Fn(&str) -> Option<String>) -> String {
        let mut parser = Parser::of(text);
        let mut changed = text.to_owned();
        if parser.level(0).is_ok() {
            for (span, name) in parser.names.iter().rev() {
                if let Some(name) = change(name) {
                    changed.replace_range(span.clone(), &name);
                }
            }
        }
        changed
    }

    /// Writes a name for an expression: between brackets, unless the parser reads the bare name as the same name.
    pub fn written(name: &str) -> String {
        match Node::parse(name) {
            Ok(Node::Name(read)) if read == name && !name.starts_with('[') => name.to_owned(),
            _ => format!("[{name}]"),
        }
    }
}

/// A fault of an expression, and its position in bytes.
type Fault = (&'static str, usize);

/// The parser of one expression.
struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: usize,
    depth: usize,
    /// The names so far, with their byte ranges.
    names: Vec<(Range<usize>, String)>,
}

impl<'t> Parser<'t> {
    fn of(text: &'t str) -> Parser<'t> {
        Parser {
            text,
            at: 0,
            nodes: 0,
            depth: 0,
            names: Vec::new(),
        }
    }

    /// Parses the whole text.
    fn whole(&mut self) -> Result<Node, Fault> {
        let tree = self.level(0)?;
        self.skip_space();
        if self.rest().is_empty() {
            Ok(tree)
        } else {
            Err(("unexpected", self.at))
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Counts and returns a node; an expression with too many nodes is a fault.
    fn node(&mut self, node: Node) -> Result<Node, Fault> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            Err(("too long", self.at))
        } else {
            Ok(node)
        }
    }

    fn call(&mut self, function: &'static str, arguments: Vec<Node>) -> Result<Node, Fault> {
        self.node(Node::Call(function, arguments))
    }

    /// Consumes a sign or a word, in upper or lower case, if the rest begins with it.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let start = self.rest().get(..sign.len());
        let is_word = sign.starts_with(|c: char| c.is_ascii_alphabetic());
        let after = self.rest().get(sign.len()..).unwrap_or_default();
        let found = start.is_some_and(|start| start.eq_ignore_ascii_case(sign))
            && !(is_word && after.starts_with(is_of_name));
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Parses a nested part of the expression; a part that is nested too deeply is a fault.
    fn nested(&mut self, read: fn(&mut Self) -> Result<Node, Fault>) -> Result<Node, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(("too deep", self.at));
        }
        let node = read(self);
        self.depth -= 1;
        node
    }

    fn level(&mut self, level: usize) -> Result<Node, Fault> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        if level == COMPARISONS && self.takes("not") {
            let operand = self.nested(|parser| parser.level(COMPARISONS))?;
            return self.call("not", vec![operand]);
        }
        let mut left = self.level(level + 1)?;
        while let Some((_, function)) = operators.iter().find(|(sign, _)| self.takes(sign)) {
            let right = self.level(level + 1)?;
            left = self.call(function, vec![left, right])?;
            if level == COMPARISONS {
                break;
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, Fault> {
        if self.takes("-") {
            let operand = self.nested(Parser::unary)?;
            return self.call("neg", vec![operand]);
        }
        let base = self.percent()?;
        if !self.takes("^") {
            return Ok(base);
        }
        let exponent = self.nested(Parser::unary)?;
        self.call("^", vec![base, exponent])
    }

    fn percent(&mut self) -> Result<Node, Fault> {
        let mut node = self.primary()?;
        while self.takes("%") {
            node = self.call("%", vec![node])?;
        }
        Ok(node)
    }

    fn primary(&mut self) -> Result<Node, Fault> {
        self.skip_space();
        let (at, rest) = (self.at, self.rest());
        let Some(first) = rest.chars().next() else {
            return Err(("unexpected end", at));
        };
        if first == '(' {
            self.at += 1;
            let node = self.nested(|parser| parser.level(0))?;
            return if self.takes(")") {
                Ok(node)
            } else {
                Err(self.unexpected())
            };
        }
        if first.is_ascii_digit() || first == '.' {
            let length = rest
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(rest.len());
            let number = rest
                .get(..length)
                .and_then(decimal::parse)
                .ok_or(("not a number", at))?;
            self.at += length;
            return self.node(Node::Number(number));
        }
        if first == '\'' || first == '"' {
            return self.quoted(first);
        }
        self.named(first)
    }

    /// Parses a name, a literal `true` or `false`, or a call. `first` is its first character.
    fn named(&mut self, first: char) -> Result<Node, Fault> {
        let at = self.at;
        let mut name = String::new();
        if first == '[' {
            name.push_str(self.bracketed().ok_or(("name without end", at))?);
        } else if first == '_' || first.is_alphabetic() {
            name.push_str(self.word());
            if self.takes("(") {
                return self.function(&name, at);
            }
            for is_true in [true, false] {
                if name.eq_ignore_ascii_case(if is_true { "true" } else { "false" }) {
                    return self.node(Node::Bool(is_true));
                }
            }
            if ["and", "or", "not"]
                .iter()
                .any(|word| name.eq_ignore_ascii_case(word))
            {
                return Err(("unexpected", at));
            }
        } else {
            return Err(("unexpected", at));
        }
        while self
            .rest()
            .strip_prefix('.')
            .is_some_and(|part| part.starts_with(is_of_name))
        {
            self.at += 1;
            name.push('.');
            name.push_str(self.word());
        }
        self.names.push((at..self.at, name.clone()));
        self.node(Node::Name(name))
    }

    fn unexpected(&self) -> Fault {
        (
            if self.rest().is_empty() {
                "unexpected end"
            } else {
                "unexpected"
            },
            self.at,
        )
    }

    /// Consumes the word at the current position.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let word = rest.get(..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len()));
        let word = word.unwrap_or_default();
        self.at += word.len();
        word
    }

    /// Consumes a name between brackets. The name may contain pairs of brackets.
    fn bracketed(&mut self) -> Option<&'t str> {
        let (start, mut open) = (self.at + 1, 0);
        for (index, c) in self.rest().char_indices() {
            open += match c {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            if open == 0 {
                let name = self.text.get(start..self.at + index)?.trim();
                self.at += index + 1;
                return (!name.is_empty()).then_some(name);
            }
        }
        None
    }

    /// Parses a text between quotes. A doubled quote stands for a single one.
    fn quoted(&mut self, quote: char) -> Result<Node, Fault> {
        let (start, mut text) = (self.at, String::new());
        self.at += 1;
        loop {
            let length = self.rest().find(quote).ok_or(("text without end", start))?;
            text.push_str(self.rest().get(..length).unwrap_or_default());
            self.at += length + 1;
            if !self.rest().starts_with(quote) {
                return self.node(Node::Text(text));
            }
            text.push(quote);
            self.at += 1;
        }
    }

    /// Parses a call after its opening parenthesis.
    fn function(&mut self, name: &str, at: usize) -> Result<Node, Fault> {
        let mut known = FUNCTIONS.iter();
        let known = known.find(|(known, ..)| name.eq_ignore_ascii_case(known));
        let Some(&(function, least, most)) = known else {
            return Err(("unknown function", at));
        };
        let mut arguments = Vec::new();
        if !self.takes(")") {
            loop {
                arguments.push(self.nested(|parser| parser.level(0))?);
                if self.takes(")") {
                    break;
                }
                if !self.takes(",") && !self.takes(";") {
                    return Err(self.unexpected());
                }
            }
        }
        if !(least..=most).contains(&arguments.len()) {
            return Err(("arguments", self.at));
        }
        self.call(function, arguments)
    }
}

/// Whether a character may be part of a name without brackets.
fn is_of_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
