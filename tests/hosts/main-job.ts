/** The main job of a form engine, done once in a host: from a form's HTML to the mail of a submission. */
import assert from "node:assert/strict";

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
  /** Notes of the action `note` of another plugin, which fails at its first attempt. */
  notes(): readonly string[] | Promise<readonly string[]>;
}

const MARKUP = `<label>Name <input name="name" required></label><label>Mail <input type="email" name="email"></label>
<label>File <input type="file" name="cv"></label><button>Send</button>`;

type Step = readonly [string, () => Promise<void>];

/** Each step by its name, in order. */
export function mainJob(host: HostUnderTest): readonly Step[] {
  const job = jobOn(host);
  return [...submitSteps(host, job), ...readingSteps(host, job)];
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

/** Creates the form and submits it. */
function submitSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  const { form } = job;
  return [
    [
      "the API refuses strangers",
      async () => assert.equal((await job.ask("GET", "/forms", undefined, {})).status, 403),
    ],
    [
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
      "its page is served",
      async () => {
        const page = await host.fetch(new Request(`${host.front}/${form.slug}`));
        assert.equal(page.status, 200);
        assert.match(await page.text(), /name="email"/);
      },
    ],
    [
      "it takes JSON",
      async () => {
        const answer = await job.submit(JSON.stringify({ name: "Json" }), {
          "content-type": "application/json",
          accept: "application/json",
        });
        assert.equal(answer.status, 200, await answer.text());
      },
    ],
    [
      "it accepts a form body, and redirects",
      async () => assert.equal((await job.submit(new URLSearchParams({ name: "Form" }))).status, 303),
    ],
    [
      "it accepts a file",
      async () => {
        const sent = new FormData();
        sent.set("name", "File");
        sent.set("cv", new File(["my life"], "cv.txt", { type: "text/plain" }));
        const answer = await job.submit(sent, { accept: "application/json" });
        assert.equal(answer.status, 200, await answer.text());
      },
    ],
    [
      "it rejects a missing answer",
      async () => assert.equal((await job.submit(new URLSearchParams({}), { accept: "application/json" })).status, 400),
    ],
  ];
}

/** Checks the submissions, mails and actions. */
function readingSteps(host: HostUnderTest, job: ReturnType<typeof jobOn>): readonly Step[] {
  const { form } = job;
  return [
    [
      "all are stored",
      async () => {
        const names = (await job.stored()).map(({ data }: { data: { name: string } }) => data.name).sort();
        assert.deepEqual(names, ["File", "Form", "Json"]);
      },
    ],
    [
      "the file is downloaded again",
      async () => {
        const [file] = (await job.stored()).flatMap(({ files }: { files: { url?: string }[] }) => files);
        assert.ok(file !== undefined, "no submission has a file");
        if (file.url === undefined) return;
        const bytes = await host.fetch(new Request(file.url, { headers: host.credentials }));
        assert.deepEqual([bytes.status, await bytes.text()], [200, "my life"]);
      },
    ],
    [
      "mails were sent",
      async () => {
        await host.runQueue();
        assert.deepEqual([...(await host.mails())].sort(), ["From File", "From Form", "From Json"]);
      },
    ],
    [
      "an action of another plugin failed, and is retried",
      async () => {
        assert.deepEqual([...(await host.notes())].sort().length, 2);
        const entries = (await job.ask("GET", `/action-queue?form_id=${form.id}`)).body;
        const [retrying] = entries.filter(({ status }: { status: string }) => status === "retrying");
        assert.equal(retrying?.last_error, "the first note is lost", JSON.stringify(entries));
      },
    ],
    [
      "analytics count",
      async () => {
        const funnel = await job.ask("GET", `/analytics/${form.id}/funnel`);
        assert.equal(funnel.body.submissions, 3, JSON.stringify(funnel.body));
      },
    ],
    [
      "a list has its headers",
      async () => {
        const list = await job.ask("GET", `/forms/${form.id}/submissions?per_page=2`);
        assert.deepEqual([list.headers.get("x-wp-total"), list.headers.get("x-wp-totalpages")], ["3", "2"]);
        assert.ok(list.headers.get("link")?.includes(host.rest));
      },
    ],
    [
      "it is deleted",
      async () => {
        assert.equal((await job.ask("DELETE", `/forms/${form.id}`)).status, 200);
        assert.equal((await host.fetch(new Request(`${host.front}/${form.slug}`))).status, 404);
      },
    ],
  ];
}
