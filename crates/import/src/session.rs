//! A large file that is read in parts: CSV row by row, any other file as a whole. Each part has one form or some
//! submissions, and the same file gives the same parts again, so that an interrupted import continues.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::entries;
use crate::report::{MAX_LARGE, Note};
use crate::session_rows::Rows;
use crate::values::{is_on, member, values};
use crate::{
    Clock, Contents, Draft, ImportError, Options, Report, SubmissionDraft, csv, is_of_submissions,
    read_file, workbook,
};

/// The maximum number of submissions of a part.
const MAX_PART: usize = 500;

/// The number of bytes of a part's submissions that is not exceeded by more than one of them.
const MAX_PART_BYTES: usize = 1 << 20;

/// The length of a first line, in bytes, beyond which a file is no CSV.
const MAX_FIRST_LINE: usize = 1 << 20;

/// The maximum number of different forms of submissions.
const MAX_NAMED_FORMS: usize = 20;

/// Settings of a session, as JSON.
#[derive(Default)]
struct Setup {
    /// Whether the file is only described.
    is_scan: bool,
    import_id: i64,
    /// The number of forms and submissions before the first part.
    from: usize,
    /// The places of the chosen forms in the file; `None` for all.
    forms: Option<Vec<usize>>,
    /// The places of forms that exist already.
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
    /// The text so far, except that of CSV.
    text: String,
    is_ended: bool,
    rows: Option<Rows>,
    whole: Option<Whole>,
    report: Report,
    /// The number of forms and submissions before the next part.
    done: usize,
    /// Whether the last part was read.
    is_done: bool,
}

/// The contents of a file that was read as a whole.
struct Whole {
    format: String,
    /// The forms with their places, their notes, and whether they are created.
    forms: VecDeque<(usize, Draft, Vec<Note>)>,
    submissions: VecDeque<SubmissionDraft>,
    /// The notes that belong to no form.
    notes: Vec<Note>,
}

impl Session {
    /// A session with settings as JSON.
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
        let is_begin = self.text.len() < MAX_FIRST_LINE;
        self.text.push_str(part);
        if is_begin && csv::has_whole_line(&self.text) {
            self.recognize_csv();
        }
    }

    /// Notes that the file has ended.
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
        let described = match &self.rows {
            Some(rows) => rows.described(),
            None => {
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

    /// Reads the next part with the engine's options as JSON. Returns the input of [`contents_of`](crate::contents_of);
    /// empty if the file must be read further.
    pub fn next(&mut self, options: &str) -> String {
        let options = Options {
            fetches_files: self.setup.fetches_files,
            ..Options::of(options)
        };
        let part = match &self.rows {
            Some(_) => self.next_rows(&options),
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

    /// The next form or submissions of a file that is read as a whole.
    fn next_of_whole(&mut self, options: &Options) -> Part {
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

    /// Reads the file as a whole, and leaves out what the settings do.
    fn read_whole(&mut self, options: &Options) -> Result<Read, ImportError> {
        let mut report = Report::of_large_file();
        let mut contents = read_file(&self.text, options, &mut report)?;
        let is_known = options.are_forms_known || !options.forms.is_empty();
        if is_of_submissions(&contents.format) && !is_known {
            let mut named: Vec<SubmissionDraft> = Vec::new();
            for draft in std::mem::take(&mut contents.submissions) {
                if named.len() < MAX_NAMED_FORMS && !named.iter().any(|one| one.form == draft.form)
                {
                    named.push(draft);
                }
            }
            contents.submissions = named;
            return Ok(Read::Ids(contents));
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

impl Whole {
    /// Leaves out forms that are not chosen, with their submissions. With one form for all submissions, no form is
    /// created, and the submissions must be of one form.
    fn choose(&mut self, chosen: Option<&[usize]>, has_target: bool) -> Result<(), ImportError> {
        if has_target {
            self.forms.clear();
            let mut forms = self.submissions.iter().map(|submission| &submission.form);
            let first = forms.next();
            if first.is_none() || forms.any(|other| Some(other) != first) {
                return Err(entries::of_several_forms());
            }
            return Ok(());
        }
        for submission in &mut self.submissions {
            let mut forms = self.forms.iter();
            let form = forms.find(|(_, form, _)| submission.form.means(&form.origin));
            if let Some((_, form, _)) = form {
                submission.form = form.origin.clone();
            }
        }
        let Some(chosen) = chosen else {
            return Ok(());
        };
        let (forms, left_out): (Vec<_>, Vec<_>) = std::mem::take(&mut self.forms)
            .into_iter()
            .partition(|(place, _, _)| chosen.contains(place));
        self.forms = forms.into();
        self.submissions.retain(|submission| {
            !left_out
                .iter()
                .any(|(_, form, _)| submission.form == form.origin)
        });
        Ok(())
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
