//! Conversion of an HTML template to plain text, for the text part of a mail.

/// Converts an HTML template to plain text: tags become line breaks, spaces, dashes of list items or nothing, and links
/// keep their URL in parentheses. Answers are filled in afterwards, so that no part of an answer is parsed as a tag.
pub fn plain_template(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    let mut address = None;
    while let Some((before, tag_on)) = rest.split_once('<') {
        push_words(&mut text, before);
        let Some((tag, after)) = tag_on.split_once('>') else {
            rest = "";
            break;
        };
        rest = after;
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .map(|character| character.to_ascii_lowercase())
            .collect();
        match (name.as_str(), tag.starts_with('/')) {
            ("a", false) => address = link_address(tag),
            ("a", true) => {
                if let Some(address) = address.take().filter(|address| !text.ends_with(address)) {
                    text.push_str(&format!(" ({address})"));
                }
            }
            ("style" | "script" | "head", false) => {
                let end = format!("</{name}");
                let skipped = rest.to_ascii_lowercase();
                let at = skipped.find(&end).unwrap_or(rest.len());
                rest = rest.get(at..).unwrap_or_default();
            }
            ("li", false) => {
                break_line(&mut text);
                text.push_str("- ");
            }
            ("br", _) => text.push('\n'),
            ("p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table" | "ul" | "ol", true) => {
                break_line(&mut text);
                text.push('\n');
            }
            ("td" | "th", true) => text.push(' '),
            ("div" | "tr" | "li" | "p", _) => break_line(&mut text),
            _ => {}
        }
    }
    push_words(&mut text, rest);
    text.trim().to_owned()
}

/// Adds text with collapsed white space and decoded common entities.
fn push_words(text: &mut String, html: &str) {
    if html.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
    let words: Vec<&str> = html.split_whitespace().collect();
    let joined = words
        .join(" ")
        .replace("&nbsp;", " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    text.push_str(&joined);
    if !words.is_empty() && html.ends_with(char::is_whitespace) {
        text.push(' ');
    }
}

fn break_line(text: &mut String) {
    while text.ends_with(' ') {
        text.pop();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

fn link_address(tag: &str) -> Option<String> {
    let (_, value) = tag.split_once("href=")?;
    let quote = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))?;
    let address = value.get(1..)?.split(quote).next()?;
    (!address.is_empty() && !address.starts_with('#')).then(|| address.replace("&amp;", "&"))
}
