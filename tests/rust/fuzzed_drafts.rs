//! Invariants of drafts: any body is stored or rejected with a message, then published or rejected. No request causes
//! an
//! internal error, publishing lets no author without the right add scripts, and the visitors' page works afterwards.

use cf_forms::http::{Principal, Request};
use cf_forms::markup::sanitize;
use serde_json::{Value, json};

use crate::front_fixture;
use crate::host::Host;

/// Number of inputs after which the site is created again.
const INPUTS_OF_A_SITE: usize = 500;

pub struct Drafts {
    host: Host,
    inputs: usize,
}

impl Drafts {
    pub fn new() -> Drafts {
        let host = Host::new();
        Drafts { host, inputs: 0 }
    }

    /// Stores a draft as an editor without `unfiltered_html`, and publishes it as an administrator. Returns whether it
    /// was published.
    pub fn check(&mut self, draft: &[u8]) -> bool {
        self.inputs += 1;
        if self.inputs.is_multiple_of(INPUTS_OF_A_SITE) {
            self.host = Host::new();
        }
        let markup = "<label>A <input name=a></label>";
        let (id, slug) = front_fixture::make_form(&mut self.host, markup, json!({}));
        let path = format!("/forms/{id}");
        let is_published = self.is_stored(&path, draft) && self.is_published(&path);
        let request = front_fixture::visitor(&self.host, "GET", &format!("/{slug}"));
        let page = self.host.visit(request);
        assert!(page.status < 500, "{:?}", page.log);
        self.send("DELETE", &format!("{path}?force=true"));
        is_published
    }

    fn is_stored(&mut self, path: &str, draft: &[u8]) -> bool {
        let request = self
            .host
            .request("PUT", &format!("/cf/v1{path}/draft"), Some(json!({})));
        let stored = self.host.handle(Request {
            principal: Some(Principal {
                access: String::new(),
                id: "2".to_owned(),
                login: "editor".to_owned(),
                capabilities: vec!["edit_forms".to_owned()],
            }),
            body: draft.to_vec(),
            ..request
        });
        assert!(stored.status < 500, "{} {:?}", stored.status, stored.log);
        if stored.status >= 400 {
            let answer: Value = serde_json::from_slice(&stored.body).unwrap();
            assert!(
                answer["code"].is_string() && answer["message"].is_string(),
                "{answer}"
            );
        }
        stored.status < 400
    }

    fn is_published(&mut self, path: &str) -> bool {
        self.send("GET", &format!("{path}/draft"));
        let (status, answer) = self.send("POST", &format!("{path}/publish"));
        if status >= 400 {
            assert!(
                answer["code"].is_string() && answer["message"].is_string(),
                "{answer}"
            );
            return false;
        }
        let (_, form) = self.send("GET", path);
        let markup = form["markup"].as_str().unwrap_or_default();
        let (clean, removed) = sanitize(markup).unwrap();
        assert_eq!(clean, markup, "publishing kept {removed:?}");
        true
    }

    fn send(&mut self, method: &str, path: &str) -> (u16, Value) {
        let body = (method == "POST").then(|| json!({}));
        let (status, answer) = self.host.send(method, path, body);
        assert!(status < 500, "{method} {path}: {status} {answer}");
        (status, answer)
    }

    pub fn seeds() -> Vec<Vec<u8>> {
        let fields = json!([
            {"name": "a", "type": "select", "label": "A", "required": true, "options": [{"value": "x", "label": "X"}], "conditions": {"action": "show", "rules": [{"field": "b", "operator": "equals", "value": "1"}]}},
            {"name": "b", "type": "number", "label": "B", "validation": {"min": 1, "max": 9}},
            {"name": "c", "type": "file", "label": "C", "attributes": {"accept": ".pdf"}},
        ]);
        let layout = json!({"type": "multi-step", "steps": [{"id": "s", "title": "S", "fields": ["a", "b"]}, {"id": "t", "title": "T", "fields": ["c"]}]});
        let settings = json!({"actions": [{"type": "email", "to": "a@example.org", "subject": "[a]"}, {"type": "webhook", "url": "https://example.org/", "secret": "s"}], "language": "de", "redirect_url": "https://example.org/", "closes_at": "2027-01-01T00:00:00Z"});
        let drafts = [
            json!({"base_revision": 1, "title": "T", "markup": "<p data-show-if=\"a=1\" onclick=x><input name=b pattern=\"[a-z]+\"><textarea name=c data-cf-embed=x></textarea></p><script>x</script>"}),
            json!({"base_revision": 1, "source": "schema", "schema": {"fields": fields, "layout": layout}, "settings": settings, "messages": {"success": "Hi [a]"}}),
            json!({"base_revision": 1, "title": null, "markup": null, "schema": null, "settings": settings, "messages": {}}),
            json!({"base_revision": 9, "settings": {}, "messages": {}}),
        ];
        let drafts = drafts.map(|draft| draft.to_string().into_bytes());
        drafts.to_vec()
    }
}
