/** The main job of a form engine, done once in a host: from a form's HTML to the mail of a submission. */
import assert from "node:assert/strict";
import { testsOf, type Column } from "./host-table.ts";

export interface HostUnderTest {
  /** Address of the REST namespace, such as `http://site.test/api/cf/v1`. */
  readonly rest: string;
  /** Address of visitors' forms, such as `http://site.test/forms`. */
  readonly front: string;
  /** Credentials that an editor sends with a request. */
  readonly credentials: Readonly<Record<string, string>>;
  fetch(request: Request): Promise<Response>;
  /** Runs the queue to its end. */
  runQueue(): Promise<void>;
  /** The subjects of the sent mails. */
  mails(): readonly string[] | Promise<readonly string[]>;
  /** Notes of the action `note` of another plugin, which fails at its first attempt; absent without such a plugin. */
  notes?(): readonly string[] | Promise<readonly string[]>;
}

const MARKUP = `<label>Name <input name="name" required></label><label>Mail <input type="email" name="email"></label>
<label>File <input type="file" name="cv"></label><button>Send</button>`;

type Step = readonly [Column, string, () => Promise<void>];

/** Declares a test for each step, in order, in the host's row of the table; `after` may declare more after a step. */
export function testMainJob(name: string, host: HostUnderTest, after: (step: string) => void = () => {}): void {
  const job = jobOn(host);
  const testHost = testsOf(name);
  for (const [column, step, run] of [
    ...formSteps(host, job),
    ...submitSteps(job),
    ...readingSteps(host, job),
    ...actionSteps(host, job),
    ...managingSteps(host, job),
  ]) {
    testHost(column, step, run);
    after(step);
  }
}

/** The form of the job, and requests for it. */
function jobOn(host: HostUnderTest) {
  const form = { slug: "", id: 0 };
  const ask = async (method: string, path: string, body?: unknown, headers = host.credentials) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await host.fetch(
      new Request(host.rest + path, { method, headers: { ...headers, "content-type": "application/json" }, ...init }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
  const submit = (body: BodyInit, headers: Record<string, string> = {}) =>
    host.fetch(new Request(`${host.front}/${form.slug}`, { method: "POST", body, headers, redirect: "manual" }));
  const stored = async () => (await ask("GET", `/forms/${form.id}/submissions`)).body;
  return { form, ask, submit, stored };
}

/** Creates the form and reads its page. */
function formSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  const { form } = job;
  return [
    [
      "sign-in",
      "the API refuses strangers",
      async () => assert.equal((await job.ask("GET", "/forms", undefined, {})).status, 403),
    ],
    [
      "REST",
      "a form is created from HTML",
      async () => {
        const actions = [{ type: "email", to: "desk@example.org", subject: "From [name]" }, { type: "note" }];
        const made = await job.ask("POST", "/forms", { title: "Jobs", markup: MARKUP, settings: { actions } });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        ({ slug: form.slug, id: form.id } = made.body);
        const generated = await job.ask("POST", `/forms/${form.id}/schema/generate`);
        assert.deepEqual(generated.body.fields.map(({ name }: { name: string }) => name).slice(0, 3), [
          "name",
          "email",
          "cv",
        ]);
      },
    ],
    [
      "visitors",
      "its page is served",
      async () => {
        const page = await host.fetch(new Request(`${host.front}/${form.slug}`));
        assert.equal(page.status, 200);
        assert.match(await page.text(), /name="email"/);
      },
    ],
  ];
}

/** Submits the form. */
function submitSteps(job: ReturnType<typeof jobOn>): readonly Step[] {
  return [
    [
      "visitors",
      "it takes JSON",
      async () => {
        const response = await job.submit(JSON.stringify({ name: "Json" }), {
          "content-type": "application/json",
          accept: "application/json",
        });
        assert.equal(response.status, 200, await response.text());
      },
    ],
    [
      "visitors",
      "it accepts a form body, and redirects",
      async () => assert.equal((await job.submit(new URLSearchParams({ name: "Form" }))).status, 303),
    ],
    [
      "files",
      "it accepts a file",
      async () => {
        const sent = new FormData();
        sent.set("name", "File");
        sent.set("cv", new File(["my life"], "cv.txt", { type: "text/plain" }));
        const response = await job.submit(sent, { accept: "application/json" });
        assert.equal(response.status, 200, await response.text());
      },
    ],
    [
      "visitors",
      "it rejects a missing answer",
      async () => assert.equal((await job.submit(new URLSearchParams({}), { accept: "application/json" })).status, 400),
    ],
  ];
}

/** Reads the submissions. */
function readingSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  return [
    [
      "REST",
      "all are stored",
      async () => {
        const names = (await job.stored()).map(({ data }: { data: { name: string } }) => data.name).sort();
        assert.deepEqual(names, ["File", "Form", "Json"]);
      },
    ],
    [
      "files",
      "the file is downloaded again",
      async () => {
        const [file] = (await job.stored()).flatMap(({ files }: { files: { url?: string }[] }) => files);
        assert.ok(file !== undefined, "no submission has a file");
        if (file.url === undefined) return;
        const bytes = await host.fetch(new Request(file.url, { headers: host.credentials }));
        assert.deepEqual([bytes.status, await bytes.text()], [200, "my life"]);
      },
    ],
  ];
}

/** Checks the actions of the submissions. */
function actionSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  const { form } = job;
  return [
    [
      "mail",
      "mails were sent",
      async () => {
        await host.runQueue();
        assert.deepEqual([...(await host.mails())].sort(), ["From File", "From Form", "From Json"]);
      },
    ],
    [
      "queue",
      "an action that failed is retried",
      async () => {
        if (host.notes !== undefined) assert.equal((await host.notes()).length, 2);
        const entries = (await job.ask("GET", `/action-queue?form_id=${form.id}`)).body;
        const [retrying] = entries.filter(({ status }: { status: string }) => status === "retrying");
        const reason =
          host.notes === undefined ? "No plugin on this site handles “note” actions." : "the first note is lost";
        assert.equal(retrying?.last_error, reason, JSON.stringify(entries));
      },
    ],
  ];
}

/** Reads figures and lists, and deletes the form. */
function managingSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  const { form } = job;
  return [
    [
      "REST",
      "analytics count",
      async () => {
        const funnel = await job.ask("GET", `/analytics/${form.id}/funnel`);
        assert.equal(funnel.body.submissions, 3, JSON.stringify(funnel.body));
      },
    ],
    [
      "REST",
      "a list has its headers",
      async () => {
        const list = await job.ask("GET", `/forms/${form.id}/submissions?per_page=2`);
        assert.deepEqual([list.headers.get("x-wp-total"), list.headers.get("x-wp-totalpages")], ["3", "2"]);
        assert.ok(list.headers.get("link")?.includes(host.rest));
      },
    ],
    [
      "REST",
      "it is deleted",
      async () => {
        assert.equal((await job.ask("DELETE", `/forms/${form.id}`)).status, 200);
        assert.equal((await host.fetch(new Request(`${host.front}/${form.slug}`))).status, 404);
      },
    ],
  ];
}
