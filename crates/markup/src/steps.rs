//! The steps of an author's form, and the buttons between them, marked for the page's script.

use super::html::edits::Edits;
use super::read::{StepWay, read};

/// The HTML with `data-cf-step` on each element that reading found to be a step, though no `data-step`
/// says so, and `data-cf-way` (`on` or `back`) on each button that leads to another step: the script
/// follows those, and finds none itself (host-shim/front/step-parts.ts).
pub fn with_steps_marked(html: &str) -> String {
    let mut edits = Edits::default();
    if let Ok(read) = read(html) {
        for (number, offset) in (1..).zip(read.found_steps) {
            let id = format!("step-{number}");
            edits.set_attribute(offset as usize, "data-cf-step", Some(&id));
        }
        for (offset, way) in read.step_buttons {
            let way = way.map(|way| if way == StepWay::On { "on" } else { "back" });
            if way.is_some() {
                edits.set_attribute(offset as usize, "data-cf-way", way);
            }
        }
    }
    edits.apply(html)
}

#[cfg(test)]
mod tests {
    use super::with_steps_marked;

    #[test]
    fn steps_that_reading_found_are_marked_and_the_buttons_between_them() {
        let html = "<section><input name=a><button type=button>Next</button></section>\n\
                    <section CLASS=x><input name=b></section><section><p>After</section>";
        let marked = html.replacen("<section>", "<section data-cf-step=\"step-1\">", 1);
        let marked = marked.replace("CLASS=x", "CLASS=x data-cf-step=\"step-2\"");
        let marked = marked.replace("type=button", "type=button data-cf-way=\"on\"");
        assert_eq!(with_steps_marked(html), marked);
        let named = "<section data-step=one><input name=a></section>";
        assert_eq!(with_steps_marked(named), named);
    }

    #[test]
    fn what_a_button_says_tells_where_it_leads() {
        for (button, way) in [
            ("<input type=button value='Next step »'>", Some("on")),
            ("<button type=button>Previous</button>", Some("back")),
            ("<button type=button>« Back</button>", Some("back")),
            ("<button type=button id=nextBtn>Weiter</button>", Some("on")),
            (
                "<button type=button class='btn prev'>←</button>",
                Some("back"),
            ),
            ("<button type=button onclick=nextPrev(1)>→</button>", None),
            (
                "<button type=button onclick=nextPrev(1)>Next</button>",
                Some("on"),
            ),
            ("<button type=button>Back to the top</button>", None),
        ] {
            let marked = with_steps_marked(button);
            let expected = way.map(|way| format!(" data-cf-way=\"{way}\""));
            let found = marked.contains(&expected.clone().unwrap_or_default());
            assert!(
                found && marked.contains("data-cf-way") == way.is_some(),
                "{marked}"
            );
        }
    }
}
