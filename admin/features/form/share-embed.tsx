/** Code that shows the form in another website, by kind. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import { convert, previewBody } from "../../shared/draft/stored-content.ts";
import { type TextId, useText } from "../../shared/text/text.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Card } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { astroCode, elementCode, frameCode, htmlCode, reactCode } from "./share-code.ts";
import { AddWebsite } from "./share-websites.tsx";

interface EmbedKind {
  readonly id: string;
  readonly title: TextId;
  readonly content: (draft: Draft) => ReactNode;
}

const KINDS: readonly EmbedKind[] = [
  {
    id: "element",
    title: "share.script",
    content: ({ live }) => <Code title="share.script" help="share.embedHelp" code={elementCode(live.form)} />,
  },
  { id: "iframe", title: "share.frame", content: (draft) => <FrameCode draft={draft} /> },
  {
    id: "react",
    title: "share.react",
    content: ({ live }) => <Code title="share.react" help="share.packageHelp" code={reactCode(live.form)} />,
  },
  {
    id: "astro",
    title: "share.astro",
    content: ({ live }) => <Code title="share.astro" help="share.packageHelp" code={astroCode(live.form)} />,
  },
  { id: "html", title: "share.html", content: (draft) => <HtmlCode draft={draft} /> },
];

export function EmbedCard({ draft }: TabProps): ReactNode {
  const t = useText();
  return (
    <Card title={t("share.embed")}>
      <Tabs className="code-tabs">
        <TabList aria-label={t("share.embed")}>
          {KINDS.map(({ id, title }) => (
            <Tab key={id} id={id} className="code-tab">
              {t(title)}
            </Tab>
          ))}
        </TabList>
        {KINDS.map(({ id, content }) => (
          <TabPanel key={id} id={id}>
            {content(draft)}
          </TabPanel>
        ))}
      </Tabs>
    </Card>
  );
}

interface CodeProps {
  readonly title: TextId;
  readonly help: TextId;
  readonly code: string;
}

function Code({ title, help, code }: CodeProps): ReactNode {
  const t = useText();
  return <Snippet title={t(title)} help={t(help)} code={code} />;
}

/**
 * Code of a frame. Browsers show a framed form only on allowed websites. If none is allowed, the user is prompted to
 * add one.
 */
function FrameCode({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form } = draft.live;
  if (form.settings.allowed_origins.length > 0)
    return <Code title="share.frame" help="share.frameHelp" code={frameCode(form)} />;
  return (
    <>
      <p className="help">{t("share.frameNeedsWebsite")}</p>
      <AddWebsite draft={draft} />
    </>
  );
}

/** The form's fields as HTML, which the engine renders if the source is the fields. */
function HtmlCode({ draft }: TabProps): ReactNode {
  const client = useClient();
  const { form, content } = draft.live;
  const rendered = useQuery({
    queryKey: keys.renderedHtml(form.id, form.revision),
    queryFn: async ({ signal }) =>
      content.source === "markup" ? content.markup : (await convert(client, previewBody(content), signal)).markup,
  });
  return (
    <Loaded query={rendered}>
      {(markup) => <Code title="share.html" help="share.htmlHelp" code={htmlCode(form.url, markup)} />}
    </Loaded>
  );
}
