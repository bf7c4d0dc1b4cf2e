//! The steps of an author's form that no element calls so, marked for the page's script.

use super::html::edits::Edits;
use super::read;

/// The HTML with `data-cf-step` on each element that reading found to be a step, though no `data-step`
/// says so: the script shows those, and finds none itself (host-shim/front/steps.ts).
pub fn with_steps_marked(html: &str) -> String {
    let found = read::read(html).map(|read| read.found_steps);
    let mut edits = Edits::default();
    for (number, offset) in (1..).zip(found.unwrap_or_default()) {
        let id = format!("step-{number}");
        edits.set_attribute(offset as usize, "data-cf-step", Some(&id));
    }
    edits.apply(html)
}

#[cfg(test)]
mod tests {
    use super::with_steps_marked;

    #[test]
    fn only_steps_that_reading_found_are_marked() {
        let html = "<section><input name=a><button type=button>Next</button></section>\n\
                    <section CLASS=x><input name=b></section><section><p>After</section>";
        assert_eq!(
            with_steps_marked(html),
            "<section data-cf-step=\"step-1\"><input name=a><button type=button>Next</button></section>\n\
             <section CLASS=x data-cf-step=\"step-2\"><input name=b></section><section><p>After</section>"
        );
        let named = html.replacen("<section>", "<section data-step=one>", 1);
        assert_eq!(with_steps_marked(&named), named);
    }
}
