/** Deletes the site's forms and reopens the plugin, so that a scenario begins on an empty site. */
import { getForms } from "cf-forms/hosts/emdash/forms";
import { withEmDashRuntime } from "emdash/middleware";
import { sql } from "kysely";

export const POST = async (): Promise<Response> => {
  await (await getForms()).close();
  await withEmDashRuntime(({ db }) =>
    db.transaction().execute(async (transaction: Parameters<ReturnType<typeof sql>["execute"]>[0]) => {
      const { rows } = await sql<{
        name: string;
        sql: string;
      }>`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'cf\_%' ESCAPE '\\'`.execute(
        transaction,
      );
      // Dropping a search index also drops the index's own tables.
      const virtual = rows.filter((table) => /^CREATE VIRTUAL/i.test(table.sql)).map(({ name }) => name);
      const tables = rows.filter(
        ({ name }) => virtual.includes(name) || !virtual.some((index) => name.startsWith(`${index}_`)),
      );
      for (const { name } of tables) await sql`DROP TABLE ${sql.table(name)}`.execute(transaction);
    }),
  );
  delete (globalThis as { [key: symbol]: { opened?: unknown } })[Symbol.for("cf-forms.emdash")]?.opened;
  await getForms();
  return new Response("empty");
};
