/**
 * The example's site with additions for tests: a mail provider, another plugin's action, a font from npm, EmDash's
 * forms.
 */
import { fileURLToPath } from "node:url";
import node from "@astrojs/node";
import react from "@astrojs/react";
import { formsPlugin } from "@emdash-cms/plugin-forms";
import { defineConfig, fontProviders } from "astro/config";
import { withForms } from "cf-forms/hosts/emdash";
import emdash, { local } from "emdash/astro";
import { sqlite } from "emdash/db";

const mailSink = {
  id: "mail-sink",
  version: "1.0.0",
  entrypoint: fileURLToPath(new URL("./src/mail-sink.ts", import.meta.url)),
};
const font = "@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2";

export default defineConfig({
  output: "server",
  adapter: node({ mode: "standalone" }),
  // Instead of EmDash's fonts, which the build downloads.
  fonts: [
    {
      provider: fontProviders.local(),
      name: "Noto Sans",
      cssVariable: "--font-emdash",
      options: { variants: [{ src: [font], weight: 400, style: "normal" }] },
    },
  ],
  integrations: [
    react(),
    withForms(
      emdash,
      {
        database: sqlite({ url: "file:./data.db" }),
        storage: local({ directory: "./uploads", baseUrl: "/_emdash/api/media/file" }),
        fonts: false,
        trustedProxyHeaders: ["x-forwarded-for"],
        // EmDash's forms are installed too, for benches/beside-emdash.ts.
        plugins: [mailSink, formsPlugin()],
      },
      { site: "./src/forms.ts" },
    ),
  ],
});
