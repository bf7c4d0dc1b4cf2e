//! Reading the layout of a schema.

use std::collections::BTreeSet;

use super::super::fault::FaultCode;
use super::super::given::Given;
use super::super::schema::{Layout, LayoutStep, LayoutType};
use super::MAX_FIELDS;
use super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};

/// The most steps of a layout.
pub const MAX_STEPS: usize = 1_000;

/// Reads a layout; `type` is `single` when absent, and no steps are as good as none. Further
/// members are kept as they are.
pub(super) fn read_layout(given: &Given<'_>) -> Layout {
    let mut layout = Layout::default();
    for (member, own) in given.members() {
        match member {
            "type" => {
                let types = LayoutType::ALL.map(LayoutType::as_str);
                layout.kind = own.word(LayoutType::parse, &types).unwrap_or_default();
            }
            "steps" => layout.steps = Some(read_steps(&own)).filter(|steps| !steps.is_empty()),
            _ => drop(layout.other.insert(member.to_owned(), own.value.clone())),
        }
    }
    layout
}

fn read_steps(given: &Given<'_>) -> Vec<LayoutStep> {
    let mut ids = BTreeSet::new();
    let steps = given.items(MAX_STEPS).filter_map(|own| {
        own.object()?;
        let step = read_step(&own);
        if !ids.insert(step.id.clone()) {
            let message = "Another step has the same id.";
            own.fault_of("id", FaultCode::DuplicateItems, message);
        }
        Some(step)
    });
    steps.collect()
}

fn read_step(given: &Given<'_>) -> LayoutStep {
    given.refuse_others(&["id", "title", "fields"]);
    let title = given.member("title");
    let fields = given.member("fields");
    let names = fields.iter().flat_map(|own| own.items(MAX_FIELDS));
    let step = LayoutStep {
        id: given
            .member("id")
            .and_then(|own| own.line(MAX_NAME_CHARS))
            .unwrap_or_default(),
        title: title
            .and_then(|own| own.text(MAX_TEXT_CHARS))
            .unwrap_or_default(),
        fields: names.filter_map(|own| own.text(MAX_NAME_CHARS)).collect(),
    };
    if step.id.is_empty() {
        given.fault_of("id", FaultCode::PropertyRequired, "A step needs an id.");
    }
    step
}
