/** The files of visitors' pages, by names that change with their content. */

import { conversation, embed, fields, parts, script, style, type FrontAsset } from "../../visitor/assets.ts";
import { CompressedTexts } from "./compression.ts";
import type { Reply } from "./forms.ts";

const FOR_EVER = "public, max-age=31536000, immutable";
const EMBED_MAX_AGE = "public, max-age=300";

/** The names that pages link. */
export interface AssetNames {
  readonly style: string;
  readonly script: string;
  readonly conversation: string;
  readonly fields: string;
  readonly site?: string;
}

export class Assets {
  /** The names for the engine, which writes them into pages. */
  readonly names: AssetNames;
  readonly #assets: ReadonlyMap<string, FrontAsset>;
  readonly #compressed = new CompressedTexts();

  /** `stylesheet` is the site's style sheet, as text. */
  constructor(stylesheet = "") {
    const site = stylesheet === "" ? undefined : siteStyle(stylesheet);
    const assets = [
      style,
      script,
      embed,
      conversation,
      fields,
      ...Object.values(parts),
      ...(site === undefined ? [] : [site]),
    ];
    this.#assets = new Map(assets.map((asset) => [asset.name, asset]));
    this.names = {
      style: style.name,
      script: script.name,
      conversation: conversation.name,
      fields: fields.name,
      ...(site === undefined ? {} : { site: site.name }),
    };
  }

  /**
   * Returns the file, compressed if the browser accepts brotli or gzip, or 404 for an unknown name. `embed.js`, the
   * stable name in other sites' pages, redirects to the current file in `folder`, the address of the assets.
   */
  async reply(name: string, acceptEncoding: string, folder: string): Promise<Reply> {
    if (name === "embed.js") {
      const headers = [
        ["location", folder + embed.name],
        ["cache-control", EMBED_MAX_AGE],
        ["access-control-allow-origin", "*"],
      ] as const;
      return { status: 302, headers, body: new Uint8Array() };
    }
    const asset = this.#assets.get(name);
    if (asset === undefined) {
      return {
        status: 404,
        headers: [["content-type", "text/plain;charset=UTF-8"]],
        body: new TextEncoder().encode("Not found\n"),
      };
    }
    const read = () => new TextEncoder().encode(asset.content);
    const { bytes, encoding } = await this.#compressed.encode(name, acceptEncoding, read);
    const headers: Reply["headers"] = [
      ["content-type", asset.type],
      ["cache-control", FOR_EVER],
      ["vary", "accept-encoding"],
      ["x-content-type-options", "nosniff"],
      ["access-control-allow-origin", "*"],
      ...(encoding === null ? [] : [["content-encoding", encoding] as const]),
    ];
    return { status: 200, headers, body: bytes };
  }
}

/** The site's style sheet as an asset, named by the FNV-1a hash of its content. */
function siteStyle(content: string): FrontAsset {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(content)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return { name: `site.${hash.toString(16).padStart(8, "0")}.css`, type: "text/css; charset=utf-8", content };
}
