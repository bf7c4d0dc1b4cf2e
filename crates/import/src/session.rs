//! Reads a large file in parts: CSV row by row, large JSON of submissions one by one, any other file as a whole. Each
//! part has one form or some submissions. The same file always gives the same parts, so that an interrupted import can
//! resume.

use serde_json::{Value, json};

use crate::entries;
use crate::report::{MAX_LARGE, Note};
use crate::session_items::{Items, MAX_PART, MAX_PART_BYTES};
use crate::session_rows::Rows;
use crate::session_whole::{Whole, first_of_each_form, is_known};
use crate::values::{is_on, member, values};
use crate::{
    Clock, Contents, ImportError, Options, Report, csv, is_of_submissions, read_file, workbook,
};

/// Maximum length of a CSV file's first line, in bytes.
const MAX_FIRST_LINE: usize = 1 << 20;

/// Minimum length of JSON whose submissions are read one by one, in bytes.
const MIN_ITEMS_BYTES: usize = 1 << 20;

/// Maximum length of XML, in bytes. Reading 16 MB blocks the process for 1 s.
const MAX_XML_BYTES: usize = 32 << 20;

/// Maximum length of any other file that is read as a whole, in bytes. JSON takes up to three times as long as XML.
const MAX_WHOLE_BYTES: usize = 16 << 20;

/// Message about a file that is too large to be read as a whole.
const TOO_LARGE: &str = "This file is over 16 MB, or XML over 32 MB. Only CSV and submissions in JSON may be larger: split the file.";

/// The settings of a session, which the host passes as JSON.
#[derive(Default)]
struct Setup {
    /// Whether the session only describes the file.
    is_scan: bool,
    import_id: i64,
    /// The number of forms and submissions that an earlier session read, which this one skips.
    from: usize,
    /// The indexes in the file of the chosen forms; `None` for all forms.
    forms: Option<Vec<usize>>,
    /// The indexes in the file of forms that an earlier session created.
    made: Vec<usize>,
    /// Whether the host fetches the files of submissions.
    fetches_files: bool,
    /// Whether the month comes first in the dates of each column of CSV.
    is_month_first: Vec<bool>,
}

/// A file that is read in parts.
#[derive(Default)]
pub struct Session {
    setup: Setup,
    /// The text so far; empty if CSV or large JSON is read as it arrives.
    text: String,
    is_ended: bool,
    rows: Option<Rows>,
    items: Option<Items>,
    /// Whether the file is too large to be read as a whole.
    is_too_large: bool,
    whole: Option<Whole>,
    report: Report,
    /// The number of forms and submissions before the next part.
    done: usize,
    /// Whether the last part was read.
    is_done: bool,
}

impl Session {
    /// Creates a session with settings as JSON.
    pub fn of(setup: &str) -> Session {
        let read: Value = serde_json::from_str(setup).unwrap_or_default();
        let places = |name: &str| -> Vec<usize> {
            let numbers = values(member(&read, name)).into_iter();
            numbers
                .filter_map(|number| usize::try_from(number.as_u64()?).ok())
                .collect()
        };
        let setup = Setup {
            is_scan: is_on(&read, "scan"),
            import_id: member(&read, "import_id").as_i64().unwrap_or_default(),
            from: usize::try_from(member(&read, "from").as_u64().unwrap_or_default())
                .unwrap_or_default(),
            forms: member(&read, "forms").is_array().then(|| places("forms")),
            made: places("made"),
            fetches_files: is_on(&read, "fetch_files"),
            is_month_first: values(member(&read, "month_first"))
                .into_iter()
                .map(|first| first == &Value::Bool(true))
                .collect(),
        };
        Session {
            setup,
            report: Report::of_large_file(),
            ..Session::default()
        }
    }

    /// Adds the next part of the file.
    pub fn push(&mut self, part: &str) {
        if let Some(rows) = &mut self.rows {
            rows.push(part, self.setup.is_scan);
            return;
        }
        if let Some(items) = &mut self.items {
            items.push(part, self.setup.is_scan);
            return;
        }
        let length = self.text.len();
        let is_xml = self
            .text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with('<');
        let most = if is_xml {
            MAX_XML_BYTES
        } else {
            MAX_WHOLE_BYTES
        };
        self.is_too_large |= length + part.len() > most;
        if self.is_too_large {
            self.text = String::new();
            return;
        }
        self.text.push_str(part);
        if length < MAX_FIRST_LINE && csv::has_whole_line(&self.text) {
            self.recognize_csv();
        }
        let is_long = length < MIN_ITEMS_BYTES && self.text.len() >= MIN_ITEMS_BYTES;
        if is_long && self.rows.is_none() {
            self.items = Items::of(&self.text, self.setup.is_scan);
            if self.items.is_some() {
                self.text = String::new();
            }
        }
    }

    /// Ends the file: no further part follows.
    pub fn end(&mut self) {
        if self.rows.is_none() {
            self.recognize_csv();
        }
        if let Some(rows) = &mut self.rows {
            let last = rows.parser.end();
            rows.add(last.into_iter().collect(), self.setup.is_scan);
        }
        self.is_ended = true;
    }

    /// Whether all parts were read.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The number of forms and submissions of the parts that were read.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Reads CSV row by row, if the text begins like CSV of submissions.
    fn recognize_csv(&mut self) {
        let text = self.text.trim_start_matches('\u{feff}');
        let is_other = text.trim_start().starts_with(['<', '{', '[']) || workbook::is_zip(text);
        if is_other || !csv::is_likely(text) {
            return;
        }
        let Some(mut rows) = Rows::of(text, &self.setup.is_month_first) else {
            return;
        };
        rows.push(text, self.setup.is_scan);
        self.rows = Some(rows);
        self.text = String::new();
    }

    /// Describes the file after its end, as JSON: its format, and the headings and first rows of CSV.
    pub fn scan(&mut self) -> String {
        let described = match (&self.rows, &self.items) {
            (Some(rows), _) => rows.described(),
            (_, Some(items)) => json!({
                "format": items.format(),
                "forms": 0,
                "submissions": items.count.min(MAX_LARGE),
                "losses": [],
            }),
            _ => {
                let mut report = Report::of_large_file();
                let contents = read_file(&self.text, &Options::default(), &mut report);
                let contents = contents.unwrap_or_default();
                let titles = contents.forms.iter().map(|form| form.title.as_str());
                let (_, notes) = report.divided(titles);
                json!({
                    "format": contents.format,
                    "forms": contents.forms.len(),
                    "submissions": contents.submissions.len(),
                    "losses": notes,
                })
            }
        };
        described.to_string()
    }

    /// Reads the next part with the engine's options as JSON. Returns JSON for [`contents_of`](crate::contents_of), or
    /// an empty text if the session needs more of the file.
    pub fn next(&mut self, options: &str) -> String {
        let options = Options {
            fetches_files: self.setup.fetches_files,
            ..Options::of(options)
        };
        let part = match &self.rows {
            Some(_) => self.next_rows(&options),
            None if self.items.is_some() => self.next_items(&options),
            None if !self.is_ended => None,
            None => Some(self.next_of_whole(&options)),
        };
        let Some(part) = part else {
            return String::new();
        };
        let (part, notes) = match part {
            Ok((mut contents, notes)) => {
                contents.import_id = self.setup.import_id;
                (Ok(contents), notes)
            }
            Err(error) => (Err(error), Vec::new()),
        };
        serde_json::to_string(&(part, notes)).unwrap_or_default()
    }

    /// The next submissions of CSV; `None` if more of the file is needed.
    fn next_rows(&mut self, options: &Options) -> Option<Part> {
        let Some(rows) = &mut self.rows else {
            return None;
        };
        if options.forms.is_empty() {
            return Some(Err(entries::without_form()));
        }
        let clock = match Clock::of(options) {
            Ok(clock) => clock,
            Err(error) => return Some(Err(error)),
        };
        let mut context = entries::Context {
            options,
            clock,
            report: &mut self.report,
        };
        while self.done < self.setup.from && !rows.waiting.is_empty() {
            let skipped = rows.take(self.setup.from - self.done);
            self.done += skipped.len();
            rows.columns.read(&mut context, &skipped);
        }
        let is_enough = rows.waiting.len() >= MAX_PART || rows.bytes >= MAX_PART_BYTES;
        if !is_enough && !self.is_ended {
            return None;
        }
        let taken = rows.take(MAX_PART);
        self.done += taken.len();
        let mut contents = Contents {
            format: rows.columns.format.to_owned(),
            ..Contents::default()
        };
        contents.submissions = rows.columns.read(&mut context, &taken);
        self.is_done = self.is_ended && rows.waiting.is_empty();
        if !self.is_done {
            return Some(Ok((contents, Vec::new())));
        }
        rows.columns.note(&mut context);
        self.report
            .note_excess(rows.count, MAX_LARGE, "too_many_submissions");
        Some(Ok((
            contents,
            std::mem::take(&mut self.report).into_notes(),
        )))
    }

    /// The next submissions of large JSON; `None` if more of the file is needed. The submissions keep waiting until
    /// their forms are known.
    fn next_items(&mut self, options: &Options) -> Option<Part> {
        let items = self.items.as_mut()?;
        self.done += items.skip(self.setup.from.saturating_sub(self.done));
        if self.done < self.setup.from || !items.is_enough() {
            (self.is_ended).then_some(())?;
        }
        let mut report = Report::of_large_file();
        let (contents, count) = match items.read(options, &mut report) {
            Ok(read) => read,
            Err(error) => return Some(Err(error)),
        };
        if !is_known(options) {
            return Some(Ok((first_of_each_form(contents), Vec::new())));
        }
        self.done += items.skip(count);
        self.is_done = self.is_ended && items.waiting.is_empty();
        if self.is_done {
            report.note_excess(items.count, MAX_LARGE, "too_many_submissions");
        }
        Some(Ok((contents, report.into_notes())))
    }

    /// The next form or submissions of a file that is read as a whole.
    fn next_of_whole(&mut self, options: &Options) -> Part {
        if let Some(whole) = &self.whole
            && is_of_submissions(&whole.format)
            && !is_known(options)
        {
            let contents = Contents {
                format: whole.format.clone(),
                submissions: whole.submissions.iter().take(MAX_PART).cloned().collect(),
                ..Contents::default()
            };
            return Ok((first_of_each_form(contents), Vec::new()));
        }
        let mut whole = match self.whole.take() {
            Some(whole) => whole,
            None => match self.read_whole(options)? {
                Read::Whole(whole) => whole,
                Read::Ids(contents) => return Ok((contents, Vec::new())),
            },
        };
        let mut contents = Contents {
            format: whole.format.clone(),
            ..Contents::default()
        };
        let mut notes = Vec::new();
        if let Some((place, mut draft, of_form)) = whole.forms.pop_front() {
            notes = of_form;
            self.done += 1;
            if !self.setup.made.contains(&place) {
                if self.setup.import_id > 0 {
                    draft.part =
                        [&self.setup.import_id.to_string(), ":", &place.to_string()].concat();
                }
                contents.forms.push(draft);
            }
        } else {
            let mut bytes = 0;
            while contents.submissions.len() < MAX_PART
                && bytes < MAX_PART_BYTES
                && let Some(submission) = whole.submissions.pop_front()
            {
                bytes += serde_json::to_string(&submission.answers).map_or(0, |json| json.len());
                contents.submissions.push(submission);
            }
            self.done += contents.submissions.len();
        }
        self.is_done = whole.forms.is_empty() && whole.submissions.is_empty();
        if self.is_done {
            notes.append(&mut whole.notes);
        }
        self.whole = Some(whole);
        Ok((contents, notes))
    }

    /// Reads the file as a whole, and leaves out the parts that the settings exclude.
    fn read_whole(&mut self, options: &Options) -> Result<Read, ImportError> {
        if self.is_too_large {
            return Err(ImportError::from(TOO_LARGE.to_owned()));
        }
        let mut report = Report::of_large_file();
        let contents = read_file(&self.text, options, &mut report)?;
        if is_of_submissions(&contents.format) && !is_known(options) {
            return Ok(Read::Ids(first_of_each_form(contents)));
        }
        self.text = String::new();
        let titles = contents.forms.iter().map(|form| form.title.as_str());
        let (of_forms, notes) = report.divided(titles);
        let forms = (0..).zip(contents.forms).zip(of_forms);
        let forms = forms.map(|((place, draft), notes)| (place, draft, notes));
        let mut whole = Whole {
            format: contents.format,
            forms: forms.collect(),
            submissions: contents.submissions.into(),
            notes,
        };
        whole.choose(self.setup.forms.as_deref(), options.forms.contains_key(""))?;
        let forms = self.setup.from.min(whole.forms.len());
        let submissions = (self.setup.from - forms).min(whole.submissions.len());
        whole.forms.drain(..forms);
        whole.submissions.drain(..submissions);
        self.done = forms + submissions;
        Ok(Read::Whole(whole))
    }
}

/// A part of a file with its notes.
type Part = Result<(Contents, Vec<Note>), ImportError>;

/// The result of reading a whole file.
enum Read {
    Whole(Whole),
    /// Submissions with only the ids of their forms.
    Ids(Contents),
}
