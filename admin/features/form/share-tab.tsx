/** The form's URL, and snippets that embed the form into other pages. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { ButtonLink, IconButton } from "../../ui/button.tsx";
import { CopyButton, Snippet } from "../../ui/copy.tsx";
import { Card } from "../../ui/page.tsx";
import type { Field } from "../../shared/draft/content.ts";
import type { FormChange, TabProps } from "../../shared/draft/draft.ts";
import { factsOf } from "../../shared/field-facts.ts";
import { useNotices } from "../../shared/notices.ts";
import { sampleOf } from "./sample-answers.ts";

export default function ShareTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form } = draft;
  const notices = useNotices();
  const changeLive = (change: FormChange) => void draft.changeLive(change).catch(notices.showError);
  const prefix = form.url.slice(0, form.url.lastIndexOf("/"));
  const title = form.title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fallback = `<a href="${form.url}">${title}</a>`;
  const script = `<script src="${prefix}/-/assets/embed.js" async></script>`;
  const isFramedNowhere = form.settings.allowed_origins.length === 0;
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
        <Snippet title={t("share.script")} code={`${script}\n<cf-form slug="${form.slug}">${fallback}</cf-form>`} />
        <Snippet title={t("share.link")} code={fallback} />
        {isFramedNowhere ? (
          <div>
            <strong>{t("share.frame")}</strong>
            <p className="help">{t("share.frameNeedsWebsite")}</p>
            <ButtonLink to={`/forms/${form.id}/settings`}>{t("share.addWebsite")}</ButtonLink>
          </div>
        ) : (
          <Snippet
            title={t("share.frame")}
            help={t("share.frameHelp")}
            code={`<iframe src="${form.url}" title="${title}" width="100%" height="700"></iframe>`}
          />
        )}
      </Card>
      <Card title={t("share.api")} help={t("share.apiHelp")}>
        <Snippet title="curl" code={curlOf(form.url, draft.live.content.schema.fields)} />
      </Card>
    </div>
  );
}

/** A command that submits a sample answer for each required field, or for the first one. */
function curlOf(url: string, fields: readonly Field[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const answered = fields.flatMap((field) => {
    const facts = factsOf(field.type);
    const takes = facts !== undefined && !["none", "button", "files"].includes(facts.answer);
    if (!takes) return [];
    const names = facts.parts.length === 0 ? [field.name] : facts.parts.map((part) => `${field.name}[${part}]`);
    return [{ isRequired: field.required, names, value: facts.answer === "consent" ? "1" : sampleOf(field, "Hello") }];
  });
  const required = answered.filter(({ isRequired }) => isRequired);
  const answers = (required.length > 0 ? required : answered.slice(0, 1)).flatMap(({ names, value }) =>
    names.map((name) => `  --data-urlencode ${quoted(`${name}=${value}`)}`),
  );
  return ["curl -H 'Accept: application/json'", ...answers, `  ${quoted(url)}`].join(" \\\n");
}
