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
