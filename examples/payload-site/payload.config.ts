/** A headless Payload site with forms. */
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { cfForms } from "cf-forms/hosts/payload";
import { buildConfig } from "payload";

export default buildConfig({
  secret: process.env["PAYLOAD_SECRET"] ?? "",
  serverURL: process.env["SERVER_URL"] ?? "http://127.0.0.1:3000",
  telemetry: false,
  typescript: { autoGenerate: false },
  db: sqliteAdapter({ client: { url: process.env["DATABASE_URL"] ?? "file:./payload.db" } }),
  admin: { user: "users" },
  collections: [{ slug: "users", auth: { useAPIKey: true }, fields: [] }],
  // Mails go to the log until you add an email adapter of Payload's.
  // Every user may edit forms, which are in a separate SQLite file.
  plugins: [
    cfForms({
      can: () => true,
      database: process.env["FORMS_URL"] ?? "file:./cf-forms.db",
      // server.ts sets this header. Remove the option with another server, because visitors could send the header.
      clientAddress: (request) => request.headers.get("x-client-address"),
    }),
  ],
});
