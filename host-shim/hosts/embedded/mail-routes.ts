/** Serves the mail server's settings to administrators, and sends a test mail with them. */
import type { Context } from "hono";
import type { Mailer } from "../../src/ports.ts";
import { reasonOf } from "../../src/reason.ts";
import { type MailProblem, mailProblem } from "./mail-problem.ts";
import {
  type MailSettings,
  type MailSettingsStore,
  NO_MAIL_SERVER,
  SECURITIES,
  type Security,
} from "./mail-settings.ts";
import { restError } from "./responses.ts";
import type { AddRoute } from "./signed-in-routes.ts";
import { HOST_ROUTES } from "./site.ts";

/** The mask that is shown instead of a stored password. Sending it back keeps the password. */
const MASK = "••••••••";

export interface MailRouteServices {
  readonly mailSettings: MailSettingsStore;
  readonly mailer: Mailer;
  /** The sender of mails without a configured one. */
  readonly defaultFrom: string;
  /** Applies changed settings in every worker. */
  onMailSettingsChanged(): void;
}

type Members = Readonly<Record<string, unknown>>;
type Faults = Record<string, string>;

export function addMailRoutes(
  route: AddRoute,
  { mailSettings, mailer, defaultFrom, onMailSettingsChanged }: MailRouteServices,
  readBody: (c: Context) => Promise<Members>,
): void {
  async function shown(c: Context): Promise<Response> {
    const { settings, setBy } = await mailSettings.read();
    return c.json({ ...settings, password: settings.password === "" ? "" : MASK, set_by: setBy });
  }

  route(
    HOST_ROUTES.mail,
    {
      GET: shown,
      async PUT(c) {
        const stored = await mailSettings.stored();
        const faults: Faults = {};
        const masked = { ...stored, password: stored.password === "" ? "" : MASK };
        const settings = readSettings(await readBody(c), masked, faults);
        if (Object.keys(faults).length > 0) {
          const message = `Some values aren’t valid: ${Object.keys(faults).join(", ")}`;
          return restError(c, 400, "rest_invalid_param", message, { params: faults });
        }
        if (settings.password === MASK) {
          const goesElsewhere = (["host", "port", "username"] as const).some((name) => settings[name] !== stored[name]);
          const isWeaker = SECURITIES.indexOf(settings.security) < SECURITIES.indexOf(stored.security);
          if (stored.password === "" || goesElsewhere || isWeaker) {
            const message = "Enter the password again: the server, user name or security has changed.";
            return restError(c, 400, "secret_required", message);
          }
        }
        const password = settings.password === MASK ? stored.password : settings.password;
        await mailSettings.write({ ...settings, password });
        onMailSettingsChanged();
        return shown(c);
      },
    },
    ["administrator"],
  );

  route(
    `${HOST_ROUTES.mail}/test`,
    {
      async POST(c) {
        const { to } = await readBody(c);
        if (to === undefined || to === "") {
          return restError(c, 400, "missing_type", "Required information is missing: to", { params: ["to"] });
        }
        if (!isAddress(to)) {
          const params = { to: "Enter one email address." };
          return restError(c, 400, "rest_invalid_param", "Some values aren’t valid: to", { params });
        }
        return c.json(await sendTest(mailer, defaultFrom, to));
      },
    },
    ["administrator"],
  );
}

/**
 * Sends a test mail. `accepted` says whether a mail server accepted the mail; `response` is the server's reply, or the
 * error; `problem` is the known cause of the error.
 */
async function sendTest(
  mailer: Mailer,
  from: string,
  to: string,
): Promise<{ accepted: boolean; response: string; problem: MailProblem }> {
  const id = `<test-${crypto.randomUUID()}@${from.slice(from.indexOf("@") + 1)}>`;
  try {
    const receipt = await mailer.send({
      from,
      to: [to],
      cc: [],
      bcc: [],
      reply_to: "",
      subject: "Test mail",
      text: "This is a test mail. The mail server is set up.",
      html: null,
      headers: { "Auto-Submitted": "auto-generated" },
      message_id: id,
    });
    return { accepted: receipt.simulated !== true, response: receipt.response, problem: "" };
  } catch (error) {
    return { accepted: false, response: reasonOf(error), problem: mailProblem(error) };
  }
}

/** Merges the settings of a body into the stored ones, and collects faults. */
function readSettings(body: Members, stored: MailSettings, faults: Faults): MailSettings {
  function text(
    name: Exclude<keyof MailSettings, "port" | "security" | "failure_mails">,
    maxLength: number,
    isValid: RegExp,
    rule: string,
  ) {
    const value = body[name] ?? stored[name];
    if (typeof value === "string" && value.length <= maxLength && isValid.test(value)) return value;
    faults[name] = rule;
    return "";
  }
  const port = Number(body["port"] ?? stored.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) faults["port"] = "It must be a number from 1 to 65535.";
  const security = body["security"] ?? stored.security;
  if (!isSecurity(security)) faults["security"] = `It must be one of ${SECURITIES.join(", ")}.`;
  const failureMails = body["failure_mails"] ?? stored.failure_mails;
  if (typeof failureMails !== "boolean") faults["failure_mails"] = "It must be true or false.";
  return {
    failure_mails: failureMails === true,
    host: text("host", 255, /^[\p{L}\p{N}.:_[\]-]*$/u, "It must be the name or address of a server, or empty.").trim(),
    port,
    security: isSecurity(security) ? security : NO_MAIL_SERVER.security,
    username: text("username", 500, /^[^\p{Cc}]*$/u, "It must be one line of at most 500 characters."),
    password: text("password", 500, /^[^\p{Cc}]*$/u, "It must be one line of at most 500 characters."),
    from_name: text("from_name", 200, /^[^\p{Cc}]*$/u, "It must be one line of at most 200 characters.").trim(),
    from_address: text("from_address", 254, ADDRESS_OR_EMPTY, "It must be one email address, or empty."),
    public_url: publicUrl(text("public_url", 2_000, /^[^\p{Cc}]*$/u, PUBLIC_URL_RULE), faults),
  };
}

const PUBLIC_URL_RULE = "It must be an address such as https://example.org, without a query, or empty.";
const ADDRESS_OR_EMPTY = /^$|^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/;

function publicUrl(text: string, faults: Faults): string {
  if (text.trim() === "") return "";
  const url = URL.parse(text.trim());
  const isSite = url !== null && ["http:", "https:"].includes(url.protocol) && url.search === "" && url.hash === "";
  if (!isSite || url.username !== "" || url.password !== "") {
    faults["public_url"] = PUBLIC_URL_RULE;
    return "";
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 254 && ADDRESS_OR_EMPTY.test(value);
}

function isSecurity(value: unknown): value is Security {
  return SECURITIES.some((security) => security === value);
}
