/** The main job of a form engine, done once in a host: from a form's HTML to the mail of a submission. */
import assert from "node:assert/strict";

export interface HostUnderTest {
  /** Where the REST namespace is, such as `http://site.test/api/cf/v1`. */
  readonly rest: string;
  /** Where visitors' forms are, such as `http://site.test/forms`. */
  readonly front: string;
  /** Credentials that an editor sends with a request. */
  readonly credentials: Readonly<Record<string, string>>;
  fetch(request: Request): Promise<Response>;
  /** Runs the queue to its end. */
  runQueue(): Promise<void>;
  /** The subjects of the mails that went out. */
  mails(): readonly string[] | Promise<readonly string[]>;
  /** Notes of the action `note` of another plugin, which fails at its first attempt. */
  notes(): readonly string[] | Promise<readonly string[]>;
}

const MARKUP = `<label>Name <input name="name" required></label><label>Mail <input type="email" name="email"></label>
<label>File <input type="file" name="cv"></label><button>Send</button>`;

/** Each step by its name, in order. */
export function mainJob(host: HostUnderTest): readonly (readonly [string, () => Promise<void>])[] {
  let slug = "";
  let id = 0;
  const ask = async (method: string, path: string, body?: unknown, headers = host.credentials) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await host.fetch(
      new Request(host.rest + path, { method, headers: { ...headers, "content-type": "application/json" }, ...init }),
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
  const submit = (body: BodyInit, headers: Record<string, string> = {}) =>
    host.fetch(new Request(`${host.front}/${slug}`, { method: "POST", body, headers, redirect: "manual" }));
  const stored = async () => (await ask("GET", `/forms/${id}/submissions`)).body;

  return [
    ["the API refuses strangers", async () => assert.equal((await ask("GET", "/forms", undefined, {})).status, 403)],
    [
      "a form is made of HTML",
      async () => {
        const actions = [{ type: "email", to: "desk@example.org", subject: "From [name]" }, { type: "note" }];
        const made = await ask("POST", "/forms", { title: "Jobs", markup: MARKUP, settings: { actions } });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        ({ slug, id } = made.body);
        const generated = await ask("POST", `/forms/${id}/schema/generate`);
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
        const page = await host.fetch(new Request(`${host.front}/${slug}`));
        assert.equal(page.status, 200);
        assert.match(await page.text(), /name="email"/);
      },
    ],
    [
      "it takes JSON",
      async () => {
        const answer = await submit(JSON.stringify({ name: "Json" }), {
          "content-type": "application/json",
          accept: "application/json",
        });
        assert.equal(answer.status, 200, await answer.text());
      },
    ],
    [
      "it takes a form body, and answers a redirect",
      async () => assert.equal((await submit(new URLSearchParams({ name: "Form" }))).status, 303),
    ],
    [
      "it takes a file",
      async () => {
        const sent = new FormData();
        sent.set("name", "File");
        sent.set("cv", new File(["my life"], "cv.txt", { type: "text/plain" }));
        const answer = await submit(sent, { accept: "application/json" });
        assert.equal(answer.status, 200, await answer.text());
      },
    ],
    [
      "it refuses what is missing",
      async () => assert.equal((await submit(new URLSearchParams({}), { accept: "application/json" })).status, 400),
    ],
    [
      "all are stored",
      async () => {
        const names = (await stored()).map(({ data }: { data: { name: string } }) => data.name).sort();
        assert.deepEqual(names, ["File", "Form", "Json"]);
      },
    ],
    [
      "the file is downloaded again",
      async () => {
        const [file] = (await stored()).flatMap(({ files }: { files: { url?: string }[] }) => files);
        assert.ok(file !== undefined, "no submission has a file");
        if (file.url === undefined) return;
        const bytes = await host.fetch(new Request(file.url, { headers: host.credentials }));
        assert.deepEqual([bytes.status, await bytes.text()], [200, "my life"]);
      },
    ],
    [
      "mails went out",
      async () => {
        await host.runQueue();
        assert.deepEqual([...(await host.mails())].sort(), ["From File", "From Form", "From Json"]);
      },
    ],
    [
      "an action of another plugin failed, and is retried",
      async () => {
        assert.deepEqual([...(await host.notes())].sort().length, 2);
        const entries = (await ask("GET", `/action-queue?form_id=${id}`)).body;
        const [retrying] = entries.filter(({ status }: { status: string }) => status === "retrying");
        assert.equal(retrying?.last_error, "the first note is lost", JSON.stringify(entries));
      },
    ],
    [
      "analytics count",
      async () => {
        const funnel = await ask("GET", `/analytics/${id}/funnel`);
        assert.equal(funnel.body.submissions, 3, JSON.stringify(funnel.body));
      },
    ],
    [
      "a list has its headers",
      async () => {
        const list = await ask("GET", `/forms/${id}/submissions?per_page=2`);
        assert.deepEqual([list.headers.get("x-wp-total"), list.headers.get("x-wp-totalpages")], ["3", "2"]);
        assert.ok(list.headers.get("link")?.includes(host.rest));
      },
    ],
    [
      "it is deleted",
      async () => {
        assert.equal((await ask("DELETE", `/forms/${id}`)).status, 200);
        assert.equal((await host.fetch(new Request(`${host.front}/${slug}`))).status, 404);
      },
    ],
  ];
}
