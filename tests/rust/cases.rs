//! Reads case files, `{"cases": [{name, schema, input, expect}]}`, which the tests through WebAssembly also run.

use std::path::Path;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use serde::Deserialize;
use serde_json::Value;

/// One case.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub schema: Value,
    pub input: Value,
    pub expect: Value,
}

#[derive(Deserialize)]
struct CaseFile {
    cases: Vec<Case>,
}

/// Reads the cases of a file in `tests/cases`, and checks that their names are unique.
pub fn cases_of(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let file: CaseFile = serde_json::from_str(&text).unwrap();
    let mut names: Vec<&str> = file.cases.iter().map(|case| case.name.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "two cases have one name");
    file.cases
}

/// Reads the JSON of a file in `tests/cases`.
pub fn case_file(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the checked schema of a case.
pub fn schema_of(case: &Case) -> FormSchema {
    parse_schema(&case.schema).unwrap_or_else(|faults| panic!("{}: {faults:#?}", case.name))
}
