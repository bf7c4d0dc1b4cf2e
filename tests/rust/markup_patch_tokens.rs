//! The tags and words of a document, told apart without the engine.

/// A piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token<'a> {
    /// A tag or comment.
    Tag(&'a str),
    /// A word of a text.
    Word(&'a str),
}

/// The tags of a document and the words of its texts, in their order.
pub fn tokens(html: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let text = (0..rest.len()).find(|at| begins_tag(rest, *at));
        let (text, behind) = rest.split_at(text.unwrap_or(rest.len()));
        tokens.extend(text.split_ascii_whitespace().map(Token::Word));
        let (tag, behind) = behind.split_at(tag_end(behind));
        rest = behind;
        if tag.is_empty() {
            continue;
        }
        tokens.push(Token::Tag(tag));
        // What these hold is text.
        let name = name_of(tag);
        if ["textarea", "script", "style", "noscript", "template"].contains(&&*name) {
            let lower = rest.to_ascii_lowercase();
            let close = format!("</{name}");
            let ends = |at: usize| {
                let behind = lower
                    .get(at + close.len()..)
                    .and_then(|rest| rest.chars().next());
                behind.is_some_and(|c| c.is_ascii_whitespace() || "/>".contains(c))
            };
            let mut ends = lower.match_indices(&close).filter(|(at, _)| ends(*at));
            let end = ends.next().map_or(rest.len(), |(at, _)| at);
            let (text, behind) = rest.split_at(end);
            tokens.extend(text.split_ascii_whitespace().map(Token::Word));
            rest = behind;
        }
    }
    tokens
}

/// Whether a tag or comment begins there, as the HTML standard's tokenizer has it: `</` begins an end
/// tag or a bogus comment, but is text at the end of the document.
pub fn begins_tag(html: &str, at: usize) -> bool {
    let Some(rest) = html.get(at..).and_then(|rest| rest.strip_prefix('<')) else {
        return false;
    };
    match rest.strip_prefix('/') {
        Some(name) => !name.is_empty(),
        None => rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '!' | '?')),
    }
}

/// Where the tag or comment ends that a text begins with.
fn tag_end(tag: &str) -> usize {
    let is_named = tag
        .trim_start_matches(['<', '/'])
        .starts_with(|c: char| c.is_ascii_alphabetic());
    let close = |end: &str| tag.find(end).map_or(tag.len(), |at| at + end.len());
    if tag.starts_with("<!--") {
        let short = ["<!-->", "<!--->"]
            .into_iter()
            .find(|short| tag.starts_with(short));
        return short.map_or_else(|| close("-->").min(close("--!>")), str::len);
    }
    if !is_named || tag.starts_with("<!") || tag.starts_with("<?") {
        return close(">");
    }
    let is_space = |c: char| c.is_ascii_whitespace();
    let named = tag.trim_start_matches(['<', '/']);
    let mut rest = named.trim_start_matches(|c| !is_space(c) && c != '/' && c != '>');
    loop {
        rest = rest.trim_start_matches(|c| is_space(c) || c == '/');
        let Some(first) = rest.chars().next() else {
            return tag.len();
        };
        if first == '>' {
            return tag.len() - rest.len() + 1;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        rest = rest.trim_start_matches(|c| !is_space(c) && !"/>=".contains(c));
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start();
        rest = match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => value
                .get(1..)
                .and_then(|value| value.split_once(quote))
                .map_or("", |(_, rest)| rest),
            None => value.trim_start_matches(|c| !is_space(c) && c != '>'),
        };
    }
}

/// What a tag is called, in lower case and with the `/` of an end tag.
pub fn name_of(tag: &str) -> String {
    let tag = tag.trim_start_matches('<').to_ascii_lowercase();
    let is_end = |c: char| c.is_ascii_whitespace() || c == '>';
    let name = tag.split(is_end).next().unwrap_or_default();
    match name.strip_prefix('/') {
        Some(name) => format!("/{name}"),
        None => name.split('/').next().unwrap_or_default().to_owned(),
    }
}
