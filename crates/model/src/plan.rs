//! The order and nesting in which the fields of a schema are rendered.

use std::collections::{BTreeMap, BTreeSet};

use crate::collapse;
use crate::{Field, FormSchema, Layout, LayoutStep, LayoutType};

/// An instruction for the renderer.
pub enum Event<'s> {
    /// A section begins.
    Section(Section<'s>),
    /// A field that contains other fields begins.
    Open(&'s Field),
    /// A field without other fields inside.
    Field(&'s Field),
    /// The innermost open field or section ends.
    Close,
}

/// Consecutive fields with the same step and group. Fields inside the container that is their group belong to the
/// section of the container.
pub struct Section<'s> {
    /// The step, if the layout lists steps.
    pub step: Option<&'s LayoutStep>,
    /// The group of the section's fields.
    pub group: Option<&'s str>,
    /// The title above the section.
    pub title: Option<&'s str>,
}

/// The order in which a schema is rendered. Fields keep the order of the schema. A container contains the fields of
/// its group that directly follow it.
pub struct Plan<'s> {
    /// The instructions, in order.
    pub events: Vec<Event<'s>>,
    /// The steps that the rendered sections represent.
    steps: Vec<LayoutStep>,
    /// The position of each field's step in `layout_steps`, by the field's name.
    step_of: BTreeMap<&'s str, usize>,
    layout_steps: &'s [LayoutStep],
    /// Whether groups are steps, so that their sections have titles.
    pub names_steps: bool,
    /// The step and group of the open section.
    section: Option<(Option<&'s str>, Option<&'s str>)>,
    /// The names of the open containers.
    containers: Vec<&'s str>,
    /// The groups outside steps whose titles are already rendered.
    titled: BTreeSet<&'s str>,
}

impl<'s> Plan<'s> {
    /// Plans the rendering of a schema.
    pub fn of(schema: &'s FormSchema) -> Plan<'s> {
        let mut plan = Plan {
            events: Vec::with_capacity(schema.fields.len() * 2),
            steps: Vec::new(),
            step_of: steps_by_field(schema),
            layout_steps: schema.layout.steps.as_deref().unwrap_or_default(),
            names_steps: schema.layout.kind == LayoutType::MultiStep
                && schema.layout.steps.is_none(),
            section: None,
            containers: Vec::new(),
            titled: BTreeSet::new(),
        };
        for field in &schema.fields {
            plan.add(field);
        }
        plan.close_section();
        plan
    }

    /// Whether the rendered sections alone represent the whole layout. Otherwise the HTML also needs the layout as
    /// JSON.
    pub fn says(&self, layout: &Layout) -> bool {
        let steps = layout.steps.as_deref();
        let as_shown = |text: &str| collapse(text) == text;
        let survives = |step: &LayoutStep| as_shown(&step.title) && as_shown(&step.id);
        layout.other.is_empty()
            && match self.steps.as_slice() {
                [] => steps.is_none(),
                rendered => steps == Some(rendered) && rendered.iter().all(survives),
            }
    }

    fn add(&mut self, field: &'s Field) {
        let group = field.group.as_deref();
        let container =
            group.and_then(|group| self.containers.iter().rposition(|open| *open == group));
        match container {
            Some(depth) => self.close_containers(depth + 1),
            None => self.reach_section(field, group),
        }
        if let Some((Some(step), _)) = self.section
            && let Some(step) = self.steps.iter_mut().rev().find(|known| known.id == step)
        {
            step.fields.push(field.name.clone());
        }
        if field.kind.holds_fields() {
            self.events.push(Event::Open(field));
            self.containers.push(&field.name);
        } else {
            self.events.push(Event::Field(field));
        }
    }

    fn reach_section(&mut self, field: &'s Field, group: Option<&'s str>) {
        let step = self.step_of.get(field.name.as_str());
        let step = step.and_then(|step| self.layout_steps.get(*step));
        let key = (step.map(|step| step.id.as_str()), group);
        if self.section == Some(key) || (self.section.is_none() && key == (None, None)) {
            return self.close_containers(0);
        }
        self.close_section();
        if key == (None, None) {
            return;
        }
        self.section = Some(key);
        let title = match step {
            Some(step) => Some(step.title.as_str()),
            None => group.filter(|_| self.names_steps),
        };
        let title = title.filter(|title| !title.is_empty());
        let is_new = |step: &LayoutStep| self.steps.iter().all(|known| known.id != step.id);
        let new_step = step.filter(|step| is_new(step));
        let is_first = match step {
            Some(_) => new_step.is_some(),
            None => self.titled.insert(group.unwrap_or_default()),
        };
        self.events.push(Event::Section(Section {
            step,
            group,
            title: title.filter(|_| is_first),
        }));
        if let Some(step) = new_step {
            self.steps.push(LayoutStep {
                fields: Vec::new(),
                ..step.clone()
            });
        }
    }

    fn close_containers(&mut self, depth: usize) {
        while self.containers.len() > depth {
            self.containers.pop();
            self.events.push(Event::Close);
        }
    }

    fn close_section(&mut self) {
        self.close_containers(0);
        if self.section.take().is_some() {
            self.events.push(Event::Close);
        }
    }
}

fn steps_by_field(schema: &FormSchema) -> BTreeMap<&str, usize> {
    let mut step_of = BTreeMap::new();
    for (step, of) in schema.layout.steps.iter().flatten().enumerate() {
        for name in &of.fields {
            step_of.entry(name.as_str()).or_insert(step);
        }
    }
    step_of
}
