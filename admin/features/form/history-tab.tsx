/**
 * Published versions of the form: the changes of each, its differences from the draft, and a way to restore parts of
 * it.
 */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { revisionsQuery } from "../../shared/api/resources.ts";
import type { Content } from "../../shared/draft/content.ts";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import { previewBody, revisionContent } from "../../shared/draft/stored-content.ts";
import { useNotices } from "../../shared/notices.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Differences } from "../../ui/differences.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { HtmlFrame, pageForFrame } from "../../ui/html-frame.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";

const MarkupDifference = lazy(() => import("../../ui/markup-difference.tsx"));

export default function HistoryTab({ draft }: TabProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const changesOf = useChanges();
  const [chosen, setChosen] = useState<number | null>(null);
  const { form } = draft.live;
  const revisions = useQuery(revisionsQuery(useClient(), form.id));
  return (
    <div className="history-columns">
      <Card help={t("history.help")}>
        <Loaded query={revisions}>
          {(list) => (
            <ul className="history">
              {list.map(({ revision, created_at, user, summary }) => (
                <li key={revision}>
                  <Button
                    look={chosen === revision ? "primary" : "quiet"}
                    aria-pressed={chosen === revision}
                    onPress={() => setChosen(revision)}
                  >
                    {t("history.revision", { revision })}
                  </Button>
                  <span className="muted">
                    {formats.dateTime(created_at)}
                    {user === "" ? "" : ` · ${user}`}
                  </span>
                  <span>{changesOf(summary)}</span>
                  {revision === form.revision ? <Badge tone="good">{t("state.published")}</Badge> : null}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      {chosen === null ? null : <Version key={chosen} draft={draft} revision={chosen} />}
    </div>
  );
}

/** Returns the text of a summary, which names the changed members, separated by commas. */
function useChanges(): (summary: string) => string {
  const t = useText();
  const textOf = useTextOf();
  const other = t("history.otherChange");
  const changeOf = (name: string): string => {
    const [, restored] = /^restored revision (\d+)$/.exec(name) ?? [];
    if (restored !== undefined) return t("history.restored", { revision: restored });
    if (name === "moved to the trash") return t("history.trashed");
    if (name === "restored from the trash") return t("history.untrashed");
    const [, status] = /^status (\w+)$/.exec(name) ?? [];
    if (status !== undefined) return textOf("history.status", status, undefined, other);
    return textOf("history.change", name.replace(" ", "_"), undefined, other);
  };
  return (summary) => summary.split(/,\s*/).map(changeOf).join(", ");
}

interface VersionProps {
  readonly draft: Draft;
  readonly revision: number;
}

function Version({ draft, revision }: VersionProps): ReactNode {
  const t = useText();
  const client = useClient();
  const [isRestoring, setIsRestoring] = useState(false);
  const earlier = useQuery({
    queryKey: keys.revision(draft.form.id, revision),
    queryFn: () => revisionContent(client, draft.form.id, revision),
  });
  return (
    <Card
      title={t("history.revision", { revision })}
      actions={
        <Button isDisabled={earlier.data === undefined} onPress={() => setIsRestoring(true)}>
          {t("history.restore")}
        </Button>
      }
    >
      <Loaded query={earlier}>
        {(content) => (
          <>
            <VersionPreview content={content} />
            <h3>{t("history.differences")}</h3>
            <Differences before={content} after={draft.content} />
            {content.source === "markup" && draft.content.source === "markup" ? (
              <Suspense fallback={<Loading />}>
                <MarkupDifference before={content.markup} after={draft.content.markup} />
              </Suspense>
            ) : null}
            {isRestoring ? (
              <RestoreDialog
                draft={draft}
                revision={revision}
                content={content}
                onClose={() => setIsRestoring(false)}
              />
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function VersionPreview({ content }: { readonly content: Content }): ReactNode {
  const t = useText();
  const client = useClient();
  const preview = useQuery({
    queryKey: ["version-preview", content],
    gcTime: 0,
    queryFn: ({ signal }) => client.previewForm({ body: previewBody(content) }, { signal }),
  });
  return (
    <Loaded query={preview}>
      {({ html }) => (
        <HtmlFrame
          className="preview-frame"
          title={t("preview.title")}
          sandbox="allow-scripts"
          html={pageForFrame(html, { themeValues: content.settings["theme_values"] })}
        />
      )}
    </Loaded>
  );
}

const PARTS = ["fields", "messages", "settings", "actions"] as const;
type Part = (typeof PARTS)[number];

/**
 * Takes the chosen parts of a version into the draft, as one undo step. The live form, its link and its status do not
 * change.
 */
function RestoreDialog({
  draft,
  revision,
  content,
  onClose,
}: VersionProps & { readonly content: Content; readonly onClose: () => void }): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [parts, setParts] = useState<ReadonlySet<Part>>(new Set(["fields", "messages"]));
  const restore = () => {
    const before = draft.current();
    draft.run({ kind: "replace", content: withParts(before, content, parts) });
    notices.showUndoable(t("restore.done", { revision }), () => draft.run({ kind: "replace", content: before }));
    onClose();
  };
  return (
    <Dialog
      title={t("restore.title", { revision })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" isDisabled={parts.size === 0} onPress={restore}>
            {t("history.restore")}
          </Button>
        </>
      }
    >
      <p className="help">{t("restore.help")}</p>
      {PARTS.map((part) => (
        <Checkbox
          key={part}
          label={t(`restore.${part}`)}
          value={parts.has(part)}
          onChange={(isOn) => setParts(new Set(PARTS.filter((other) => (other === part ? isOn : parts.has(other)))))}
        />
      ))}
    </Dialog>
  );
}

/** Settings of the form's schedule, which a restore does not change. */
const KEPT_SETTINGS = ["opens_at", "closes_at"] as const;

function withParts(current: Content, earlier: Content, parts: ReadonlySet<Part>): Content {
  const { title, source, markup, schema } = parts.has("fields") ? earlier : current;
  const settings = parts.has("settings") ? { ...current.settings, ...earlier.settings } : { ...current.settings };
  for (const key of KEPT_SETTINGS) settings[key] = current.settings[key];
  settings["actions"] = (parts.has("actions") ? earlier : current).settings["actions"];
  return { title, source, markup, schema, settings, messages: (parts.has("messages") ? earlier : current).messages };
}
