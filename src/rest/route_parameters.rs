//! Parameters that several routes share.

use super::MAX_SAFE_INTEGER;
use super::parameters::{Kind, Parameter};

pub(super) const ID: Parameter = Parameter::id("id", "The id of the item that the path names.");
pub(super) const FORM_ID: Parameter = Parameter::id("form_id", "The id of the form.");
pub(super) const PATCH_MARKUP: Parameter = Parameter::query(
    "patch_markup",
    Kind::Boolean,
    "Whether to edit the author's markup in place, if the markup is the form's source and the edit is possible there.",
);
pub(super) const PATCH_ONLY: Parameter = Parameter::query(
    "patch_only",
    Kind::Boolean,
    "Whether to edit the author's markup in place, or else to reject the edit.",
);
pub(super) const EDIT_REPORT: Parameter = Parameter::query(
    "report",
    Kind::Boolean,
    "Whether to return warnings about the edit's effect on the markup.",
);
pub(super) const REVISION: Parameter = Parameter::id("revision", "The number of the revision.");
pub(super) const FIELD_NAME: Parameter = Parameter::segment("name", "The name of the field.");
pub(super) const DATE_FROM: Parameter =
    Parameter::query("date_from", Kind::Date, "The first day, in UTC.");
pub(super) const DATE_TO: Parameter =
    Parameter::query("date_to", Kind::Date, "The last day, in UTC.");
pub(super) const PER_PAGE: Kind = Kind::Integer(1, 100);

pub(super) const PAGE_NUMBER: Parameter =
    Parameter::query("page", Kind::Integer(1, 1_000_000_000), "The page number.").or("1");
pub(super) const PAGE_SIZE: Parameter =
    Parameter::query("per_page", PER_PAGE, "The page size.").or("20");
pub(super) const PAGE_OFFSET: Parameter = Parameter::query(
    "offset",
    Kind::Integer(0, 1_000_000_000),
    "The number of items to skip. Replaces `page`.",
);
pub(super) const CURSOR: Parameter = Parameter::query(
    "cursor",
    Kind::Text(100),
    "The value of X-CF-Next-Cursor from the previous page; empty for the first page. Replaces `page`, and is equally fast on every page.",
);
pub(super) const DESCENDING: Parameter =
    Parameter::query("order", Kind::Enum(&["asc", "desc"]), "The sort direction.").or("\"desc\"");

pub(super) const STATUS: Kind = Kind::Text(20);
pub(super) const WITH_STATUS: Parameter = Parameter::query(
    "status",
    Kind::Text(200),
    "Only submissions with one of these statuses, separated by commas; `any` for all. Default: all except spam and trash.",
);
pub(super) const WITH_WORDS: Parameter = Parameter::query(
    "search",
    Kind::Text(200),
    "Only submissions that contain all of these words, or words that begin with them, in the answers, the IP address or the id.",
);
pub(super) const STARRED: Parameter = Parameter::query(
    "starred",
    Kind::Boolean,
    "true for only starred submissions, false for only the others.",
);
pub(super) const WITH_ANSWERS: Parameter = Parameter::query(
    "field",
    Kind::Texts,
    "Only submissions with exactly these answers, as `field[name]=value`; at most 10.",
);
pub(super) const AFTER: Parameter =
    Parameter::query("after", Kind::Moment, "Only items from after this time.");
pub(super) const BEFORE: Parameter =
    Parameter::query("before", Kind::Moment, "Only items from before this time.");
pub(super) const SUBMISSIONS_BY: Parameter = Parameter::query(
    "orderby",
    Kind::Enum(&["submitted_at", "date", "id", "modified_at"]),
    "The sort key. Default: submitted_at. A search always sorts by id, the order of arrival. modified_at is the time of the last activity; it cannot be combined with search, starred, field, after or before.",
);
pub(super) const CREATED_BY: Parameter = Parameter::query(
    "orderby",
    Kind::Enum(&["created_at", "date", "id"]),
    "The sort key.",
)
.or("\"created_at\"");
pub(super) const SOME_ID: Kind = Kind::Integer(1, MAX_SAFE_INTEGER);
pub(super) const EMAIL: Parameter = Parameter::body(
    "email",
    Kind::Line(320),
    "The email address. Upper and lower case are equal.",
)
.required();
pub(super) const OF_FORM: Parameter =
    Parameter::query("form_id", SOME_ID, "Only items of this form.");
pub(super) const OF_SUBMISSION: Parameter =
    Parameter::query("submission_id", SOME_ID, "Only items of this submission.");
