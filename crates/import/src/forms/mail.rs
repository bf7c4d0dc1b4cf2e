//! Adds mails and other actions to a form.

use serde_json::{Map, Value};

use super::builder::Builder;
use super::rules::{conditions, met};
use crate::values::{put, put_text, texts};

/// A mail with this engine's variables.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    pub name: String,
    pub is_off: bool,
    pub to: String,
    pub subject: String,
    pub from_name: String,
    pub from_email: String,
    pub reply_to: String,
    pub cc: String,
    pub bcc: String,
    pub message: String,
    pub is_plain: bool,
    /// The names of the fields whose files are attached.
    pub attachments: String,
    pub conditions: Option<Value>,
}

impl Builder<'_> {
    /// Adds a copy of a mail that goes to `to` if `rule` and the mail's own conditions hold. If one of them cannot be
    /// expressed, the copy is off: it would reach wrong recipients.
    pub fn routed_mail(&mut self, mail: &Mail, to: String, rule: Option<Value>) {
        let of_mail = mail.conditions.as_ref().map(met);
        let rules: Vec<Option<Value>> = of_mail.into_iter().chain([rule]).collect();
        let is_lost = rules.iter().any(Option::is_none);
        if is_lost {
            self.note("notification/off", &mail.name, "");
        }
        self.mail(Mail {
            is_off: mail.is_off || is_lost,
            to,
            conditions: conditions("show", "all", rules.into_iter().flatten().collect()),
            ..mail.clone()
        });
    }

    /// Adds a mail; a mail only to the visitor becomes an autoresponder.
    pub fn mail(&mut self, mail: Mail) {
        let is_address = |part: &&str| part.contains('@') || part.contains('[');
        let recipients = mail.to.split([',', ';']).map(str::trim);
        let recipients: Vec<&str> = recipients.filter(is_address).collect();
        let visitor = match recipients.as_slice() {
            [one] => self.email_field(one),
            _ => None,
        };
        let mut action = Map::new();
        if let Some(field) = &visitor {
            action.extend(texts(&[("type", "autoresponder"), ("email_field", field)]));
        } else {
            put_text(&mut action, "type", "email");
            put_text(&mut action, "to", &recipients.join(", "));
        }
        put_text(&mut action, "action_name", mail.name.trim());
        if mail.is_off {
            put(&mut action, "action_enabled", Value::Bool(false));
        }
        let (name, address) = (mail.from_name.trim(), mail.from_email.trim());
        if visitor.is_some() {
            put_text(&mut action, "from_name", name);
            put_text(&mut action, "from_email", address);
        } else {
            let from = match (name, address) {
                ("", one) | (one, "") => one.to_owned(),
                (name, address) => [name, " <", address, ">"].concat(),
            };
            put_text(&mut action, "from", &from);
        }
        let message = match mail.message.trim() {
            "" => "[all:label]",
            message => message,
        };
        for (member, text) in [
            ("subject", mail.subject.trim()),
            ("reply_to", mail.reply_to.trim()),
            ("cc", mail.cc.trim()),
            ("bcc", mail.bcc.trim()),
            ("message", message),
            ("attachments", mail.attachments.trim()),
            (
                "content_type",
                if mail.is_plain { "text/plain" } else { "" },
            ),
        ] {
            put_text(&mut action, member, text);
        }
        if let Some(conditions) = mail.conditions {
            put(&mut action, "conditions", conditions);
        }
        self.actions.push(Value::Object(action));
    }

    /// Adds another action.
    pub fn action(&mut self, action: Map<String, Value>) {
        self.actions.push(Value::Object(action));
    }

    /// The name of the email field that a variable such as `[email]` refers to.
    fn email_field(&self, variable: &str) -> Option<String> {
        let name = variable.strip_prefix('[')?.strip_suffix(']')?;
        let mut items = self.items.iter();
        let field = items.find(|item| item.kind == "email" && item.name == name)?;
        Some(field.name.clone())
    }

    /// The names of the fields for files, separated by commas.
    pub fn file_fields(&self) -> String {
        let files = self.items.iter().filter(|item| item.kind == "file");
        let names: Vec<&str> = files.map(|item| item.name.as_str()).collect();
        names.join(", ")
    }
}
