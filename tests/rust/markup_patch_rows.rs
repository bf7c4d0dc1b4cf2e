//! New fields among the rows, items and columns of others.

use cf_forms::forms::edit::{add_field, asked_position};
use cf_forms::markup::{added, parse};
use serde_json::{Value, json};

/// The HTML with a text field `n` in place of `@`.
fn assert_added(with: &str, own: &str, members: &Value) {
    let html = with.replace('@', "");
    let mut body = json!({"name": "n", "type": "text", "label": "N"});
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    let schema = parse(&html).unwrap().schema;
    let (_, field) = add_field(&schema, &body).unwrap();
    let patched = added(&html, &field, asked_position(&body, &field));
    let markup = patched.map(|patched| patched.markup);
    assert_eq!(markup, Ok(with.replace('@', own)), "{html}");
}

const FIELD: &str = "<div class=\"cf-field cf-field-text\">\n<label class=\"cf-label\" for=\"cf-n\">N</label>\n<input type=\"text\" class=\"cf-control\" id=\"cf-n\" name=\"n\">\n</div>";

#[test]
fn a_new_field_goes_on_with_the_rows_that_the_button_stands_outside_of() {
    let none = json!({});
    let row = "\n<tr><td>N</td><td><input type=\"text\" id=\"cf-n\" name=\"n\"></td></tr>";
    for html in [
        "<table>\n<tr><td>A</td><td><input name=a></td></tr>\n<tr><td>B</td><td><input name=b></td></tr>@\n</table>\n<button>Send</button>",
        // One row, and a text before the button.
        "<table><tbody>\n<tr><td>A</td><td><input name=a></td></tr>@\n</tbody></table>\n<p>We read it.</p><p><button>Send</button></p>",
        "<form><table>\n<tr><td>A</td><td><input name=a></td></tr>@\n</table></form>",
    ] {
        assert_added(html, row, &none);
    }
    assert_added(
        "<table>\n<tr><td>A</td><td><input name=a></td></tr>@\n</table>\n<button>Send</button>",
        row,
        &json!({"position": 1}),
    );
    assert_added(
        "<ul>\n<li><label>A <input name=a></label></li>@\n</ul>\n<button>Send</button>",
        &format!("\n<li>\n{FIELD}\n</li>"),
        &none,
    );
    assert_added(
        "<div class=row>\n<div class=col><label for=a>A</label><input id=a name=a></div>\n<div class=col><label for=b>B</label><input id=b name=b></div>@\n</div>\n<p><button>Send</button></p>",
        "\n<div class=col><label for=cf-n>N</label><input type=\"text\" id=\"cf-n\" name=\"n\"></div>",
        &none,
    );
}

#[test]
fn a_new_field_stands_outside_of_what_is_no_row_of_fields() {
    let own = format!("{FIELD}\n");
    for html in [
        // Another group.
        "<fieldset id=f><legend>F</legend><table>\n<tr><td>A</td><td><input name=a></td></tr>\n</table></fieldset>\n@<button>Send</button>",
        // A column of a framework would have its classes.
        "<div class=row>\n<div><label>A <input name=a></label></div>\n<div><label>B <input name=b></label></div>\n</div>\n@<button>Send</button>",
        // Hidden lists, and a spam trap's.
        "<ul hidden>\n<li><label>E <input name=e></label></li>\n</ul>\n@<button>Send</button>",
        "<div style='display: none'><table>\n<tr><td>E</td><td><input name=e></td></tr>\n</table></div>\n@<button>Send</button>",
        "<ul>\n<li><label>Leave empty <input name=e tabindex=-1 autocomplete=off></label></li>\n</ul>\n@<button>Send</button>",
        // Grids.
        "<table>\n<tr><th></th><th>Good</th><th>Bad</th></tr>\n<tr><td>Food</td><td><input type=radio name=f value=1></td><td><input type=radio name=f value=2></td></tr>\n<tr><td>Room</td><td><input type=radio name=r value=1></td><td><input type=radio name=r value=2></td></tr>\n</table>\n@<button>Send</button>",
        "<table>\n<tr><th></th><th>Good</th><th>Bad</th></tr>\n<tr><td>Food</td><td><input type=radio name=f value=1></td><td><input type=radio name=f value=2></td></tr>\n</table>\n@<button>Send</button>",
        "<table>\n<tr><td>Mon</td><td><input name=a aria-label=A></td><td><input name=b aria-label=B></td></tr>\n</table>\n@<button>Send</button>",
        "<table class=grid>\n<tr><th>Mon</th></tr>\n<tr><td><input name=a></td></tr>\n</table>\n@<button>Send</button>",
    ] {
        assert_added(html, &own, &json!({}));
    }
    assert_added(
        "<form>\n<table>\n<tr><th></th><th>Good</th><th>Bad</th></tr>\n<tr><td>Food</td><td><input type=radio name=f value=1></td><td><input type=radio name=f value=2></td></tr>\n<tr><td>Room</td><td><input type=radio name=r value=1></td><td><input type=radio name=r value=2></td></tr>\n</table>@\n</form>",
        &format!("\n{FIELD}"),
        &json!({}),
    );
}
