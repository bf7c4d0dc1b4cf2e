//! Slugs: the readable part of a form's public address.

use crate::unicode::case::each_lower;

/// The longest slug, in characters (all of them ASCII).
pub const MAX_SLUG_CHARS: usize = 100;

/// The slug of a title without any Latin letter or digit.
const FALLBACK: &str = "form";

/// Makes a slug from a title. Most Latin letters with accents become ASCII letters. Each run of characters without an
/// ASCII spelling becomes one dash. The slug has no dash at its ends. A title without Latin letters and digits becomes
/// `form`.
pub fn slug_of(title: &str) -> String {
    let mut slug = String::new();
    // An apostrophe does not separate words.
    let letters = title.chars().filter(|c| !matches!(c, '\'' | '’'));
    for character in letters {
        let start = slug.len();
        push_ascii(&mut slug, character);
        if slug.len() == start && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() > MAX_SLUG_CHARS {
            slug.truncate(start);
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { FALLBACK } else { slug }.to_owned()
}

/// Adds a number to a slug that is already taken, as in `contact-2`. The result has at most [`MAX_SLUG_CHARS`]
/// characters.
pub fn numbered_slug(slug: &str, number: u64) -> String {
    let suffix = format!("-{number}");
    let room = MAX_SLUG_CHARS.saturating_sub(suffix.len());
    let kept: String = slug.chars().take(room).collect();
    format!("{}{suffix}", kept.trim_end_matches('-'))
}

/// Whether a client's slug is valid: lower-case ASCII letters, digits, `-` and `_`, with a letter or digit at both
/// ends, at most [`MAX_SLUG_CHARS`]. Thus no slug is `-`, which is reserved for addresses of the front.
pub fn is_slug(slug: &str) -> bool {
    let is_edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    slug.len() <= MAX_SLUG_CHARS
        && slug.starts_with(is_edge)
        && slug.ends_with(is_edge)
        && slug.chars().all(|c| is_edge(c) || matches!(c, '-' | '_'))
}

/// Appends the ASCII spelling of a Latin letter or digit; appends nothing for any other character.
fn push_ascii(slug: &mut String, character: char) {
    each_lower(character, &mut |lower| {
        if lower.is_ascii_alphanumeric() {
            slug.push(lower);
        } else {
            slug.push_str(latin(lower));
        }
    });
}

/// The plain spelling of a lower-case letter of Latin-1, Latin Extended-A or Romanian; empty for other letters.
fn latin(letter: char) -> &'static str {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ð' | 'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĳ' => "ij",
        'ĵ' => "j",
        'ķ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ŉ' | 'ŋ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    }
}
