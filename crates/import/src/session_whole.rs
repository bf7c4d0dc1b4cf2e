//! The contents of a file that is read as a whole, from which the parts are taken.

use std::collections::VecDeque;

use crate::report::Note;
use crate::{Contents, Draft, ImportError, Options, SubmissionDraft, entries};

/// The contents of a file that was read as a whole.
pub struct Whole {
    pub format: String,
    /// The forms, each with its index in the file and its notes.
    pub forms: VecDeque<(usize, Draft, Vec<Note>)>,
    pub submissions: VecDeque<SubmissionDraft>,
    /// The notes that belong to no form.
    pub notes: Vec<Note>,
}

impl Whole {
    /// Leaves out forms that are not chosen, with their submissions. If the caller names one target for all
    /// submissions, no form is created, and all submissions must come from one form.
    pub fn choose(
        &mut self,
        chosen: Option<&[usize]>,
        has_target: bool,
    ) -> Result<(), ImportError> {
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

/// Whether the forms of submissions are known.
pub fn is_known(options: &Options) -> bool {
    options.are_forms_known || !options.forms.is_empty()
}

/// Contents with one submission of each form.
pub fn first_of_each_form(mut contents: Contents) -> Contents {
    let mut named: Vec<SubmissionDraft> = Vec::new();
    for draft in std::mem::take(&mut contents.submissions) {
        if !named.iter().any(|one| one.form == draft.form) {
            named.push(draft);
        }
    }
    contents.submissions = named;
    contents
}
