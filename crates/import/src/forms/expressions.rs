//! Parses expressions of SurveyJS and XLSForm to a tree.

/// Maximum depth of nested parentheses.
const MAX_DEPTH: usize = 16;

/// The maximum length of an expression, in bytes.
const MAX_BYTES: usize = 10_000;

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// The answer of the named field.
    Field(String),
    /// The answer of the field that has the expression.
    Itself,
    Text(String),
    List(Vec<String>),
    Call(String, Vec<Expr>),
    /// An operator, its first operand, and its second operand if it has one.
    Op(String, Box<Expr>, Option<Box<Expr>>),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Not(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Field(String),
    Text(String),
    Word(String),
    Symbol(&'static str),
}

/// The symbols, longer ones first.
const SYMBOLS: [&str; 18] = [
    "&&", "||", "==", "<>", "!=", ">=", "<=", "=", ">", "<", "(", ")", "[", "]", ",", "!", ".", "-",
];

/// The operators that are words.
const WORDS: [&str; 9] = [
    "contains",
    "notcontains",
    "anyof",
    "allof",
    "noneof",
    "empty",
    "notempty",
    "equal",
    "notequal",
];

/// Reads an expression, whose fields are `{name}` or `${name}`; `None` if it is unsupported.
pub fn parse(content: &str) -> Option<Expr> {
    if content.len() > MAX_BYTES {
        return None;
    }
    let tokens = tokens(content)?;
    let mut parser = Parser { tokens: &tokens };
    let parsed = parser.any(0)?;
    parser.tokens.is_empty().then_some(parsed)
}

fn tokens(content: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    // Spreadsheets replace straight quotes while people type.
    let straight = content
        .replace(['\u{2018}', '\u{2019}'], "'")
        .replace(['\u{201c}', '\u{201d}'], "\"");
    let mut rest = straight.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..)?;
        if let Some(name) = rest.strip_prefix("${").or_else(|| rest.strip_prefix('{')) {
            let (name, next) = name.split_once('}')?;
            found.push(Token::Field(name.trim().to_owned()));
            rest = next;
        } else if matches!(first, '\'' | '"') {
            let (text, next) = after.split_once(first)?;
            found.push(Token::Text(text.to_owned()));
            rest = next;
        } else if first.is_alphanumeric() || first == '_' {
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':');
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (word, next) = rest.split_at_checked(end)?;
            found.push(Token::Word(word.to_owned()));
            rest = next;
        } else {
            let symbol = SYMBOLS
                .into_iter()
                .find(|symbol| rest.starts_with(symbol))?;
            found.push(Token::Symbol(symbol));
            rest = rest.strip_prefix(symbol)?;
        }
        rest = rest.trim_start();
    }
    Some(found)
}

struct Parser<'t> {
    tokens: &'t [Token],
}

impl Parser<'_> {
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }

    fn takes(&mut self, symbol: &str, word: &str) -> bool {
        let is_it = match self.tokens.first() {
            Some(Token::Symbol(found)) => *found == symbol,
            Some(Token::Word(found)) => !word.is_empty() && found.eq_ignore_ascii_case(word),
            _ => false,
        };
        if is_it {
            self.next();
        }
        is_it
    }

    fn any(&mut self, depth: usize) -> Option<Expr> {
        let mut all = vec![self.all(depth)?];
        while self.takes("||", "or") {
            all.push(self.all(depth)?);
        }
        if all.len() > 1 {
            Some(Expr::Any(all))
        } else {
            all.pop()
        }
    }

    fn all(&mut self, depth: usize) -> Option<Expr> {
        let mut all = vec![self.negation(depth)?];
        while self.takes("&&", "and") {
            all.push(self.negation(depth)?);
        }
        if all.len() > 1 {
            Some(Expr::All(all))
        } else {
            all.pop()
        }
    }

    fn negation(&mut self, depth: usize) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.takes("!", "not") {
            return Some(Expr::Not(Box::new(self.negation(depth + 1)?)));
        }
        self.comparison(depth)
    }

    fn comparison(&mut self, depth: usize) -> Option<Expr> {
        let left = self.operand(depth)?;
        let operator = match self.tokens.first() {
            Some(Token::Symbol(symbol))
                if matches!(*symbol, "=" | "==" | "<>" | "!=" | ">" | "<" | ">=" | "<=") =>
            {
                if *symbol == "==" { "=" } else { symbol }.to_owned()
            }
            Some(Token::Word(word)) if WORDS.contains(&word.to_ascii_lowercase().as_str()) => {
                word.to_ascii_lowercase()
            }
            _ => return Some(left),
        };
        self.next();
        let right = if matches!(operator.as_str(), "empty" | "notempty") {
            None
        } else {
            Some(Box::new(self.operand(depth)?))
        };
        Some(Expr::Op(operator, Box::new(left), right))
    }

    fn operand(&mut self, depth: usize) -> Option<Expr> {
        match self.next()? {
            Token::Field(name) => Some(Expr::Field(name)),
            Token::Text(text) => Some(Expr::Text(text)),
            Token::Symbol(".") => Some(Expr::Itself),
            Token::Symbol("-") => match self.next()? {
                Token::Word(word) => Some(Expr::Text(["-", &word].concat())),
                _ => None,
            },
            Token::Symbol("(") => {
                let inner = self.any(depth + 1)?;
                self.takes(")", "").then_some(inner)
            }
            Token::Symbol("[") => self.list(),
            Token::Symbol(_) => None,
            Token::Word(word) if self.takes("(", "") => {
                let mut given = Vec::new();
                while !self.takes(")", "") {
                    if !given.is_empty() && !self.takes(",", "") {
                        return None;
                    }
                    given.push(self.any(depth + 1)?);
                }
                Some(Expr::Call(word, given))
            }
            Token::Word(word) => Some(Expr::Text(word)),
        }
    }

    fn list(&mut self) -> Option<Expr> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Token::Symbol("]") => return Some(Expr::List(items)),
                Token::Symbol(",") => {}
                Token::Text(text) | Token::Word(text) => items.push(text),
                _ => return None,
            }
        }
    }
}
