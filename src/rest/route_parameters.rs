//! The parameters that several routes have.

use super::MAX_SAFE_INTEGER;
use super::parameters::{Kind, Parameter};

pub(super) const ID: Parameter = Parameter::id("id", "The id.");
pub(super) const FORM_ID: Parameter = Parameter::id("form_id", "The id of the form.");
pub(super) const PATCH_MARKUP: Parameter = Parameter::query(
    "patch_markup",
    Kind::Boolean,
    "Whether to edit the author's markup in place if it is the form's source.",
);
pub(super) const PATCH_ONLY: Parameter = Parameter::query(
    "patch_only",
    Kind::Boolean,
    "Whether to edit the author's markup in place, and reject the edit if that is impossible.",
);
pub(super) const EDIT_REPORT: Parameter = Parameter::query(
    "report",
    Kind::Boolean,
    "Whether to report the effect on the markup.",
);
pub(super) const REVISION: Parameter = Parameter::id("revision", "The number of the revision.");
pub(super) const FIELD_NAME: Parameter = Parameter::segment("name", "The name of the field.");
pub(super) const DATE_FROM: Parameter =
    Parameter::query("date_from", Kind::Date, "The first UTC day.");
pub(super) const DATE_TO: Parameter = Parameter::query("date_to", Kind::Date, "The last UTC day.");
pub(super) const PER_PAGE: Kind = Kind::Integer(1, 100);

pub(super) const PAGE_NUMBER: Parameter =
    Parameter::query("page", Kind::Integer(1, 1_000_000_000), "The page number.").or("1");
pub(super) const PAGE_SIZE: Parameter =
    Parameter::query("per_page", PER_PAGE, "The page size.").or("20");
pub(super) const PAGE_OFFSET: Parameter = Parameter::query(
    "offset",
    Kind::Integer(0, 1_000_000_000),
    "The number of items to skip, instead of a page.",
);
pub(super) const CURSOR: Parameter = Parameter::query(
    "cursor",
    Kind::Text(100),
    "The value of X-CF-Next-Cursor, or empty for the first page; instead of a page. The cost is the same at any depth.",
);
pub(super) const DESCENDING: Parameter =
    Parameter::query("order", Kind::Enum(&["asc", "desc"]), "The sort direction.").or("\"desc\"");

pub(super) const STATUS: Kind = Kind::Text(20);
pub(super) const WITH_STATUS: Parameter = Parameter::query(
    "status",
    Kind::Text(200),
    "Only this status, or any of these, separated by commas; any for all. Default: all but spam and trash.",
);
pub(super) const WITH_WORDS: Parameter = Parameter::query(
    "search",
    Kind::Text(200),
    "Only with all of these words or prefixes of words in the answers, the IP address or the id.",
);
pub(super) const STARRED: Parameter = Parameter::query(
    "starred",
    Kind::Boolean,
    "Only starred submissions, or only others.",
);
pub(super) const WITH_ANSWERS: Parameter = Parameter::query(
    "field",
    Kind::Texts,
    "Only with these exact answers: field[name]=value, at most 10.",
);
pub(super) const AFTER: Parameter =
    Parameter::query("after", Kind::Moment, "Only after this time.");
pub(super) const BEFORE: Parameter =
    Parameter::query("before", Kind::Moment, "Only before this time.");
pub(super) const SUBMISSIONS_BY: Parameter = Parameter::query(
    "orderby",
    Kind::Enum(&["submitted_at", "date", "id", "modified_at"]),
    "The sort key. Default: submitted_at; a search is always by id, the order of arrival. modified_at is the last activity; it cannot be combined with search, starred, field, after or before.",
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
    "The email address, in any letter case.",
)
.required();
pub(super) const OF_FORM: Parameter = Parameter::query("form_id", SOME_ID, "Only of this form.");
pub(super) const OF_SUBMISSION: Parameter =
    Parameter::query("submission_id", SOME_ID, "Only of this submission.");
