/** Ways to reach the form: its link, code for other sites, the sites that may show it, and the API. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useMutation } from "@tanstack/react-query";
import type { TabProps } from "../../shared/draft/draft.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty, Loading } from "../../ui/states.tsx";
import { LinkBox } from "./link-box.tsx";
import { PublishPopover } from "./publish-popover.tsx";
import { curlCode, siteOf } from "./share-code.ts";
import { EmbedCard } from "./share-embed.tsx";
import { WebsitesCard } from "./share-websites.tsx";

const QrCode = lazy(() => import("./qr-code.tsx"));

export default function ShareTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const { form, content } = draft.live;
  if (form.status === "draft")
    return (
      <Empty icon="open" title={t("share.publishFirst")}>
        <PublishPopover draft={draft} count={0} isFirst onFirst={() => notices.show(t("publish.doneFirst"))} />
      </Empty>
    );
  return (
    <div className="stack share">
      <LinkCard draft={draft} />
      <EmbedCard draft={draft} />
      <WebsitesCard draft={draft} />
      <Card title={t("share.api")} help={t("share.apiHelp")}>
        <Snippet title="curl" code={curlCode(form.url, content.schema.fields)} />
      </Card>
    </div>
  );
}

function LinkCard({ draft }: TabProps): ReactNode {
  const t = useText();
  const { form } = draft.live;
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Card title={t("share.address")}>
      <div className="share-link">
        <div className="stack">
          <LinkBox url={form.url} />
          <div>
            <Button onPress={() => setIsChanging(true)}>{t("share.changeLink")}</Button>
          </div>
          <FormerLinks draft={draft} />
        </div>
        <Suspense fallback={<Loading />}>
          <QrCode url={form.url} name={form.slug} />
        </Suspense>
      </div>
      {isChanging ? <ChangeLinkDialog draft={draft} onClose={() => setIsChanging(false)} /> : null}
    </Card>
  );
}

/** Links that the form had before. They redirect to the current one until they are removed. */
function FormerLinks({ draft }: TabProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const { form } = draft.live;
  if (form.former_slugs.length === 0) return null;
  const remove = (slug: string) =>
    draft
      .changeLive({ former_slugs: form.former_slugs.filter((other) => other !== slug) })
      .catch((error: unknown) => notices.showError(error));
  return (
    <div>
      <h3>{t("share.former")}</h3>
      <p className="help">{t("share.formerHelp")}</p>
      <ul className="plain">
        {form.former_slugs.map((slug) => (
          <li key={slug} className="row nowrap">
            <span className="clip">{`${siteOf(form)}/${slug}`}</span>
            <IconButton
              icon="trash"
              label={t("share.removeFormer", { address: slug })}
              onPress={() => void remove(slug)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ChangeLinkDialogProps extends TabProps {
  readonly onClose: () => void;
}

function ChangeLinkDialog({ draft, onClose }: ChangeLinkDialogProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const { form } = draft.live;
  const [slug, setSlug] = useState(form.slug);
  const wanted = slug.trim();
  const request = useMutation({
    mutationFn: () => draft.changeLive({ slug: wanted }),
    onSuccess: ({ url }) => {
      notices.show(t("share.linkChanged", { url }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("share.changeLinkTitle")}
      action={t("share.changeLinkAction")}
      request={{ ...request, mutate: () => request.mutate() }}
      isDisabled={wanted === "" || wanted === form.slug}
      onClose={onClose}
    >
      <TextField
        label={t("share.address")}
        value={slug}
        onChange={setSlug}
        required
        autoFocus
        help={`${siteOf(form)}/${wanted}`}
      />
      <p>{t("share.changeLinkText")}</p>
    </FormDialog>
  );
}
