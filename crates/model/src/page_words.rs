//! The keys of the texts that only the engine's pages show, in groups. `src/pages/script_words.rs` passes the groups of
//! the visitor's script to the forms that need them. The build script reads all groups too: without the feature
//! `page-texts` their texts are left out.

/// Keys of texts that neither this crate nor `markup` reads.
pub static PAGE_WORDS: [&[&str]; 11] = [
    &SENDING_WORDS,
    &REVIEW_WORDS,
    &CONVERSATION_WORDS,
    &CLEAR_WORDS,
    &RANKING_WORDS,
    &SAVING_WORDS,
    &CAPTCHA_WORDS,
    &ROW_WORDS,
    &SIGNATURE_WORDS,
    &UPLOAD_WORDS,
    &SERVER_WORDS,
];

/// The words of the sending state (`visitor/script/sending.ts`), of kept answers, of input aids (`aids.ts`) and of
/// lists (`lists.ts`).
pub static SENDING_WORDS: [&str; 16] = [
    "sending",
    "try_again",
    "sending_slow",
    "no_answer",
    "offline",
    "offline_now",
    "online_again",
    "server_error",
    "answers_restored",
    "start_again",
    "keeps_nothing",
    "show_password",
    "hide_password",
    "characters_left",
    "typo_hint",
    "no_results",
];

/// The words of a review.
pub static REVIEW_WORDS: [&str; 2] = ["review_title", "review_change"];

/// The words of a conversational form (`visitor/script/conversation.ts`).
pub static CONVERSATION_WORDS: [&str; 16] = [
    "start",
    "ok",
    "skip",
    "go_on",
    "check_answers",
    "question_count",
    "question_count_up_to",
    "question_of",
    "question_of_up_to",
    "press_key",
    "choose_by_letter",
    "choose_by_number",
    "choose_by_tap",
    "not_answered",
    "answers_kept",
    "sent_before",
];

/// The word of the button that clears an answer.
pub static CLEAR_WORDS: [&str; 1] = ["clear_answer"];

/// The words of a ranking (`visitor/script/ranking.ts`).
pub static RANKING_WORDS: [&str; 4] = ["rank_down", "rank_hint", "rank_moved", "rank_up"];

/// The words of saved progress (`visitor/script/resume.ts`).
pub static SAVING_WORDS: [&str; 11] = [
    "saved_copied",
    "saved_copy",
    "saved_delete",
    "saved_done",
    "saved_found",
    "saved_keep",
    "saved_load",
    "saved_mail",
    "saved_mail_address",
    "saved_mail_sent",
    "saved_title",
];

/// The words of a form with captchas.
pub static CAPTCHA_WORDS: [&str; 1] = ["captcha_unavailable"];

/// The words of repeating groups (`visitor/script/rows.ts`).
pub static ROW_WORDS: [&str; 2] = ["row_removed", "row_undo"];

/// The words of a signature pad (`visitor/script/signature.ts`).
pub static SIGNATURE_WORDS: [&str; 6] = [
    "signature_clear",
    "signature_done",
    "signature_draw",
    "signature_name",
    "signature_open",
    "signature_type",
];

/// The words of file fields (`visitor/script/upload-field.ts`).
pub static UPLOAD_WORDS: [&str; 36] = [
    "upload_pick",
    "upload_pick_one",
    "upload_pick_other",
    "upload_drop",
    "upload_drop_one",
    "upload_here",
    "upload_remove",
    "upload_remove_file",
    "upload_again",
    "upload_sum",
    "upload_list",
    "upload_pasted",
    "upload_waiting",
    "upload_sending",
    "upload_retry",
    "upload_offline",
    "upload_done",
    "upload_later",
    "upload_failed",
    "upload_type",
    "upload_large",
    "upload_empty",
    "upload_twice",
    "upload_many",
    "upload_one_only",
    "upload_folder",
    "upload_more",
    "upload_added",
    "upload_added_one",
    "upload_all_done",
    "upload_one_done",
    "upload_some_done",
    "upload_removed",
    "upload_missing",
    "upload_unfinished",
    "upload_form_waits",
];

/// The words that only the server reads, such as the errors of the site.
static SERVER_WORDS: [&str; 39] = [
    "leave_empty",
    "send_another",
    "print",
    "save_later",
    "save_auto",
    "saved_link",
    "saved_not_found",
    "saved_elsewhere",
    "saved_changed",
    "saving_off",
    "too_much_to_save",
    "saved_mail_subject",
    "saved_mail_text",
    "saved_deleted",
    "mail_off",
    "seats_left",
    "seats_none",
    "body_too_slow",
    "draft_title",
    "failed_title",
    "file_link_expired",
    "form_not_found",
    "invalid_body",
    "mail_copy",
    "mail_copy_subject",
    "mail_open",
    "mail_subject",
    "not_found_title",
    "origin_not_allowed",
    "rest_payload_too_large",
    "site_busy",
    "site_failed",
    "too_many_fields",
    "too_many_requests",
    "upload_quota_reached",
    "upload_max_files",
    "upload_max_each",
    "upload_max_size",
    "back_to_site",
];
