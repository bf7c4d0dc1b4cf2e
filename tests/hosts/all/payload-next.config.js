// A Payload site whose first user and mails a test looks at.
import { appendFileSync } from "node:fs";
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { cfForms } from "cf-forms/hosts/payload";
import { buildConfig } from "payload";

export default buildConfig({
  secret: "of the tests",
  serverURL: process.env.SITE_URL,
  telemetry: false,
  typescript: { autoGenerate: false },
  db: sqliteAdapter({ client: { url: "file:./payload.db" } }),
  admin: { user: "users" },
  collections: [{ slug: "users", auth: { useAPIKey: true }, fields: [] }],
  email: () => ({
    name: "test",
    defaultFromAddress: "site@example.org",
    defaultFromName: "Site",
    sendEmail: async ({ subject }) => appendFileSync("mails.txt", `${subject}\n`),
  }),
  async onInit(payload) {
    const { totalDocs } = await payload.count({ collection: "users" });
    if (totalDocs === 0)
      await payload.create({
        collection: "users",
        data: {
          email: "editor@example.org",
          password: "of the editor",
          enableAPIKey: true,
          apiKey: process.env.API_KEY,
        },
      });
  },
  plugins: [cfForms({ can: () => true })],
});
