//! Forms and submissions in the trash: waiting entries, the purge, and upgrades.

use cf_forms::store::submissions::{Inserted, insert};
use cf_forms::submissions::StoredFile;
use serde_json::{Value, json};

use crate::analytics::rebuild;
use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{claim, mail, run, stats};
use crate::queue_purge::{DAY, purge};
use crate::submissions_fixture::{assert_counters_agree, count, form, new, stored};

fn ok((status, answer): (u16, Value)) -> Value {
    assert!(matches!(status, 200 | 201), "{status} {answer}");
    answer
}

fn mailing_form(host: &mut Host) -> (i64, String) {
    make_form(host, "<input name=a>", json!({"actions": [mail()]}))
}

#[test]
fn actions_of_a_form_in_the_trash_wait_until_it_is_restored() {
    let mut host = Host::new();
    let (id, slug) = mailing_form(&mut host);
    submit(&mut host, &slug, &[("a", "waits")]);
    submit(&mut host, &slug, &[("a", "spam")]);
    ok(host.send("PATCH", "/submissions/2", Some(json!({"status": "spam"}))));
    // One entry is claimed before the form is moved to the trash, and run afterwards.
    submit(&mut host, &slug, &[("a", "claimed")]);
    let claims = claim(&mut host, 1);
    ok(host.send("DELETE", &format!("/forms/{id}"), None));
    assert_eq!(run(&mut host, &claims[0])["status"], "withheld");
    host.now += 3 * DAY;
    assert_eq!(claim(&mut host, 10), Vec::<Value>::new());
    host.run_queue();
    assert_eq!(host.mails.len(), 0);
    assert_eq!(
        count(
            &host,
            "SELECT COUNT(*) FROM cf_action_queue WHERE status = 'pending'"
        ),
        3
    );

    ok(host.send("POST", &format!("/forms/{id}/restore"), None));
    assert_eq!(stats(&mut host)["pending"], 3);
    host.run_queue();
    assert_eq!(host.mails.len(), 2);
    assert_eq!(stats(&mut host)["completed"], 2);
    assert_counters_agree(&host);
}

#[test]
fn an_entry_that_loses_its_lease_in_the_trash_waits_for_the_restore() {
    let mut host = Host::new();
    let (id, slug) = mailing_form(&mut host);
    submit(&mut host, &slug, &[("a", "waits")]);
    assert_eq!(claim(&mut host, 1).len(), 1);
    ok(host.send("DELETE", &format!("/forms/{id}"), None));
    // The worker died; another one claims the entry.
    host.now += DAY / 24;
    host.run_queue();
    assert_eq!(host.mails.len(), 0);
    assert_eq!(claim(&mut host, 10), Vec::<Value>::new());
    ok(host.send("POST", &format!("/forms/{id}/restore"), None));
    host.run_queue();
    assert_eq!(host.mails.len(), 1);
}

#[test]
fn forms_and_submissions_are_deleted_after_30_days_in_the_trash() {
    let mut host = Host::new();
    let [gone, kept] = ["gone", "kept"].map(|slug| form(&mut host, slug, json!({})));
    for answer in ["one", "two"] {
        stored(&mut host, new(gone, answer));
    }
    let thrown = stored(&mut host, new(kept, "thrown"));
    let restored = stored(&mut host, new(kept, "restored"));
    for id in [thrown, restored] {
        let path = format!("/submissions/{id}");
        ok(host.send("PATCH", &path, Some(json!({"status": "trash"}))));
    }
    ok(host.send("DELETE", &format!("/forms/{gone}"), None));
    host.now += 29 * DAY;
    purge(&mut host);
    let path = format!("/submissions/{restored}");
    ok(host.send("PATCH", &path, Some(json!({"status": "read"}))));
    // The 30 days of this form begin 29 days after those of the first.
    let second = form(&mut host, "second", json!({}));
    ok(host.send("DELETE", &format!("/forms/{second}"), None));
    let trash = ok(host.send("GET", "/forms?status=trash", None));
    assert_eq!(trash.as_array().map(Vec::len), Some(2));

    host.now += DAY + 1;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
    let trash = ok(host.send("GET", "/forms?status=trash", None));
    assert_eq!(trash[0]["slug"], "second");
    let of_form = format!("SELECT COUNT(*) FROM cf_stats WHERE form_id = {gone}");
    assert_eq!(count(&host, &of_form), 0);
    assert_counters_agree(&host);
    host.now += 30 * DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_forms"), 1);
}

#[test]
fn an_imported_form_in_the_trash_is_imported_again() {
    let mut host = Host::new();
    let id = form(&mut host, "kept", json!({}));
    let exported = ok(host.send("GET", "/forms/export", None));
    ok(host.send("DELETE", &format!("/forms/{id}"), None));
    let content = json!({"content": exported.to_string()});
    let made = ok(host.send("POST", "/forms/import", Some(content)));
    assert_eq!(made["forms"][0]["slug"], "kept");
    assert_ne!(made["forms"][0]["id"], id);
    let answer = ok(host.send("POST", &format!("/forms/{id}/restore"), None));
    assert_eq!(answer["slug"], "kept-2");
    let all = ok(host.send("GET", "/forms/export", None));
    assert_eq!(all["forms"].as_array().map(Vec::len), Some(2));
}

#[test]
fn stars_are_recounted() {
    let mut host = Host::new();
    let id = form(&mut host, "stars", json!({}));
    let star = stored(&mut host, new(id, "one"));
    let path = format!("/submissions/{star}");
    ok(host.send("PATCH", &path, Some(json!({"starred": true}))));
    let starred =
        |host: &mut Host| ok(host.send("GET", "/submissions/counts", None))["starred"].as_i64();
    assert_eq!(starred(&mut host), Some(1));
    host.database
        .execute("UPDATE cf_stats SET count = 5 WHERE metric = 'starred'", [])
        .unwrap();
    assert_eq!(rebuild(&mut host).len(), 2);
    assert_eq!(starred(&mut host), Some(1));
}

#[test]
fn a_submit_whose_files_were_purged_finds_no_form_in_the_trash() {
    let mut host = Host::new();
    let id = form(&mut host, "trashed", json!({}));
    ok(host.send("DELETE", &format!("/forms/{id}"), None));
    let mut new = new(id, "late");
    new.submission.files = vec![StoredFile {
        field: "cv".to_owned(),
        key: "purged/cv".to_owned(),
        ..StoredFile::default()
    }];
    let inserted = host.run(async move |cx| insert(&cx, &new).await);
    assert!(matches!(inserted, Ok(Inserted::FormGone)), "{inserted:?}");
}
