/** Forms on Cloudflare Workers: stored in D1, uploads in R2. */
import { resendMailer } from "cf-forms/adapters/http-mailers";
import { createWorker, type D1Like, type R2Like } from "cf-forms/hosts/workers";

interface Env {
  readonly DB: D1Like;
  readonly FILES: R2Like;
  /** The token that editors send as `Authorization: Bearer …`, set by `wrangler secret put EDITOR_TOKEN`. */
  readonly EDITOR_TOKEN: string;
  /** The key of the mail service, set by `wrangler secret put RESEND_KEY`. */
  readonly RESEND_KEY: string;
  /** Address of the mail service's API. */
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
  mailer: (env) => resendMailer(env.RESEND_KEY, { endpoint: env.MAIL_URL }),
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
