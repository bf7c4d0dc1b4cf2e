//! Reads the layout of a schema.

use std::collections::BTreeSet;

use super::super::fault::FaultCode;
use super::super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};
use super::super::given::Given;
use super::super::schema::{Layout, LayoutStep, LayoutType};
use super::MAX_FIELDS;

/// The maximum number of steps of a layout.
pub const MAX_STEPS: usize = 1_000;

/// Reads a layout; `type` defaults to `single`, and an empty list of steps counts as none. Further members are
/// kept unchanged.
pub(super) fn read_layout(given: &Given<'_>) -> Layout {
    let mut layout = Layout::default();
    for (member, value) in given.members() {
        match member {
            "type" => {
                let types = LayoutType::ALL.map(LayoutType::as_str);
                layout.kind = value.word(LayoutType::parse, &types).unwrap_or_default();
            }
            "steps" => layout.steps = Some(read_steps(&value)).filter(|steps| !steps.is_empty()),
            _ => drop(layout.other.insert(member.to_owned(), value.value.clone())),
        }
    }
    layout
}

fn read_steps(given: &Given<'_>) -> Vec<LayoutStep> {
    let mut ids = BTreeSet::new();
    let steps = given.items(MAX_STEPS).filter_map(|item| {
        item.object()?;
        let step = read_step(&item);
        if !ids.insert(step.id.clone()) {
            let message = "Another step has the same id.";
            item.fault_of("id", FaultCode::DuplicateItems, message);
        }
        Some(step)
    });
    steps.collect()
}

fn read_step(given: &Given<'_>) -> LayoutStep {
    given.reject_unknown(&["id", "title", "fields"]);
    let title = given.member("title");
    let fields = given.member("fields");
    let names = fields.iter().flat_map(|list| list.items(MAX_FIELDS));
    let step = LayoutStep {
        id: given
            .member("id")
            .and_then(|id| id.line(MAX_NAME_CHARS))
            .unwrap_or_default(),
        title: title
            .and_then(|text| text.text(MAX_TEXT_CHARS))
            .unwrap_or_default(),
        fields: names.filter_map(|name| name.text(MAX_NAME_CHARS)).collect(),
    };
    if step.id.is_empty() {
        given.fault_of("id", FaultCode::PropertyRequired, "A step needs an id.");
    }
    step
}
