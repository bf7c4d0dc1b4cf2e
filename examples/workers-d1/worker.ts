/** Forms on Cloudflare Workers: stored in D1, uploads in R2. */
import { Buffer } from "node:buffer";
import { PermanentError } from "cf-forms";
import { createWorker, type D1Like, type R2Like } from "cf-forms/hosts/workers";

interface Env {
  readonly DB: D1Like;
  readonly FILES: R2Like;
  /** The token that editors send as `Authorization: Bearer …`: `wrangler secret put EDITOR_TOKEN`. */
  readonly EDITOR_TOKEN: string;
  /** Address of your mail service's API, which gets mails as JSON, with the attachments' bytes in base64. */
  readonly MAIL_URL: string;
}

/** The address of your site. */
const SITE = "https://forms.example.org";

export default createWorker<Env>({
  baseUrl: (request) => new URL(request.url).origin,
  allowedHosts: [new URL(SITE).host, "localhost:8787"],
  publicUrl: SITE,
  db: (env) => env.DB,
  files: (env) => env.FILES,
  mailer: (env) => ({
    async send(message) {
      const attachments = (message.attachments ?? []).map(async ({ filename, content_type, stream }) => {
        const bytes = await new Response(await stream()).arrayBuffer();
        return { filename, content_type, content: Buffer.from(bytes).toString("base64") };
      });
      const body = JSON.stringify({ ...message, attachments: await Promise.all(attachments) });
      const headers = { "content-type": "application/json" };
      const sent = await fetch(env.MAIL_URL, { method: "POST", headers, body });
      const failure = `the mail service answered ${sent.status}`;
      // The service will not take these later either.
      if ([400, 413, 422].includes(sent.status)) throw new PermanentError(failure);
      if (!sent.ok) throw new Error(failure);
      return { message_id: message.message_id, response: String(sent.status) };
    },
  }),
  async authenticate(request, env) {
    if (request.headers.get("authorization") !== `Bearer ${env.EDITOR_TOKEN}`) return { principal: null };
    return {
      principal: { id: "1", login: "editor", capabilities: ["edit_forms", "unfiltered_html", "manage_options"] },
    };
  },
  setUp(forms) {
    forms.registerAction({
      type: "note",
      label: "Note in the log",
      process(_settings, submission) {
        console.log(`submission ${submission.id} of form ${submission.form_id}`);
        return true;
      },
    });
  },
});
