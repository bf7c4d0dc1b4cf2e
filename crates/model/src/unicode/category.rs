//! General categories and scripts of characters.

use std::sync::LazyLock;

use super::Numbers;

/// The short and long names of the general categories. The categories of a group, such as `L`, are adjacent.
pub const CATEGORIES: [(&str, &str); 30] = [
    ("Lu", "Uppercase_Letter"),
    ("Ll", "Lowercase_Letter"),
    ("Lt", "Titlecase_Letter"),
    ("Lm", "Modifier_Letter"),
    ("Lo", "Other_Letter"),
    ("Mn", "Nonspacing_Mark"),
    ("Mc", "Spacing_Mark"),
    ("Me", "Enclosing_Mark"),
    ("Nd", "Decimal_Number"),
    ("Nl", "Letter_Number"),
    ("No", "Other_Number"),
    ("Pc", "Connector_Punctuation"),
    ("Pd", "Dash_Punctuation"),
    ("Ps", "Open_Punctuation"),
    ("Pe", "Close_Punctuation"),
    ("Pi", "Initial_Punctuation"),
    ("Pf", "Final_Punctuation"),
    ("Po", "Other_Punctuation"),
    ("Sm", "Math_Symbol"),
    ("Sc", "Currency_Symbol"),
    ("Sk", "Modifier_Symbol"),
    ("So", "Other_Symbol"),
    ("Zs", "Space_Separator"),
    ("Zl", "Line_Separator"),
    ("Zp", "Paragraph_Separator"),
    ("Cc", "Control"),
    ("Cf", "Format"),
    ("Cs", "Surrogate"),
    ("Co", "Private_Use"),
    ("Cn", "Unassigned"),
];

/// A set of general categories, with a bit for each category in the order of [`CATEGORIES`].
pub type CategorySet = u32;

/// `Mn`, `Mc` and `Me`.
const MARKS: CategorySet = 0b111 << 5;

/// `L`, `M` and `Nd`: the characters of words.
const LETTERS_MARKS_DIGITS: CategorySet = 0b1_1111_1111;

/// The runs of characters of one category. Each number is the first character times 32, plus the category's position.
static RUNS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut numbers = Numbers::of(include_bytes!("categories.bin"));
    let mut runs = Vec::new();
    let mut first = 0;
    while !numbers.is_at_end() {
        let byte = numbers.byte();
        runs.push(first * 32 + u32::from(byte % 32));
        first += match byte / 32 {
            7 => numbers.number(),
            length => u32::from(length) + 1,
        };
    }
    runs
});

/// The position of a character's general category in [`CATEGORIES`].
pub fn category(c: char) -> u32 {
    let behind = RUNS.partition_point(|run| run / 32 <= u32::from(c));
    let run = behind.checked_sub(1).and_then(|at| RUNS.get(at));
    run.map_or(0, |run| run % 32)
}

/// Whether a character's general category is in a set.
pub fn is_in(c: char, set: CategorySet) -> bool {
    set >> category(c) & 1 == 1
}

/// Whether a character is an invisible format character, such as one that sets the direction of other characters.
pub fn is_format(c: char) -> bool {
    !c.is_ascii() && is_in(c, 1 << 26)
}

/// Whether a character is a mark, such as an accent that combines with the letter before it.
pub fn is_mark(c: char) -> bool {
    c >= '\u{300}' && is_in(c, MARKS)
}

/// Whether a character is a letter, a mark or a decimal digit of any script.
pub fn is_of_word(c: char) -> bool {
    is_in(c, LETTERS_MARKS_DIGITS)
}

/// A script with the ranges of its characters. Each range has its first character, and the character after its last
/// character.
#[derive(Debug)]
pub struct Script {
    /// The long name and the ISO 15924 code, such as `Latin Latn`.
    names: String,
    ranges: Vec<(u32, u32)>,
}

static SCRIPTS: LazyLock<Vec<Script>> = LazyLock::new(|| {
    let mut numbers = Numbers::of(include_bytes!("scripts.bin"));
    let mut scripts = Vec::new();
    while !numbers.is_at_end() {
        let length = numbers.byte();
        let names = numbers.text(length);
        let mut end = 0;
        let ranges = (0..numbers.number()).map(|_| {
            let first = end + numbers.number();
            end = first + numbers.number();
            (first, end)
        });
        let ranges = ranges.collect();
        scripts.push(Script { names, ranges });
    }
    scripts
});

impl Script {
    /// The script that has this long name or ISO 15924 code.
    pub fn named(name: &str) -> Option<&'static Script> {
        let mut scripts = SCRIPTS.iter();
        scripts.find(|script| script.names.split(' ').any(|known| known == name))
    }

    /// Whether a character belongs to the script.
    pub fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        let at = self.ranges.partition_point(|(_, end)| *end <= c);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= c)
    }
}
