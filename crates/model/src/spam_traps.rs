//! The names and texts that identify the spam traps of other systems. A spam trap is a control that people do not
//! see.

use crate::unicode::case::lowercase;

/// The names that services define for their traps (Formspree and Getform, FormSubmit, Mailchimp for WordPress). Forms
/// do not use these names for questions.
const SERVICE_NAMES: [&str; 4] = ["_gotcha", "_honey", "_honeypot", "_mc4wp_honeypot"];

/// The names that identify a trap if the control is hidden (`botcheck` is Web3Forms').
const HIDDEN_NAMES: [&str; 3] = ["botcheck", "honeypot", "honey_pot"];

/// Phrases that ask people not to fill in a trap, in lower case and separated by spaces. An underscore is the
/// boundary of a word. The part after a bar must follow within [`MAX_BETWEEN`] bytes.
const TRAP_PHRASES: &str = "\
leave|empty leave|blank leave|unchanged left|empty left|blank left|unchanged keep|empty keep|blank \
n't_fill not_fill n't_enter_anything not_enter_anything n't_type not_type_anything leave|alone ignore_this_field you're|human you_are|human \
lass|leer lass|frei leer_lassen leer_bleiben frei_lassen freilassen nicht_ausf nichts_ein \
laiss|vide laiss|vierge ne_pas_rempl ne_rempl ne_rien_ ne_pas_compl \
laat|leeg laten|leeg leeg_laten leeglaten niet_invullen niet_in_te_vullen vul|niet_in \
lasci|vuot lasci|bianco non_compil non_riemp dej|vac dej|en_blanco no_rellen no_complet no_llen deje_este_campo \
deix|vazi deix|em_branco deixe_este_campo não_preench nao_preench zostaw|pust nie_wypełni boş_bırak doldurma \
空欄のまま 空欄にして 空白のまま 空のまま 入力しない 記入しない 留空 保持空白 不要填 请勿填 請勿填 勿填写 勿填寫 \
اترك|فارغ لا_تملأ לא_למלא אין_למלא אל_תמלא השאיר|ריק השאר|ריק";

/// Phrases that show that a text with [`TRAP_PHRASES`] is about a real field, which people may, or must not, leave
/// empty.
const REAL_FIELD_PHRASES: &str = "\
_can_ _may_ _if_ blank_to_ empty_to_ unchanged_to_ to_keep_ to_retain_ unless optional n't_leave not_leave never not_be cannot \
nicht_leer kann können darf dürfen _falls_ _wenn_ _um_ freiwillig _si_ pouvez peut _pour_ facultati ne_laiss pas_laisser \
_als_ indien _mag_ _om_ optioneel niet_leeg _se_ _per_ puoi può facoltativ opzional non_lasci \
puede _para_ opcional no_dej pode não_deix nao_deix jeśli jeżeli możesz można _aby_ opcjonaln nie_zostaw nie_pozostaw \
eğer için bırakma bırakabil isteğe 場合 任意 可能 できます 如果 可以 可留 若 选填 選填 可选 可選 不能 不得 不要留 勿留 \
إذا يمكن اختياري لا_تترك _אם_ אפשר ניתן רשות אל_תשאיר";

/// Phrases about people and robots. They show that a text with [`TRAP_PHRASES`] is about a trap, in spite of
/// [`REAL_FIELD_PHRASES`].
const PEOPLE_PHRASES: &str = "\
human _person_ _bot_ _bots_ robot spam you_see can_see mensch sie_dies du_dies humain humano umano _mens_ człowiek insan 人間 ロボット 人类 人類 \
机器人 機器人 روبوت إنسان אנושי אדם רובוט";

/// The maximum number of bytes between the two parts of a phrase.
const MAX_BETWEEN: usize = 40;

/// Whether a service defines the name for its trap.
pub fn is_name(name: &str) -> bool {
    SERVICE_NAMES.contains(&name)
}

/// Whether a hidden control with a name is a trap.
pub fn is_name_where_hidden(name: &str) -> bool {
    HIDDEN_NAMES.contains(&name) || is_of_mailchimp(name)
}

/// Whether a text asks people not to fill in a control.
pub fn warns_people(text: &str) -> bool {
    let text = lowercase(text).replace('’', "'");
    let is_between = |c: char| !c.is_alphanumeric() && c != '\'';
    // Underscores surround each word, so that the lists above can mark where a word begins or ends.
    let words = text.split(is_between).filter(|word| !word.is_empty());
    let text = words.fold("_".to_owned(), |text, word| text + word + "_");
    let has_one = |list: &str| list.split(' ').any(|words| has_all(&text, words));
    has_one(TRAP_PHRASES) && (has_one(PEOPLE_PHRASES) || !has_one(REAL_FIELD_PHRASES))
}

/// Whether a text contains the first part of a phrase, and the second part soon after it.
fn has_all(text: &str, words: &str) -> bool {
    let (first, other) = words.split_once('|').unwrap_or((words, ""));
    text.match_indices(first).any(|(at, _)| {
        let rest = text.get(at + first.len()..).unwrap_or_default();
        rest.find(other)
            .is_some_and(|between| between <= MAX_BETWEEN)
    })
}

/// Whether a name is a Mailchimp trap's: `b_` and the hexadecimal ids of the account and the list.
fn is_of_mailchimp(name: &str) -> bool {
    let numbers = name
        .strip_prefix("b_")
        .and_then(|rest| rest.split_once('_'));
    let is_number = |text: &str| text.len() >= 3 && text.bytes().all(|b| b.is_ascii_hexdigit());
    numbers.is_some_and(|(account, list)| is_number(account) && is_number(list))
}
