//! Lists of submissions by their last activity.

use serde_json::json;

use crate::host::Host;
use crate::submissions_fixture::ids;
use crate::submissions_lists::{get, with_submissions};

/// Reads a list to its end by cursors.
fn walked(host: &mut Host, query: &str) -> Vec<i64> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let (response, body) = get(
            host,
            &format!("/submissions?{query}&per_page=3&cursor={cursor}"),
        );
        all.extend(ids(&body));
        match response.header("x-cf-next-cursor") {
            Some(next) => cursor = next.to_owned(),
            None => return all,
        }
    }
}

#[test]
fn a_list_by_last_activity_begins_with_the_last_changed() {
    let (mut host, form) = with_submissions();
    for (id, status) in [
        (7, "read"),
        (3, "archived"),
        (12, "spam"),
        (20, "read"),
        (7, "replied"),
    ] {
        host.now += 1000;
        let path = format!("/submissions/{id}");
        let (code, body) = host.send("PATCH", &path, Some(json!({"status": status})));
        assert_eq!(code, 200, "{body}");
    }
    let of_form = format!("&form_id={form}");
    let rows: [(&str, &[i64], usize); 6] = [
        ("", &[7, 20, 3], 24),
        (&of_form, &[7, 20, 3], 24),
        ("&status=any", &[7, 20, 12, 3], 25),
        ("&status=read,replied,archived", &[7, 20, 3], 3),
        ("&status=spam", &[12], 1),
        ("&status=read&form_id=1", &[20], 1),
    ];
    for (filter, first, count) in rows {
        let query = format!("orderby=modified_at{filter}");
        let (response, body) = get(&mut host, &format!("/submissions?{query}&per_page=100"));
        let all = ids(&body);
        assert_eq!(&all[..first.len()], first, "{filter}");
        let total = response.header("x-wp-total");
        assert_eq!(
            (all.len(), total),
            (count, Some(&*count.to_string())),
            "{filter}"
        );
        assert_eq!(walked(&mut host, &query), all, "{filter}");
        let ascending = walked(&mut host, &format!("{query}&order=asc"));
        assert_eq!(
            ascending,
            all.into_iter().rev().collect::<Vec<_>>(),
            "{filter}"
        );
    }
}
