/** The form's URL, and snippets that embed the form into other pages. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { parseHtml } from "../../../visitor/script/trusted.ts";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton, Snippet } from "../../ui/copy.tsx";
import { Card } from "../../ui/page.tsx";
import type { FormChange, TabProps } from "../../shared/draft/draft.ts";
import { useNotices } from "../../shared/notices.ts";

export default function ShareTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form } = draft;
  const notices = useNotices();
  const changeLive = (change: FormChange) => void draft.changeLive(change).catch(notices.showError);
  const prefix = form.url.slice(0, form.url.lastIndexOf("/"));
  // The URLs of script and styles hold content hashes, so they are read from the form's page.
  const assets = useQuery({
    queryKey: ["assets", form.url, form.status],
    queryFn: () => assetsOf(form.url),
    staleTime: Infinity,
  });
  const link = (name: string) => new URL(name, form.url).href;
  const head = (assets.data ?? [])
    .map((name) =>
      name.endsWith(".css")
        ? `<link rel="stylesheet" href="${link(name)}">`
        : `<script src="${link(name)}" defer></script>`,
    )
    .join("\n");
  const title = form.title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const embed = `<div data-cf-embed="${form.url}/embed">\n  <p><a href="${form.url}">${title}</a></p>\n</div>`;
  return (
    <div className="stack">
      <Card title={t("share.address")} help={form.status === "published" ? undefined : t("share.notPublished")}>
        <div className="row nowrap">
          <a href={form.url} target="_blank" rel="noopener" className="clip">
            {form.url}
          </a>
          <CopyButton text={form.url} label={t("forms.copyAddress")} />
        </div>
      </Card>
      {form.former_slugs.length === 0 ? null : (
        <Card title={t("share.former")} help={t("share.formerHelp")}>
          <ul className="plain">
            {form.former_slugs.map((slug) => (
              <li key={slug} className="row nowrap">
                <span className="clip">{`${prefix}/${slug}`}</span>
                <IconButton
                  icon="trash"
                  label={t("share.removeFormer", { address: slug })}
                  onPress={() => changeLive({ former_slugs: form.former_slugs.filter((other) => other !== slug) })}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title={t("share.embed")} help={t("share.embedHelp")}>
        <Snippet title={t("share.script")} code={head === "" ? embed : `${head}\n${embed}`} />
        <Snippet title={t("share.link")} code={`<a href="${form.url}">${title}</a>`} />
        <Snippet
          title={t("share.frame")}
          help={t("share.frameHelp")}
          code={`<iframe src="${form.url}" title="${title}" width="100%" height="700"></iframe>`}
        />
      </Card>
      <Card title={t("share.api")} help={t("share.apiHelp")}>
        <Snippet
          title="curl"
          code={`curl -H "Accept: application/json" -d "email=ada@example.com" ${prefix}/${form.slug}`}
        />
      </Card>
    </div>
  );
}

async function assetsOf(url: string): Promise<readonly string[]> {
  const address = new URL(url);
  // A page of another origin cannot be read from here.
  if (address.origin !== location.origin) return [];
  const answer = await fetch(address, { credentials: "same-origin", headers: { Accept: "text/html" } });
  const page = parseHtml(await answer.text());
  const names = [...page.querySelectorAll('link[rel="stylesheet"], script[src]')].map(
    (element) => element.getAttribute("href") ?? element.getAttribute("src") ?? "",
  );
  return names.filter((name) => name.includes("/-/assets/"));
}
