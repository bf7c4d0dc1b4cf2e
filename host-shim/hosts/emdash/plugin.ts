/** The native plugin, for functions that EmDash gives only to plugins. */
import { definePlugin } from "emdash";
import { openedForms } from "./engine.ts";
import { CAPABILITIES, PLUGIN_ID, REST_ROOT, type EmDashOptions } from "./options.ts";
import { keepNonceKey, keepOptions } from "./shared.ts";
import { importedForms, withForms } from "./shortcodes.ts";
import manifest from "cf-forms/package.json" with { type: "json" };

interface PluginContext {
  readonly kv: { get(key: string): Promise<unknown>; set(key: string, value: unknown): Promise<void> };
  readonly cron?: { schedule(name: string, task: { schedule: string }): Promise<void> };
}

/** Schedule of the queue's retries; new entries run at once. */
const EVERY_FIVE_SECONDS = "*/5 * * * * *";
const NONCE_KEY = "state:nonce_key";

export function createPlugin(options: EmDashOptions): object {
  keepOptions(options);
  return definePlugin({
    id: PLUGIN_ID,
    version: manifest.version,
    capabilities: CAPABILITIES,
    hooks: {
      cron: { timeout: 60_000, handler: runQueue },
      "content:beforeSave": { handler: showForms },
    },
    routes: { boot: { handler: boot }, forms: { permission: "content:edit_own", handler: listForms } },
    admin: {
      pages: [{ path: "/", label: "Forms", icon: "list" }],
      portableTextBlocks: [
        {
          type: "cf-form",
          label: "Form",
          icon: "form",
          description: "A form of the site",
          category: "Forms",
          fields: [{ type: "select", action_id: "slug", label: "Form", options: [], optionsRoute: "forms" }],
        },
      ],
    },
  });
}

/** Called by the engine when it opens; may run any number of times. */
async function boot({ kv, cron }: PluginContext): Promise<object> {
  const stored = await kv.get(NONCE_KEY);
  const key =
    typeof stored === "string" ? stored : Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  if (key !== stored) await kv.set(NONCE_KEY, key);
  keepNonceKey(key);
  await cron?.schedule("queue", { schedule: EVERY_FIVE_SECONDS });
  return {};
}

async function runQueue(): Promise<void> {
  const opened = await openedForms();
  await opened?.forms.runQueue();
}

/** Shows imported forms where content from WordPress embeds them. */
async function showForms({ content }: { readonly content: Readonly<Record<string, unknown>> }): Promise<object> {
  return withForms(content, async () => {
    const opened = await openedForms();
    if (opened === null) return [];
    const client = opened.forms.as({ id: "0", login: PLUGIN_ID, capabilities: ["edit_forms"] });
    return importedForms(opened.forms, await client.listForms({ _fields: ["id", "slug", "title"] }));
  });
}

/** Lists the forms for the content block. */
async function listForms({ request }: { readonly request: Request }): Promise<object> {
  const opened = await openedForms();
  const address = new URL(
    `${REST_ROOT}/cf/v1/forms?per_page=100&orderby=title&order=asc&_fields=slug,title`,
    request.url,
  );
  const response = await opened?.forms.fetch(new Request(address), { user: null, address: null, isInternal: true });
  const forms: readonly { slug: string; title: string }[] = response?.ok === true ? await response.json() : [];
  return { items: forms.map(({ slug, title }) => ({ id: slug, name: title || slug })) };
}
