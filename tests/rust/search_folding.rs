//! Searches that ignore accents, Unicode normalization and the spelling of domains, and the job that rewrites the index
//! for them while the site handles requests.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::submissions_fixture::{count, form, ids, new, stored};

fn search(host: &mut Host, query: &str) -> Vec<i64> {
    let encoded = form_urlencoded::Serializer::new(String::new())
        .append_pair("search", query)
        .finish();
    let (status, body) = host.send("GET", &format!("/submissions?{encoded}"), None);
    assert_eq!(status, 200, "{query}: {body}");
    ids(&body)
}

#[test]
fn a_search_ignores_accents_composition_and_compatibility_forms() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        (
            "Jérôme",
            &["Je\u{301}ro\u{302}me", "jerome", "JÉRÔME", "jér"],
            &["jerme"],
        ),
        ("Je\u{301}ro\u{302}me", &["Jérôme", "jerome", "jero"], &[]),
        (
            "Müller",
            &["Muller", "mu\u{308}ller", "MULLER"],
            &["mueller"],
        ),
        ("Straße 7", &["strasse", "STRASSE", "Straße", "STRAẞE"], &[]),
        (
            "Ørsted Łódź Đorđe",
            &["orsted", "lodz", "dorde", "ŁÓDŹ"],
            &[],
        ),
        ("Ærø œuvre", &["aero", "oeuvre", "ŒUVRE"], &[]),
        ("Ｆｕｌｌ ｗｉｄｔｈ", &["full width"], &[]),
        ("ﬁnance Ⅷ m²", &["finance", "viii", "m2"], &[]),
        (
            "Nguyễn Thị Ánh",
            &["nguyen", "thi anh", "Nguye\u{302}\u{303}n"],
            &[],
        ),
        ("Αθήνα ΟΔΟΣ", &["αθηνα", "ΑΘΗΝΑ", "οδος"], &[]),
        ("Алёна Йод", &["алена", "йод", "И\u{306}ОД"], &[]),
        ("IŞIK Kadıköy", &["ışık", "kadikoy", "işik"], &[]),
        ("한국어", &["\u{1112}\u{1161}\u{11ab}국어", "한국"], &[]),
        ("مُحَمَّد", &["محمد"], &[]),
        ("שָׁלוֹם", &["שלום"], &[]),
        ("हिन्दी", &["हिन्दी"], &["हन्द"]),
        ("Brücke\u{ad}n", &["brucken"], &[]),
        (
            "ada@münchen.de",
            &["ada@xn--mnchen-3ya.de", "münchen", "ADA@MÜNCHEN.DE"],
            &["mnchen"],
        ),
        (
            "ada@xn--mnchen-3ya.de",
            &["ada@münchen.de", "munchen.de"],
            &[],
        ),
    ];
    for (text, found, not_found) in rows {
        let mut host = Host::new();
        let form = form(&mut host, "contact", json!({}));
        let id = stored(&mut host, new(form, text));
        stored(&mut host, new(form, "something else"));
        for query in *found {
            assert_eq!(search(&mut host, query), [id], "{text:?} by {query:?}");
        }
        for query in *not_found {
            assert_eq!(
                search(&mut host, query),
                [] as [i64; 0],
                "{text:?} by {query:?}"
            );
        }
    }
}

#[test]
fn folding_is_independent_of_unicode_normalization() {
    use cf_forms::submissions::fold;
    // Composed, decomposed, and with the combining marks in another order, which Unicode considers equal.
    for (composed, decomposed) in [
        ("Ǻ", "A\u{30a}\u{301}"),
        ("ữ", "u\u{31b}\u{303}"),
        ("ᾳ", "α\u{345}"),
        ("がぱ", "か\u{3099}は\u{309a}"),
        ("각", "\u{1100}\u{1161}\u{11a8}"),
        ("\u{f900}", "\u{8c48}"),
        ("Å", "\u{212b}"),
    ] {
        assert_eq!(fold(composed), fold(decomposed), "{composed}");
    }
    assert_eq!(fold("Plain ASCII, 1 & 2!"), "plain ascii, 1 & 2!");
}

/// Runs the reindexing job step by step as a host does; returns its last state and the number of steps.
fn reindex(host: &mut Host) -> (String, usize) {
    for steps in 1..100 {
        let request = host.request("POST", "", Some(json!({"begun": steps > 1})));
        let progress = host.engine.reindex(request);
        let response = host.drive(progress);
        let body: Value = serde_json::from_slice(&response.body).expect("JSON");
        assert_eq!(response.status, 200, "{body} {:?}", response.log);
        let state = body["state"].as_str().expect("a state").to_owned();
        if state != "more" {
            return (state, steps);
        }
    }
    panic!("the job did not end")
}

/// Rewrites the index in the format of the previous version, which stored hashes of answers and addresses without
/// characters before them. Each submission is indexed only by `words`.
fn as_before(host: &Host, words: &str) {
    let sql = format!(
        "INSERT OR REPLACE INTO cf_submission_search (rowid, words) \
         SELECT id, '{words} ' || id || ' \u{e000}f1 \u{e000}snew \u{e000}l' FROM cf_submissions; \
         DELETE FROM cf_settings WHERE name LIKE 'search_%'; \
         INSERT INTO cf_settings VALUES ('search_indexed_4', '9007199254740991')"
    );
    host.database.execute_batch(&sql).unwrap();
}

/// The previous version's word of a hash: four characters of a private-use plane, with 16 bits each.
fn former_word(plane: u32, hash: &str) -> String {
    let bits = [0, 4, 8, 12].map(|at| u32::from_str_radix(&hash[at..at + 4], 16).unwrap());
    bits.iter()
        .map(|bits| char::from_u32(plane + bits).unwrap())
        .collect()
}

fn migrate(host: &mut Host) {
    let request = host.request("POST", "", None);
    let progress = host.engine.migrate(request);
    assert_eq!(host.drive(progress).status, 200);
}

#[test]
fn an_old_index_is_rewritten_in_steps_while_searches_continue() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for _ in 0..450 {
        stored(&mut host, new(form, "jérôme"));
    }
    let hash = format!("{:x}", Sha256::digest("answer\0jérôme"));
    let word = former_word(0xf_0000, &hash);
    as_before(&host, &format!("jerome {word}"));
    // A second process, which has not read the index yet.
    let mut host = host.restarted();
    let changes = count(&host, "SELECT total_changes()");
    migrate(&mut host);
    assert_eq!(
        count(&host, "SELECT total_changes()"),
        changes,
        "the start does not wait for the job"
    );
    let total = |host: &mut Host, query: &str| {
        let request = host.request("GET", &format!("/cf/v1/submissions?{query}"), None);
        let response = host.handle(request);
        let total = response.header("x-wp-total").unwrap();
        total.parse::<i64>().unwrap()
    };
    let (search, answer) = ("search=JEROME", "field[answer]=j%C3%A9r%C3%B4me");
    let both = [search, answer].join("&");
    let former = format!(
        "SELECT COUNT(*) FROM cf_submission_search WHERE cf_submission_search MATCH '\"{word}\"'"
    );
    let assert_found = |host: &mut Host, outdated: i64| {
        assert_eq!(count(host, &former), outdated);
        // 300 is the limit of the count; two words have half of it.
        for (query, expected) in [(search, 300), (answer, 300), (&both, 150)] {
            assert_eq!(total(host, query), expected, "{query} with {outdated}");
        }
        for id in [1, 200, 201, 450, 451] {
            let (status, body) =
                host.send("GET", &format!("/submissions?search={id}&{answer}"), None);
            assert_eq!((status, ids(&body)), (200, vec![id]), "{outdated}");
        }
    };
    let late = stored(&mut host, new(form, "jérôme"));
    assert_eq!(late, 451);
    assert_found(&mut host, 450);
    // The process ends after one step.
    let request = host.request("POST", "", Some(json!({"begun": false})));
    let progress = host.engine.reindex(request);
    assert_eq!(host.drive(progress).status, 200);
    let mut host = host.restarted();
    assert_eq!(
        reindex(&mut host),
        ("held".to_owned(), 1),
        "the other process may still run the job"
    );
    assert_found(&mut host, 250);
    host.now += 60_000;
    assert_eq!(
        reindex(&mut host),
        ("done".to_owned(), 3),
        "the job continues where it was interrupted"
    );
    assert_found(&mut host, 0);
    assert_eq!(reindex(&mut host), ("done".to_owned(), 1));
}

#[test]
fn personal_data_is_found_before_and_after_an_old_index_is_rewritten() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, "<input type=email name=mail>", json!({}));
    assert_eq!(
        submit(&mut host, &slug, &[("mail", "ada@example.org")]).0,
        200
    );
    let signer = host
        .run(async |cx| cf_forms::store::signer(&cx).await)
        .unwrap();
    let hash = signer.address_hash("ada@example.org");
    let word = former_word(0x10_0000, &hash);
    as_before(&host, &format!("ada example org {word}"));
    let mut host = host.restarted();
    let found = |host: &mut Host| {
        let body = json!({"email": "ada@example.org"});
        let (_, exported) = host.send("POST", "/privacy/export", Some(body));
        exported["submissions"].as_array().map(Vec::len)
    };
    assert_eq!(found(&mut host), Some(1));
    assert_eq!(reindex(&mut host), ("done".to_owned(), 2));
    assert_eq!(found(&mut host), Some(1));
}

#[test]
fn a_reindexing_turn_ends_after_forty_steps_and_the_next_continues() {
    let mut host = Host::new();
    form(&mut host, "contact", json!({}));
    let rows = "INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
        files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8100)
      SELECT 'u' || i, 1, 'new', 't', 0, 0, '[]', 0, '{\"answer\":\"Zoë\"}', '[]', '', '', '', '', 1, i, i FROM n";
    host.database.execute_batch(rows).unwrap();
    as_before(&host, "zoe");
    let mut host = host.restarted();
    assert_eq!(reindex(&mut host), ("paused".to_owned(), 40));
    assert_eq!(reindex(&mut host), ("done".to_owned(), 2));
    assert_eq!(search(&mut host, "zoe").len(), 20, "a page");
}

#[test]
fn an_email_address_is_found_in_both_spellings_of_its_domain() {
    let spellings = [
        "ada@münchen.de",
        "Ada@MÜNCHEN.de",
        "ada@xn--mnchen-3ya.de",
        "ada@mu\u{308}nchen.de",
    ];
    for stored_as in spellings {
        for spelling in spellings {
            let mut host = Host::new();
            let markup = "<input type=email name=mail><input name=note>";
            let (_, slug) = make_form(&mut host, markup, json!({}));
            let pairs = [("mail", stored_as), ("note", "x")];
            let (status, answer) = submit(&mut host, &slug, &pairs);
            assert_eq!(status, 200, "{answer}");
            let (_, list) = host.send("GET", "/submissions", None);
            assert_eq!(list[0]["data"]["mail"], stored_as, "as it was typed");
            let (_, exported) =
                host.send("POST", "/privacy/export", Some(json!({"email": spelling})));
            assert_eq!(
                exported["submissions"].as_array().map(Vec::len),
                Some(1),
                "{stored_as} by {spelling}"
            );
            if !stored_as.starts_with('A') && !spelling.starts_with('A') {
                let query = form_urlencoded::Serializer::new(String::new())
                    .append_pair("field[mail]", spelling)
                    .finish();
                let (_, found) = host.send("GET", &format!("/submissions?{query}"), None);
                assert_eq!(
                    ids(&found).len(),
                    1,
                    "{stored_as} by field[mail]={spelling}"
                );
            }
            let (_, receipt) =
                host.send("POST", "/privacy/erase", Some(json!({"email": spelling})));
            assert_eq!(receipt["submissions"], 1, "{stored_as} by {spelling}");
        }
    }
}

#[test]
fn duplicates_are_found_in_both_spellings_of_a_domain() {
    let mut host = Host::new();
    let settings = json!({"prevent_duplicates": true});
    let (_, slug) = make_form(&mut host, "<input type=email name=mail>", settings);
    let mut send = |mail| submit(&mut host, &slug, &[("mail", mail)]).0;
    assert_eq!(send("ada@münchen.de"), 200);
    assert_eq!(send("ada@xn--mnchen-3ya.de"), 409);
    assert_eq!(send("bob@münchen.de"), 200);
}

#[test]
fn mails_use_ascii_domains() {
    let mut host = Host::new();
    let markup = "<input type=email name=mail>";
    let actions = json!([{"type": "email", "to": "Büro <büro@x.org>, desk@MÜNCHEN.de", "cc": "\"Jérôme\" <j@münchen.de>", "reply_to": "[mail]"}]);
    let actions = json!([actions[0], {"type": "autoresponder", "email_field": "mail"}]);
    let (_, slug) = make_form(&mut host, markup, json!({"actions": actions}));
    submit(&mut host, &slug, &[("mail", "ada@münchen.de")]);
    host.run_queue();
    let of = |to: &str| {
        host.mails
            .iter()
            .find(|mail| mail.to.iter().any(|recipient| recipient.contains(to)))
            .expect(to)
    };
    let mail = of("desk@");
    assert_eq!(
        mail.to,
        ["desk@xn--mnchen-3ya.de"],
        "an address whose local part is not ASCII is left out"
    );
    assert_eq!(mail.cc, ["\"Jérôme\" <j@xn--mnchen-3ya.de>"]);
    assert_eq!(mail.reply_to, "ada@xn--mnchen-3ya.de");
    assert_eq!(of("ada@").to, ["ada@xn--mnchen-3ya.de"]);
}
