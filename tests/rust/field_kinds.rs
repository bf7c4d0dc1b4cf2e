//! The tables of field types and variants: rendering and parsing follow them, and no other list of types grows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cf_forms::forms::{Field, FieldOption, FieldType, FormSchema};
use cf_forms::markup::{RenderOptions, parse, render};
use model::field_kinds::{AnswerShape, Bounds, Control, OptionsUse};
use model::field_variants::VARIANTS;

/// A field of a type, with options if the type has any.
fn field_of(kind: FieldType) -> Field {
    let option = |value: &str| FieldOption {
        value: value.to_owned(),
        label: value.to_owned(),
        ..FieldOption::default()
    };
    let options = match kind.facts().options {
        OptionsUse::Choices | OptionsUse::Suggestions => vec![option("a"), option("b")],
        _ => Vec::new(),
    };
    Field {
        name: "field".to_owned(),
        kind,
        label: "A field".to_owned(),
        options,
        ..Field::default()
    }
}

fn html_of(field: &Field) -> String {
    let schema = FormSchema::of(vec![field.clone()]);
    render(&schema, &RenderOptions::default())
}

#[test]
fn each_type_round_trips_through_the_control_of_its_row() {
    for kind in FieldType::PALETTE {
        let facts = kind.facts();
        let html = html_of(&field_of(kind));
        let element = match facts.control {
            Control::Textarea => "<textarea",
            Control::Select => "<select",
            Control::Container => "<div class=\"cf-group\"",
            Control::Fieldset => "<fieldset class=\"cf-group\"",
            Control::Heading => "<h2",
            Control::Paragraph => "<p",
            Control::Divider => "<hr",
            Control::Button => "<button type=\"submit\"",
            _ => "<input type=\"",
        };
        assert!(html.contains(element), "{kind:?}: {html}");
        let input = format!("<input type=\"{}\"", kind.input_type());
        let has_input = element.starts_with("<input");
        assert!(!has_input || html.contains(&input), "{kind:?}: {html}");
        assert!(html.contains(kind.class()), "{kind:?}: {html}");
        assert_eq!(
            html.contains("<datalist"),
            kind.suggests_options(),
            "{kind:?}"
        );
        let read = parse(&html).unwrap();
        let kinds: Vec<FieldType> = read.schema.fields.iter().map(|field| field.kind).collect();
        assert_eq!(kinds, [kind], "{html}");
    }
}

#[test]
fn the_facts_of_each_type_agree_with_each_other() {
    let palette: BTreeSet<FieldType> = FieldType::PALETTE.into_iter().collect();
    assert_eq!(palette, FieldType::ALL.into_iter().collect());
    for kind in FieldType::ALL {
        let facts = kind.facts();
        let has_parts = facts.shape == AnswerShape::Parts;
        assert_eq!(has_parts, !facts.parts.is_empty(), "{kind:?}");
        assert_eq!(has_parts, !facts.separator.is_empty(), "{kind:?}");
        assert_eq!(has_parts, facts.control == Control::Parts, "{kind:?}");
        let is_choice = facts.shape == AnswerShape::Choice;
        assert_eq!(is_choice, kind.has_choices(), "{kind:?}");
        assert_eq!(is_choice, facts.bounds == Bounds::Count, "{kind:?}");
        assert_eq!(
            kind.takes_files(),
            facts.bounds == Bounds::Bytes,
            "{kind:?}"
        );
        let holds = kind.holds_fields();
        assert!(!holds || !kind.captures_value(), "{kind:?}");
    }
}

#[test]
fn each_variant_has_a_unique_name_and_mark() {
    let mut names: BTreeSet<&str> = FieldType::ALL.map(FieldType::as_str).into();
    let mut marks = BTreeSet::new();
    for variant in &VARIANTS {
        let (attribute, value) = variant.mark;
        assert!(names.insert(variant.name), "{}", variant.name);
        assert!(marks.insert((variant.of, variant.mark)), "{}", variant.name);
        assert!(["class", "type"].contains(&attribute) || attribute.starts_with("data-"));
        let mut field = field_of(variant.of);
        if attribute == "class" {
            field.css_class = format!("wide {value}");
        } else {
            field
                .attributes
                .insert(attribute.to_owned(), value.to_owned());
        }
        assert_eq!(field.variant().map(|found| found.name), Some(variant.name));
        assert_eq!(field.shape(), variant.shape);
        let read = parse(&html_of(&field)).unwrap();
        let found = read.schema.fields.first().and_then(Field::variant);
        assert_eq!(found.map(|found| found.name), Some(variant.name));
        assert!(field_of(variant.of).variant().is_none());
    }
}

/// Counts the places that name a type, by file, except in the tables and in the importers, which translate other
/// systems' types.
fn places_that_name_a_type() -> BTreeMap<String, usize> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("crates")];
    let mut places = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let count = std::fs::read_to_string(&path)
                    .unwrap()
                    .matches("FieldType::")
                    .count();
                let name = path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                let may_name_types =
                    name.contains("model/src/field_") || name.starts_with("crates/import/");
                places.extend((count > 0 && !may_name_types).then_some((name, count)));
            }
        }
    }
    places
}

#[test]
fn few_places_outside_the_tables_name_a_type() {
    let places = places_that_name_a_type();
    assert!(places.len() < 24, "{places:?}");
    assert!(places.values().sum::<usize>() < 100, "{places:?}");
}
