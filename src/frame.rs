//! The frame that crosses the boundary: `u32 head length (little endian) | head JSON | bytes`.
//!
//! Into wasm, the bytes are a request's raw body, or the bytes of effects' outcomes. Back to the host, they are the
//! body of a finished step's response, or the bytes of a waiting step's effects and statements. The head contains the
//! lengths of outcomes, effects and statements.

use serde::{Deserialize, Serialize};

use crate::http::{Request, Response};
use crate::task::{Effect, IncomingResponse, Outcome, Progress, Received, Sql, SqlValue};

/// The reason why a frame cannot be read: an error of the shim, never of a visitor.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The frame ends before its head, or before the bytes of its outcomes.
    #[error("the frame is shorter than its head")]
    Short,
    /// The head is invalid JSON.
    #[error("the frame's head cannot be read: {0}")]
    Head(#[from] serde_json::Error),
    /// The principal's id or login contains U+0000, which databases reject.
    #[error("the principal's id or login contains the character U+0000")]
    Principal,
}

fn split(frame: &[u8]) -> Result<(&[u8], &[u8]), FrameError> {
    let (length, rest) = frame.split_first_chunk::<4>().ok_or(FrameError::Short)?;
    let length = u32::from_le_bytes(*length) as usize;
    rest.split_at_checked(length).ok_or(FrameError::Short)
}

fn join(head: &impl Serialize, body: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(body.len() + 1_024);
    frame.extend_from_slice(&[0; 4]);
    if serde_json::to_writer(&mut frame, head).is_err() {
        // Heads are plain structs, so this cannot fail. If it did, the shim would see an empty head and respond with
        // 500.
        frame.truncate(4);
    }
    let length = u32::try_from(frame.len() - 4).unwrap_or(0).to_le_bytes();
    if let Some(start) = frame.first_chunk_mut::<4>() {
        *start = length;
    }
    frame.extend_from_slice(body);
    frame
}

/// Reads a request.
pub fn read_request(frame: &[u8]) -> Result<Request, FrameError> {
    let (head, body) = split(frame)?;
    let mut request: Request = crate::json::read(head)?;
    let principal = request.principal.as_ref();
    if principal
        .is_some_and(|principal| principal.id.contains('\0') || principal.login.contains('\0'))
    {
        return Err(FrameError::Principal);
    }
    request.body = body.to_vec();
    Ok(request)
}

#[derive(Serialize)]
struct PostedEffect<'a> {
    id: u32,
    bytes: Option<usize>,
    /// Each statement's text, the length of its parameters in bytes, and its position in `Statement::gathered`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    statements: Vec<(&'a Sql, usize, i8)>,
    #[serde(flatten)]
    effect: &'a Effect,
}

/// Posts an effect, and writes its bytes after the head. The parameters of a statement are a JSON list; a gathered
/// statement's one parameter is written as it is, since it is a JSON list already.
fn post<'a>(id: u32, effect: &'a Effect, body: &mut Vec<u8>) -> PostedEffect<'a> {
    let mut posted = Vec::new();
    if let Effect::Sql { statements, .. } = effect {
        for statement in statements {
            let before = body.len();
            match &*statement.params {
                [SqlValue::Text(list)] if statement.gathered != 0 => body.extend(list.as_bytes()),
                // Writing to memory cannot fail.
                params => serde_json::to_writer(&mut *body, params).unwrap_or_default(),
            }
            posted.push((&statement.sql, body.len() - before, statement.gathered));
        }
    }
    body.extend(effect.bytes().unwrap_or_default());
    PostedEffect {
        id,
        bytes: effect.bytes().map(<[u8]>::len),
        statements: posted,
        effect,
    }
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum StepHead<'a> {
    Done(&'a Response),
    Waiting {
        task: u64,
        effects: Vec<PostedEffect<'a>>,
    },
    Gone,
}

/// Writes a step: `{"done":{status,headers,…}}`, `{"waiting":{task,effects}}` or `"gone"`.
pub fn write_step(progress: &Progress<Response>) -> Vec<u8> {
    let mut body = Vec::with_capacity(2_048);
    let head = match progress {
        Progress::Done(response) => return join(&StepHead::Done(response), &response.body),
        Progress::Waiting { task, effects } => StepHead::Waiting {
            task: task.number(),
            effects: (effects.iter())
                .map(|(id, effect)| post(*id, effect, &mut body))
                .collect(),
        },
        Progress::Gone => StepHead::Gone,
    };
    join(&head, &body)
}

#[derive(Deserialize)]
struct ResumeHead {
    now: i64,
    outcomes: Vec<ArrivedOutcome>,
}

#[derive(Deserialize)]
struct ArrivedOutcome {
    id: u32,
    #[serde(default)]
    bytes: usize,
    outcome: Outcome,
}

/// The time, and the outcomes by the numbers of their effects.
pub type Outcomes = (i64, Vec<(u32, Outcome)>);

/// Reads the outcomes that resume a task.
pub fn read_outcomes(frame: &[u8]) -> Result<Outcomes, FrameError> {
    let (head, mut rest) = split(frame)?;
    let head: ResumeHead = crate::json::read(head)?;
    let mut outcomes = Vec::with_capacity(head.outcomes.len());
    for mut arrived in head.outcomes {
        let (bytes_of_outcome, following) = rest
            .split_at_checked(arrived.bytes)
            .ok_or(FrameError::Short)?;
        rest = following;
        if let Outcome::Http(IncomingResponse { body: bytes, .. })
        | Outcome::File(Some(bytes))
        | Outcome::Received(Received { first: bytes, .. }) = &mut arrived.outcome
        {
            *bytes = bytes_of_outcome.to_vec();
        }
        outcomes.push((arrived.id, arrived.outcome));
    }
    Ok((head.now, outcomes))
}
