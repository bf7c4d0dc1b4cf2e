//! The HTML standard's tokenization
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tokenization>) of a document that is
//! whole in memory: each state is a search for the byte that leaves it. Nothing is decoded,
//! copied or changed; what a token's bytes mean is for its reader to say.
//!
//! What the standard's tree construction tells its tokenizer (which elements hold no markup, what
//! is SVG) comes from the tags alone, so that documents are read alike with and without a tree.

use super::attributes::{self, Room, find_near, is_space, tag_name};
use super::foreign::Foreign;
use super::tag::Tag;
use super::tokens::{StartTag, TokenSink};

/// Reads a document to its end, in time linear in its length.
pub fn read<'a>(html: &'a str, sink: &mut impl TokenSink<'a>) {
    let tokenizer = Tokenizer {
        html,
        sink,
        told: 0,
        attributes: Room::default(),
        foreign: Foreign::default(),
    };
    tokenizer.run();
}

struct Tokenizer<'a, 's, S> {
    html: &'a str,
    sink: &'s mut S,
    /// Everything before this offset has been handed on.
    told: usize,
    /// The attributes of the current tag, kept for their allocation.
    attributes: Room<'a>,
    foreign: Foreign,
}

impl<'a, S: TokenSink<'a>> Tokenizer<'a, '_, S> {
    fn run(mut self) {
        let mut searched = 0;
        while let Some(open) = self.find(b'<', searched) {
            let second = self.byte(open + 1);
            let third = self.byte(open + 2);
            let end = match (second, third) {
                (Some(b'!' | b'?'), _) => Some(self.comment(open)),
                (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => self.end_tag(open),
                (Some(b'/'), Some(_)) => Some(self.comment(open)),
                (Some(b'a'..=b'z' | b'A'..=b'Z'), _) => self.start_tag(open),
                _ => {
                    searched = open + 1;
                    continue;
                }
            };
            // Where the input ends within a tag, there is no tag, and nothing behind it.
            let Some(end) = end else { return };
            searched = end;
        }
        self.text_before(self.html.len());
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.html.as_bytes().get(at).copied()
    }

    fn find(&self, byte: u8, from: usize) -> Option<usize> {
        let found = find_near(byte, self.html.as_bytes().get(from..)?)?;
        Some(from + found)
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.html.get(start..end).unwrap_or_default()
    }

    /// Hands on the text up to the offset.
    fn text_before(&mut self, end: usize) {
        let start = std::mem::replace(&mut self.told, end);
        if start < end {
            self.sink.text(self.slice(start, end), start..end);
        }
    }

    fn comment(&mut self, open: usize) -> usize {
        self.text_before(open);
        let end = comment_end(self.html, open, self.foreign.is_current());
        self.told = end;
        self.sink.comment(open..end);
        end
    }

    fn end_tag(&mut self, open: usize) -> Option<usize> {
        self.text_before(open);
        let name = tag_name(self.html, open + 2)?;
        let (end, _) = attributes::read(self.html, open + 2 + name.len(), &mut self.attributes)?;
        self.told = end;
        if !self.foreign.is_around() {
            self.sink.end_tag(name, open..end);
            return Some(end);
        }
        let is_of_html = self.foreign.end(name);
        if is_of_html || !self.foreign.is_around() {
            self.sink.foreign(false);
        }
        let has_ended = self.sink.end_tag(name, open..end);
        if is_of_html && has_ended {
            self.foreign.leave();
        }
        if is_of_html && self.foreign.is_around() {
            self.sink.foreign(true);
        }
        Some(end)
    }

    fn start_tag(&mut self, open: usize) -> Option<usize> {
        self.text_before(open);
        let name = tag_name(self.html, open + 1)?;
        let behind_name = open + 1 + name.len();
        let (end, is_self_closing) =
            attributes::read(self.html, behind_name, &mut self.attributes)?;
        self.told = end;
        let tag = Tag::of(name);
        let attributes = self.attributes.attributes(self.html);
        let was_around = self.foreign.is_around();
        let is_foreign = self.foreign.start(tag, name, attributes, is_self_closing);
        if was_around && !self.foreign.is_around() {
            self.sink.foreign(false);
        }
        self.sink.start_tag(&StartTag {
            tag,
            name,
            attributes,
            span: open..end,
            is_foreign: is_foreign || self.foreign.is_around(),
        });
        if !was_around && self.foreign.is_around() {
            self.sink.foreign(true);
        }
        if is_foreign || !tag.holds_raw_text() {
            return Some(end);
        }
        let content = self.html.as_bytes().get(end..).unwrap_or_default();
        let end = end + raw_text_length(content, tag, name.as_bytes());
        self.text_before(end);
        Some(end)
    }
}

/// The offset behind a comment, or behind what browsers read as one.
fn comment_end(html: &str, open: usize, knows_character_data: bool) -> usize {
    let rest = html.as_bytes().get(open..).unwrap_or_default();
    let length = if knows_character_data && rest.starts_with(b"<![CDATA[") {
        memchr::memmem::find(rest, b"]]>").map(|found| found + 3)
    } else if let Some(content) = rest.strip_prefix(b"<!--") {
        comment_length(content).map(|length| length + 4)
    } else {
        memchr::memchr(b'>', rest).map(|found| found + 1)
    };
    length.map_or(html.len(), |length| open + length)
}

/// How long a comment is from behind its `<!--` on; none when it does not end.
fn comment_length(content: &[u8]) -> Option<usize> {
    for empty in [&b">"[..], b"->"] {
        if content.starts_with(empty) {
            return Some(empty.len());
        }
    }
    let ends = |found: &usize| {
        let before = content.get(..*found).unwrap_or_default();
        before.ends_with(b"--") || before.ends_with(b"--!")
    };
    let found = memchr::memchr_iter(b'>', content).find(ends)?;
    Some(found + 1)
}

/// How much of the text behind a start tag is the element's, up to its end tag.
fn raw_text_length(content: &[u8], tag: Tag, name: &[u8]) -> usize {
    let ends = |at: usize| {
        let rest = content.get(at + 1..).unwrap_or_default();
        rest.strip_prefix(b"/")
            .is_some_and(|rest| is_tag_name(rest, name))
    };
    let length = match tag {
        Tag::Plaintext => None,
        Tag::Script => script_length(content),
        _ => memchr::memchr_iter(b'<', content).find(|at| ends(*at)),
    };
    length.unwrap_or(content.len())
}

/// Whether the bytes begin with a tag's whole name, in any case.
fn is_tag_name(bytes: &[u8], name: &[u8]) -> bool {
    bytes
        .split_at_checked(name.len())
        .is_some_and(|(start, rest)| {
            let is_whole = rest
                .first()
                .is_some_and(|next| is_space(*next) || matches!(next, b'/' | b'>'));
            is_whole && start.eq_ignore_ascii_case(name)
        })
}

/// A script ends at its end tag, but not within `<!-- <script> … </script>` (the standard's script
/// data states).
fn script_length(content: &[u8]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Plain,
        /// Behind a `<!--`, which begins at that offset.
        Escaped(usize),
        /// In a script within that.
        DoubleEscaped(usize),
    }
    let mut state = State::Plain;
    for at in memchr::memchr2_iter(b'<', b'>', content) {
        let rest = content.get(at..).unwrap_or_default();
        let closes = rest
            .strip_prefix(b"</")
            .is_some_and(|name| is_tag_name(name, b"script"));
        let opens = rest
            .strip_prefix(b"<")
            .is_some_and(|name| is_tag_name(name, b"script"));
        let before = content.get(..at).unwrap_or_default();
        let ends_comment = rest.starts_with(b">") && before.ends_with(b"--");
        state = match state {
            State::Plain | State::Escaped(_) if closes => return Some(at),
            State::Plain if rest.starts_with(b"<!--") => State::Escaped(at),
            State::Escaped(start) if opens => State::DoubleEscaped(start),
            State::DoubleEscaped(start) if closes => State::Escaped(start),
            // The dashes may be those of the `<!--`.
            State::Escaped(start) | State::DoubleEscaped(start)
                if ends_comment && at >= start + 4 =>
            {
                State::Plain
            }
            state => state,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    #[derive(Default)]
    struct Log(String);

    impl<'a> TokenSink<'a> for Log {
        fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
            self.0 += &format!("<{}", tag.name);
            for attribute in tag.attributes.iter() {
                self.0 += &format!(" {}={}", attribute.name, attribute.value());
            }
            self.0 += ">";
        }
        fn end_tag(&mut self, name: &'a str, _span: Range<usize>) -> bool {
            self.0 += &format!("</{name}>");
            false
        }
        fn text(&mut self, raw: &'a str, _span: Range<usize>) {
            self.0 += &format!("[{raw}]");
        }
        fn comment(&mut self, _span: Range<usize>) {
            self.0 += "!";
        }
    }

    fn tokens(html: &str) -> String {
        let mut log = Log::default();
        read(html, &mut log);
        log.0
    }

    #[test]
    fn every_token_is_given_in_its_place() {
        for (html, expected) in [
            ("a<b>c</b>d", "[a]<b>[c]</b>[d]"),
            ("</p></br><p></DIV ></p", "</p></br><p></DIV>"),
            ("</a title='>\">'>x", "</a>[x]"),
            ("</a title=x'>x", "</a>[x]"),
            ("<p><i x=1 y='2' z Q=\"&lt;\">", "<p><i x=1 y=2 z= Q=<>"),
            ("<!-- </x> --></y><!DOCTYPE html><?php ?>", "!</y>!!"),
            (
                "<textarea></b>\n&lt;</textarea>",
                "<textarea>[</b>\n&lt;]</textarea>",
            ),
            ("<script>'</p>'</script>", "<script>['</p>']</script>"),
            ("a < b </ c></3>", "[a < b ]!!"),
            ("<", "[<]"),
            ("a</", "[a</]"),
            (
                "a<!-->b<!--->c<!-- <p> --!>d<!x>e<!--f",
                "[a]![b]![c]![d]![e]!",
            ),
            ("<title><b></TITLE ><b>", "<title>[<b>]</TITLE><b>"),
            ("<plaintext></plaintext>", "<plaintext>[</plaintext>]"),
            ("<div><a title=\"</form>", "<div>"),
            ("<svg><![CDATA[</b>]]></svg>x", "<svg>!</svg>[x]"),
            (
                "<option>A<option>B</select>",
                "<option>[A]<option>[B]</select>",
            ),
            ("é<é>ü</é>", "[é<é>ü]!"),
            // The standard's attribute states.
            ("<a =b c = d e='f'g/h=i/>", "<a =b= c=d e=f g= h=i/>"),
            ("<a b=>c<a b= >", "<a b=>[c]<a b=>"),
            ("<a b\n=\n\"\nc\" / d>", "<a b=\nc d=>"),
            ("<br/><a b=c'd\"<e>", "<br><a b=c'd\"<e>"),
            ("<a b='c>\"", ""),
            ("x<a", "[x]"),
            ("x</a b='>", "[x]"),
            // Its script data states.
            (
                "<script><!-- <script></script> --></script>x",
                "<script>[<!-- <script></script> -->]</script>[x]",
            ),
            (
                "<script><!-- </script>x--></script>",
                "<script>[<!-- ]</script>[x-->]</script>",
            ),
            (
                "<script><!--><script></script>x",
                "<script>[<!--><script>]</script>[x]",
            ),
            (
                "<script><!-- <scripted></script>x",
                "<script>[<!-- <scripted>]</script>[x]",
            ),
            (
                "<script></scripted></SCRIPT/>x",
                "<script>[</scripted>]</SCRIPT>[x]",
            ),
            ("<style><!--</style>-->", "<style>[<!--]</style>[-->]"),
            ("<textarea></textarea", "<textarea>[</textarea]"),
            // SVG and MathML.
            ("<svg><style><b></style>", "<svg><style><b></style>"),
            ("<svg/><style><b></style>", "<svg><style>[<b>]</style>"),
            (
                "<svg><desc><style><b></style>",
                "<svg><desc><style>[<b>]</style>",
            ),
            ("<svg><p><![CDATA[>]]>", "<svg><p>![]]>]"),
            (
                "<math><mi><title><i></title></mi><title><i>",
                "<math><mi><title>[<i>]</title></mi><title><i>",
            ),
        ] {
            assert_eq!(tokens(html), expected, "{html}");
        }
    }

    #[test]
    fn hostile_input_is_read_in_bounded_time() {
        for html in [
            "<div>".repeat(200_000),
            "<".repeat(1_000_000),
            format!("<input {}>", "a=b ".repeat(100_000)),
            "<b></i>".repeat(200_000),
            "\0".repeat(1_000_000),
        ] {
            read(&html, &mut Log::default());
        }
    }
}
