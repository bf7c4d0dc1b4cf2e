/** A worker for the main job. Its effects are stored where the test can read them. */
import { createWorker, type D1Like, type R2Like } from "cf-forms/hosts/workers";
import { noteAction } from "./note-action.ts";

interface Env {
  readonly DB: D1Like;
  readonly FILES: R2Like;
  readonly NOTES: { put(key: string, value: string): Promise<void> };
}

let texts: Env["NOTES"] | undefined;
const storeText = (kind: string, text: string) => texts?.put(`${kind}/${crypto.randomUUID()}`, text);

const worker = createWorker<Env>({
  baseUrl: "http://site.test",
  db: (env) => env.DB,
  files: (env) => env.FILES,
  mailer: () => ({
    async send({ subject, message_id }) {
      await storeText("mail", subject);
      return { message_id, response: "stored" };
    },
  }),
  async authenticate(request) {
    if (request.headers.get("authorization") !== "Bearer editor") return { principal: null };
    return {
      principal: { id: "1", login: "editor", capabilities: ["edit_forms", "unfiltered_html", "manage_options"] },
    };
  },
  setUp(forms) {
    const noted = { push: (text: string) => void storeText("note", text) };
    forms.registerAction(noteAction(noted));
  },
});

export default {
  ...worker,
  fetch(request: Request, env: Env, execution: { waitUntil(work: Promise<unknown>): void }) {
    texts = env.NOTES;
    return worker.fetch(request, env, execution);
  },
};
