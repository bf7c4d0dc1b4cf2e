//! Editing the options of a field in the author's HTML when some move while others come or go.

use std::fs;
use std::path::Path;

use cf_forms::markup::parse;
use serde_json::{Value, json};

use crate::markup_patch_places::{assert_edits, edited};

fn options(values: &[(&str, &str)]) -> Value {
    let options = values
        .iter()
        .map(|(value, label)| json!({"value": value, "label": label}));
    json!({"options": options.collect::<Vec<_>>()})
}

#[test]
fn options_that_move_while_others_come_or_go_lose_none_of_their_attributes() {
    let a = "<option value=\"a\" data-price=\"5\" class=\"x\">A</option>";
    let b = "<option value=\"b\" selected title=\"best\">B</option>";
    let select = |inner: &str| format!("<label>P<select name=\"plan\">{inner}</select></label>");
    let c = "<option value=\"c\">C</option>";
    let html = select(&format!("{a}{b}"));
    for (wanted, expected) in [
        (
            &[("b", "B"), ("a", "A"), ("c", "C")][..],
            select(&format!("{b}{a}{c}")),
        ),
        (
            &[("c", "C"), ("b", "B"), ("a", "A")],
            select(&format!("{c}{b}{a}")),
        ),
        (&[("b", "B"), ("c", "C")], select(&format!("{b}{c}"))),
        (
            &[("c", "C"), ("a", "A"), ("d", "D"), ("b", "Best")],
            select(&format!(
                "{c}{a}<option value=\"d\">D</option>{}",
                b.replace(">B<", ">Best<")
            )),
        ),
        // One that becomes another in its place.
        (
            &[("z", "A"), ("b", "B")],
            select(&format!("{}{b}", a.replace("\"a\"", "\"z\""))),
        ),
    ] {
        let edited = edited(&html, "plan", &options(wanted));
        assert_eq!(edited, Ok(expected), "{wanted:?}");
    }
    let three = select(&format!("\n  {a}\n  {b}\n  {c}\n"));
    assert_edits(&[
        (
            &three,
            "plan",
            options(&[("c", "C"), ("b", "B")]),
            &select(&format!("\n  {c}\n  {b}\n")),
        ),
        (
            &three,
            "plan",
            options(&[("d", "D"), ("c", "C"), ("b", "B")]),
            &select(&format!(
                "\n  <option value=\"d\">D</option>\n  {c}\n  {b}\n"
            )),
        ),
    ]);
}

#[test]
fn an_option_without_a_value_that_moves_is_given_none() {
    let html = "<label>L<select name=l><option>SQL</option><option>Rust<option>Go</option></select></label>";
    assert_edits(&[
        (
            html,
            "l",
            json!({"options": ["Go", "SQL", "Rust", "C"]}),
            "<label>L<select name=l><option>Go</option><option>SQL</option><option>Rust<option value=\"C\">C</option></select></label>",
        ),
        (
            html,
            "l",
            json!({"options": ["Rust", "SQL"]}),
            "<label>L<select name=l><option>Rust<option>SQL</option></select></label>",
        ),
    ]);
}

#[test]
fn choices_that_move_or_are_put_in_before_others_keep_their_bytes() {
    let x = "<label class=x data-k=1><input type=radio name=s value=x> x</label>";
    let y = "<label class=y><input type=radio name=s value=y> y</label>";
    let z = "<label class=y><input type=radio name=s value=z> z</label>";
    let set = |inner: &str| format!("<fieldset><legend>S</legend>\n {inner}\n</fieldset>");
    let html = set(&format!("{x}\n {y}"));
    assert_edits(&[
        (
            &html,
            "s",
            json!({"options": ["y", "x", "z"]}),
            &set(&format!("{y}\n {x}\n {z}")),
        ),
        (
            &html,
            "s",
            json!({"options": ["z", "x", "y"]}),
            &set(&format!("{z}\n {x}\n {y}")),
        ),
        (
            &html,
            "s",
            json!({"options": ["y", "z"]}),
            &set(&format!("{y}\n {z}")),
        ),
        (
            &set(&format!("{x}<br>\n {y}<br>\n {z}")),
            "s",
            json!({"options": ["z", "y"]}),
            &set(&format!("{z}<br>\n {y}")),
        ),
    ]);
}

#[test]
fn a_first_option_that_asks_to_choose_stays_selected_when_others_change() {
    let html = "<label>A<select name=a><option value=\"\" disabled selected>Choose</option><option>1</option></select></label>";
    let edited = edited(html, "a", &json!({"options": ["1", "2"]}));
    let expected = html.replace("1</option>", "1</option><option value=\"2\">2</option>");
    assert_eq!(edited, Ok(expected));
}

#[test]
fn options_of_real_forms_move_with_all_of_their_bytes_when_one_is_put_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/markup");
    let (mut tried, mut made) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let html = fs::read_to_string(&path).unwrap();
        let Ok(parsed) = parse(&html) else { continue };
        for field in parsed.schema.fields.iter().filter(|f| f.options.len() > 1) {
            let mut options = serde_json::to_value(&field.options).unwrap();
            let list = options.as_array_mut().unwrap();
            list.reverse();
            list.insert(0, json!({"value": "brand-new", "label": "Brand new"}));
            tried += 1;
            let Ok(moved) = edited(&html, &field.name, &json!({"options": options})) else {
                continue;
            };
            made += 1;
            let sorted = |text: &str| {
                let mut tags: Vec<String> =
                    text.split('<').map(|tag| tag.trim().to_owned()).collect();
                tags.sort_unstable();
                tags
            };
            let after = sorted(&moved);
            let lost = sorted(&html)
                .into_iter()
                .filter(|tag| after.binary_search(tag).is_err());
            assert_eq!(
                lost.collect::<Vec<_>>(),
                Vec::<String>::new(),
                "{html}\n{moved}"
            );
        }
    }
    println!("{made} of {tried} were moved in place");
    assert!(made * 2 > tried, "{made} of {tried}");
}

#[test]
fn options_do_not_move_from_one_optgroup_to_another() {
    let select = |groups: &str| format!("<label>S<select name=s>{groups}</select></label>");
    let g = "<optgroup label=G><option>1</option><option>2</option></optgroup>";
    let h = "<optgroup label=H><option>3</option></optgroup>";
    let html = select(&format!("{g}{h}"));
    let unclosed = select("<optgroup label=G><option>1<option>2<optgroup label=H><option>3");
    let refused =
        "`options` of the field `s` cannot be edited in place: they stand in several groups";
    for wanted in [
        &["3", "1"][..],
        &["3", "2", "1"],
        &["1", "3", "2"],
        &["2", "1", "new", "3"],
        // Which group is it in?
        &["1", "2", "new", "3"],
        &["1", "new", "newer", "3"],
    ] {
        for html in [&html, &unclosed] {
            let edited = edited(html, "s", &json!({"options": wanted}));
            assert_eq!(edited, Err(refused.to_owned()), "{wanted:?} {html}");
        }
    }
    let new = "<option value=\"new\">new</option>";
    let one = "<option>1</option>";
    let asking = "<option value=\"\">Choose</option>";
    assert_edits(&[
        // Within one group they do.
        (
            &html,
            "s",
            json!({"options": ["2", "1", "3"]}),
            &select(&format!(
                "<optgroup label=G><option>2</option><option>1</option></optgroup>{h}"
            )),
        ),
        (
            &html,
            "s",
            json!({"options": ["1", "new", "2", "3"]}),
            &html.replace(one, &format!("{one}{new}")),
        ),
        (
            &html,
            "s",
            json!({"options": ["1", "2", "3", "new"]}),
            &html.replace("3</option>", &format!("3</option>{new}")),
        ),
        (
            &select(&format!("{asking}\n{g}")),
            "s",
            json!({"options": ["new", "1", "2"]}),
            &select(&format!("{asking}\n{g}")).replace(one, &format!("{new}{one}")),
        ),
    ]);
}

#[test]
fn an_optgroup_goes_with_the_last_option_in_it() {
    let select = |groups: &str| format!("<label>S<select name=s>{groups}</select></label>");
    let g = "<optgroup label=G><option>1</option><option>2</option></optgroup>";
    let h = "<optgroup label=H><option>3</option></optgroup>";
    let html = select(&format!("{g}{h}"));
    assert_edits(&[
        (&html, "s", json!({"options": ["1", "2"]}), &select(g)),
        (&html, "s", json!({"options": ["3"]}), &select(h)),
        (
            &select("<optgroup label=G><option>1<option>2<optgroup label=H><option>3"),
            "s",
            json!({"options": ["3"]}),
            &select("<optgroup label=H><option>3"),
        ),
        // One that is filled again stays, and one that holds what is no choice.
        (
            &html,
            "s",
            json!({"options": ["1", "2", "4", "5"]}),
            &html.replace(
                "<option>3</option>",
                "<option value=\"4\">4</option><option value=\"5\">5</option>",
            ),
        ),
        (
            &html.replace("label=H>", "label=H><option disabled>4</option>"),
            "s",
            json!({"options": ["1", "2"]}),
            &select(&format!(
                "{g}<optgroup label=H><option disabled>4</option></optgroup>"
            )),
        ),
    ]);
}

#[test]
fn a_new_choice_does_not_repeat_what_a_script_does_with_the_last_one() {
    let first = "<label><input type=radio name=a value=1> One</label>";
    let last = "<label class=x data-row=2 onmouseover=\"x()\"><input type=radio name=a value=2 onclick='pay(2)' data-price=5 @change=x data-cf-id=b> Two</label>";
    let html = format!("<p>{first}{last}</p>");
    let wanted = options(&[("1", "One"), ("2", "Two"), ("3", "Three")]);
    let copy = "<label class=x><input type=radio name=a value=3 data-cf-id=b> Three</label>";
    let expected = format!("<p>{first}{last}{copy}</p>");
    assert_eq!(edited(&html, "a", &wanted), Ok(expected));
}
