/**
 * The services' documentation as data: the request to each, its errors, and its limits for a long submission. The
 * addresses of the documentation are in `src/action_types/services/*.json`.
 */
import type { LocalResponse } from "./local-server.ts";
import type { JsonValue } from "./site.ts";

export type DocumentedResponse = LocalResponse;

export interface Endpoint {
  readonly method?: "GET" | "PUT";
  readonly path: string;
  /** Expected headers and body (matching.ts); no body when none is sent. */
  readonly headers?: Readonly<Record<string, JsonValue>>;
  readonly json?: JsonValue;
  readonly form?: Readonly<Record<string, string>>;
  readonly response: DocumentedResponse;
}

export interface DocumentedService {
  readonly origin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Endpoints in the order of their requests. */
  readonly endpoints: readonly Endpoint[];
  /** Settings that the service rejects, its response, and the expected text in the log. */
  readonly refused: {
    readonly settings: Readonly<Record<string, string>>;
    readonly response: DocumentedResponse;
    readonly says: string;
  };
  /** Response to too many requests; absent if the service documents only a status and a header. */
  readonly busy?: DocumentedResponse;
  /** Whether the service accepts a body of this length. */
  fits?(body: JsonValue): boolean;
}

/** Answers of visitors. Unescaped `@` and `<!` would mention people. */
export const ANSWERS = { email: "ann@example.org", name: "Ann", message: "Hi @all <!channel>", phone: "+15550002" };

const MESSAGE = "From [name]: [message]";
const TEXT = "From Ann: Hi @all <!channel>";
const WITHOUT_MENTIONS = "From Ann: Hi @\u200ball <!channel>";

const EVENT: JsonValue = {
  type: "submission.created",
  timestamp: { $matches: "^\\d{4}-\\d\\d-\\d\\dT" },
  data: { form: { title: "Contact" }, submission: { id: { $type: "integer" } }, fields: { $exact: ANSWERS } },
};

const exactly = (value: JsonValue): JsonValue => ({ $exact: value });

/** The length of the longest text in a body. */
function longest(body: JsonValue | undefined): number {
  if (typeof body === "string") return [...body].length;
  if (body === null || typeof body !== "object") return 0;
  return Math.max(0, ...Object.values(body).map(longest));
}

/** The number of characters of all texts in a body. */
function characters(body: JsonValue | undefined): number {
  if (typeof body === "string") return [...body].length;
  if (body === null || typeof body !== "object") return 0;
  return Object.values(body).reduce((sum: number, value) => sum + characters(value), 0);
}

/** A service whose only credential is its address, and that receives the event unchanged. */
function eventTaker(
  address: string,
  accepted: JsonValue,
  refused: DocumentedResponse,
  says: string,
): DocumentedService {
  const { origin, pathname } = new URL(address);
  const key = { "webhook-id": { $matches: "^\\S{8,}$" } };
  return {
    origin,
    settings: { url: address },
    endpoints: [{ path: pathname, headers: key, json: EVENT, response: { status: 200, body: accepted } }],
    refused: { settings: { url: `${origin}/gone` }, response: refused, says },
  };
}

const KIT = { "x-kit-api-key": "secret-token" };
const ACTIVE = { "api-token": "secret-token" };
const BEARER = { authorization: "Bearer secret-token" };
const NOTION = { ...BEARER, "notion-version": "2026-03-11" };
const TEAMS_PATH = "/workflows/1/triggers/manual/paths/invoke?api-version=2016-06-01&sig=secret-token";

export const SERVICES: Readonly<Record<string, DocumentedService>> = {
  slack: {
    origin: "https://hooks.slack.com",
    settings: { url: "https://hooks.slack.com/services/T0/B0/secret-token", message: MESSAGE },
    endpoints: [
      {
        path: "/services/T0/B0/secret-token",
        json: exactly({ text: "From Ann: Hi @all &lt;!channel&gt;" }),
        response: { status: 200, body: "ok" },
      },
    ],
    refused: {
      settings: { url: "https://hooks.slack.com/services/T0/B0/gone" },
      response: { status: 404, body: "no_service" },
      says: "no_service",
    },
    fits: (body) => longest(body) <= 40_000,
  },
  discord: {
    origin: "https://discord.com",
    settings: {
      url: "https://discord.com/api/webhooks/1/secret-token",
      bot_name: "Forms",
      title: "New",
      message: "From [name]",
    },
    endpoints: [
      {
        path: "/api/webhooks/1/secret-token",
        json: exactly({
          username: "Forms",
          content: "From Ann",
          allowed_mentions: { parse: [] },
          embeds: [
            {
              title: "New",
              color: 3447003,
              fields: [
                { name: "Email", value: ANSWERS.email },
                { name: "Name", value: ANSWERS.name },
                { name: "Message", value: ANSWERS.message },
                { name: "Phone", value: ANSWERS.phone },
              ],
            },
          ],
        }),
        response: { status: 204 },
      },
    ],
    refused: {
      settings: { url: "https://discord.com/api/webhooks/1/gone" },
      response: { status: 404, body: { message: "Unknown Webhook", code: 10015 } },
      says: "Unknown Webhook",
    },
    busy: { status: 429, body: { message: "You are being rate limited.", retry_after: 599.5, global: false } },
    fits(body) {
      const { embeds } = body as { embeds: { fields: JsonValue[] }[] };
      const fields = embeds.flatMap((embed) => embed.fields);
      return fields.length <= 25 && longest(fields) <= 1_024 && characters(embeds as JsonValue) <= 6_000;
    },
  },
  telegram: {
    origin: "https://api.telegram.org",
    settings: { token: "12:secret-token", chat_id: "-100", message: MESSAGE },
    endpoints: [
      {
        path: "/bot12:secret-token/sendMessage",
        json: exactly({ chat_id: "-100", text: TEXT, link_preview_options: { is_disabled: true } }),
        response: { status: 200, body: { ok: true, result: { message_id: 1 } } },
      },
    ],
    refused: {
      settings: { token: "12:stale" },
      response: { status: 401, body: { ok: false, error_code: 401, description: "Unauthorized" } },
      says: "Unauthorized",
    },
    busy: {
      status: 429,
      body: { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 600 } },
    },
    fits: (body) => longest(body) <= 4_096,
  },
  mattermost: {
    origin: "https://chat.example.org",
    settings: {
      url: "https://chat.example.org/hooks/secret-token",
      message: MESSAGE,
      channel: "town-square",
      username: "Forms",
    },
    endpoints: [
      {
        path: "/hooks/secret-token",
        json: exactly({ text: WITHOUT_MENTIONS, channel: "town-square", username: "Forms" }),
        response: { status: 200, body: "ok" },
      },
    ],
    refused: {
      settings: { url: "https://chat.example.org/hooks/gone" },
      response: {
        status: 400,
        body: { id: "web.incoming_webhook.invalid.app_error", message: "Invalid webhook.", status_code: 400 },
      },
      says: "Invalid webhook.",
    },
    fits: (body) => longest(body) <= 16_383,
  },
  microsoft_teams: {
    origin: "https://prod-01.westeurope.logic.azure.com",
    settings: { url: `https://prod-01.westeurope.logic.azure.com${TEAMS_PATH}`, title: "New", message: MESSAGE },
    endpoints: [
      {
        path: TEAMS_PATH,
        json: exactly({
          type: "message",
          attachments: [
            {
              contentType: "application/vnd.microsoft.card.adaptive",
              contentUrl: null,
              content: {
                $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
                type: "AdaptiveCard",
                version: "1.4",
                body: [
                  { type: "TextBlock", text: "New", size: "Medium", weight: "Bolder", wrap: true },
                  { type: "TextBlock", text: TEXT, wrap: true },
                ],
              },
            },
          ],
        }),
        response: { status: 202 },
      },
    ],
    refused: {
      settings: { url: "https://prod-01.westeurope.logic.azure.com/workflows/1" },
      response: {
        status: 401,
        body: {
          error: {
            code: "DirectApiAuthorizationRequired",
            message: "The request must be authenticated only by Shared Access scheme.",
          },
        },
      },
      says: "The request must be authenticated only by Shared Access scheme.",
    },
    fits: (body) => Buffer.byteLength(JSON.stringify(body)) <= 28 * 1024,
  },
  twilio_sms: {
    origin: "https://api.twilio.com",
    settings: { account_sid: "AC1", auth_token: "secret-token", from: "+15550001", to: "[phone]", message: MESSAGE },
    endpoints: [
      {
        path: "/2010-04-01/Accounts/AC1/Messages.json",
        headers: { authorization: `Basic ${btoa("AC1:secret-token")}` },
        form: { From: "+15550001", To: "+15550002", Body: TEXT },
        response: { status: 201, body: { sid: "SM1", status: "queued" } },
      },
    ],
    refused: {
      settings: { auth_token: "stale" },
      response: {
        status: 401,
        body: {
          code: 20003,
          message: "Authenticate",
          more_info: "https://www.twilio.com/docs/errors/20003",
          status: 401,
        },
      },
      says: "Authenticate",
    },
    fits: (body) => longest(body) <= 1_600,
  },
  mailchimp: {
    origin: "https://us21.api.mailchimp.com",
    settings: {
      token: "secret-token-us21",
      server: "us21",
      list_id: "L1",
      fields: "FNAME = [name]\nEMPTY = [nothing]",
      status: "subscribed",
    },
    endpoints: [
      {
        method: "PUT",
        path: "/3.0/lists/L1/members/ann%40example.org",
        headers: { authorization: `Basic ${btoa("cf-forms:secret-token-us21")}` },
        json: exactly({ email_address: ANSWERS.email, status_if_new: "subscribed", merge_fields: { FNAME: "Ann" } }),
        response: { status: 200, body: { id: "1", status: "subscribed" } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: {
        status: 401,
        body: { title: "API Key Invalid", status: 401, detail: "Your API key may be invalid." },
      },
      says: "Your API key may be invalid.",
    },
  },
  mailerlite: {
    origin: "https://connect.mailerlite.com",
    settings: { token: "secret-token", group_ids: "1, 2", fields: "name = [name]" },
    endpoints: [
      {
        path: "/api/subscribers",
        headers: BEARER,
        json: exactly({ email: ANSWERS.email, fields: { name: "Ann" }, groups: ["1", "2"] }),
        response: { status: 201, body: { data: { id: "1", status: "active" } } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: { status: 401, body: { message: "Unauthenticated." } },
      says: "Unauthenticated.",
    },
  },
  brevo: {
    origin: "https://api.brevo.com",
    settings: { token: "secret-token", list_ids: "3,x,4", fields: "FIRSTNAME=[name]" },
    endpoints: [
      {
        path: "/v3/contacts",
        headers: { "api-key": "secret-token" },
        json: exactly({ email: ANSWERS.email, attributes: { FIRSTNAME: "Ann" }, listIds: [3, 4], updateEnabled: true }),
        response: { status: 201, body: { id: 21 } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: { status: 401, body: { message: "Key not found", code: "unauthorized" } },
      says: "Key not found",
    },
  },
  convertkit: {
    origin: "https://api.kit.com",
    settings: {
      token: "secret-token",
      form_id: "9",
      first_name: "[name]",
      tag_ids: "5,6",
      referrer: "https://example.org/?utm_source=news",
    },
    endpoints: [
      {
        path: "/v4/subscribers",
        headers: KIT,
        json: exactly({ email_address: ANSWERS.email, first_name: "Ann" }),
        response: { status: 201, body: { subscriber: { id: 77, state: "active" } } },
      },
      {
        path: "/v4/forms/9/subscribers/77",
        headers: KIT,
        json: exactly({ referrer: "https://example.org/?utm_source=news" }),
        response: { status: 201, body: { subscriber: { id: 77 } } },
      },
      {
        path: "/v4/tags/5/subscribers/77",
        headers: KIT,
        json: exactly({}),
        response: { status: 201, body: { subscriber: { id: 77 } } },
      },
      {
        path: "/v4/tags/6/subscribers/77",
        headers: KIT,
        json: exactly({}),
        response: { status: 200, body: { subscriber: { id: 77 } } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: { status: 401, body: { errors: ["The API key is invalid"] } },
      says: "The API key is invalid",
    },
  },
  activecampaign: {
    origin: "https://acme.api-us1.com",
    settings: {
      api_url: "https://acme.api-us1.com/",
      token: "secret-token",
      first_name: "[name]",
      list_id: "2",
      tag_ids: "4",
    },
    endpoints: [
      {
        path: "/api/3/contact/sync",
        headers: ACTIVE,
        json: exactly({ contact: { email: ANSWERS.email, firstName: "Ann" } }),
        response: { status: 201, body: { contact: { id: "31", email: ANSWERS.email } } },
      },
      {
        path: "/api/3/contactLists",
        headers: ACTIVE,
        json: exactly({ contactList: { list: "2", contact: "31", status: 1 } }),
        response: { status: 201, body: { contactList: { id: "5" } } },
      },
      {
        path: "/api/3/contactTags",
        headers: ACTIVE,
        json: exactly({ contactTag: { contact: "31", tag: "4" } }),
        response: { status: 201, body: { contactTag: { id: "6" } } },
      },
    ],
    refused: {
      settings: { email: "[name]" },
      response: {
        status: 422,
        body: { errors: [{ title: "Contact Email Address is not valid.", code: "email_invalid" }] },
      },
      says: "Contact Email Address is not valid.",
    },
  },
  hubspot: {
    origin: "https://api.hubapi.com",
    settings: { token: "secret-token", fields: "firstname=[name]" },
    endpoints: [
      {
        path: "/crm/objects/2026-03/contacts/batch/upsert",
        headers: BEARER,
        json: exactly({
          inputs: [{ idProperty: "email", id: ANSWERS.email, properties: { firstname: "Ann", email: ANSWERS.email } }],
        }),
        response: { status: 200, body: { status: "COMPLETE", results: [{ id: "1", new: true }] } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: {
        status: 401,
        body: { status: "error", message: "Authentication credentials not found.", category: "INVALID_AUTHENTICATION" },
      },
      says: "Authentication credentials not found.",
    },
  },
  airtable: {
    origin: "https://api.airtable.com",
    settings: { token: "secret-token", base_id: "app1", table: "My Leads", fields: "Name=[name]\nEmail=[email]" },
    endpoints: [
      {
        path: "/v0/app1/My%20Leads",
        headers: BEARER,
        json: exactly({ records: [{ fields: { Name: "Ann", Email: ANSWERS.email } }], typecast: true }),
        response: { status: 200, body: { records: [{ id: "rec1" }] } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: {
        status: 401,
        body: { error: { type: "AUTHENTICATION_REQUIRED", message: "Authentication required" } },
      },
      says: "Authentication required",
    },
  },
  notion: {
    origin: "https://api.notion.com",
    settings: {
      token: "secret-token",
      database_id: "db1",
      title_property: "Title",
      title: "From [name]",
      message: MESSAGE,
    },
    endpoints: [
      {
        method: "GET",
        path: "/v1/databases/db1",
        headers: NOTION,
        response: { status: 200, body: { object: "database", data_sources: [{ id: "ds1", name: "Leads" }] } },
      },
      {
        path: "/v1/pages",
        headers: NOTION,
        json: exactly({
          parent: { type: "data_source_id", data_source_id: "ds1" },
          properties: { Title: { title: [{ text: { content: "From Ann" } }] } },
          children: [
            {
              object: "block",
              type: "paragraph",
              paragraph: { rich_text: [{ type: "text", text: { content: TEXT } }] },
            },
          ],
        }),
        response: { status: 200, body: { object: "page" } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: {
        status: 401,
        body: { object: "error", status: 401, code: "unauthorized", message: "API token is invalid." },
      },
      says: "API token is invalid.",
    },
    fits: (body) => longest(body) <= 2_000 && characters(body) > 50_000,
  },
  github_issue: {
    origin: "https://api.github.com",
    settings: {
      token: "secret-token",
      owner: "acme",
      repository: "site",
      title: "From [name]",
      message: MESSAGE,
      labels: "lead, web",
    },
    endpoints: [
      {
        path: "/repos/acme/site/issues",
        headers: { ...BEARER, accept: "application/vnd.github+json", "x-github-api-version": "2026-03-10" },
        json: exactly({ title: "From Ann", body: WITHOUT_MENTIONS, labels: ["lead", "web"] }),
        response: { status: 201, body: { number: 1 } },
      },
    ],
    refused: {
      settings: { token: "stale" },
      response: {
        status: 401,
        body: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest", status: "401" },
      },
      says: "Bad credentials",
    },
    // GitHub's secondary rate limit.
    busy: {
      status: 403,
      headers: { "retry-after": "600" },
      body: { message: "You have exceeded a secondary rate limit." },
    },
    fits: (body) => longest(body) <= 65_536,
  },
  zapier: eventTaker(
    "https://hooks.zapier.com/hooks/catch/1/secret-token/",
    { status: "success" },
    { status: 410, body: "please unsubscribe me!" },
    "please unsubscribe me!",
  ),
  make: eventTaker(
    "https://hook.eu1.make.com/secret-token",
    "Accepted",
    { status: 410, body: "There is no scenario listening for this webhook." },
    "There is no scenario listening for this webhook.",
  ),
  n8n: eventTaker(
    "https://n8n.example.org/webhook/secret-token",
    { message: "Workflow was started" },
    { status: 404, body: { code: 404, message: 'The requested webhook "gone" is not registered.' } },
    'The requested webhook "gone" is not registered.',
  ),
};
