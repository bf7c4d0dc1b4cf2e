/** A started import: its progress, then links to its forms. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import type { ImportProgress } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useForms } from "../../shared/api/queries.ts";
import { importQuery } from "../../shared/api/resources.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card } from "../../ui/page.tsx";
import { ErrorMessage, Loading } from "../../ui/states.tsx";
import { Losses, SaveReport } from "./import-report.tsx";

/** Data that an import changes. */
const STALE = [keys.forms, keys.submissions, keys.poll, keys.counts, keys.unread, keys.newest];

export function ProgressCard({ id, onAnother }: { readonly id: number; readonly onAnother: () => void }): ReactNode {
  const t = useText();
  const query = useQuery(importQuery(useClient(), id));
  const queries = useQueryClient();
  const state = query.data?.state;
  useEffect(() => {
    if (state === "running" || state === undefined) return;
    for (const queryKey of STALE) void queries.invalidateQueries({ queryKey });
  }, [state, queries]);
  const cancel = useChange((client, input: { readonly id: number }) => client.cancelImport(input), {
    stale: [...STALE, keys.import(id)],
  });
  if (query.data === undefined) return query.error === null ? <Loading /> : <ErrorMessage error={query.error} />;
  const onCancel = () => cancel.mutate({ id });
  if (query.data.state === "running") {
    return <Running progress={query.data} isPending={cancel.isPending} onCancel={onCancel} />;
  }
  const isKept = query.data.state === "done" || query.data.state === "failed";
  return (
    <Card
      title={t(`import.state.${query.data.state}`)}
      {...(query.data.error === undefined ? {} : { help: query.data.error })}
    >
      <div className="stack">
        {isKept ? <Results progress={query.data} /> : null}
        {isKept ? <Losses notes={query.data.losses} /> : null}
        <div className="row end">
          {isKept ? <SaveReport notes={query.data.losses} /> : null}
          {isKept ? (
            <Button isPending={cancel.isPending} onPress={onCancel}>
              {t("import.undo")}
            </Button>
          ) : null}
          <Button onPress={onAnother}>{t("import.another")}</Button>
          <OpenResult forms={isKept ? query.data.forms : []} />
        </div>
      </div>
    </Card>
  );
}

function Running({
  progress: { done, total },
  isPending,
  onCancel,
}: {
  readonly progress: ImportProgress;
  readonly isPending: boolean;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useText();
  return (
    <Card title={t("import.state.running")} help={t("import.runningHelp")}>
      <div className="stack close">
        <progress className="progress" aria-label={t("import.state.running")} max={Math.max(1, total)} value={done} />
        <span className="muted">{t("import.progress", { done, total })}</span>
        <div className="row end">
          <Button isPending={isPending} onPress={onCancel}>
            {t("import.cancel")}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** The forms of an ended import. */
function Results({ progress: { forms, submissions } }: { readonly progress: ImportProgress }): ReactNode {
  const t = useText();
  const known = useForms().data ?? [];
  const titleOf = (id: number): string => known.find((form) => form.id === id)?.title ?? `#${id}`;
  return (
    <>
      <ul className="stack close">
        {forms.map((id) => (
          <li key={id} className="row">
            <Icon name="forms" />
            <Link href={`/forms/${id}`}>{titleOf(id)}</Link>
          </li>
        ))}
      </ul>
      <p className="muted">{t("import.storedNow", { count: submissions })}</p>
    </>
  );
}

function OpenResult({ forms }: { readonly forms: readonly number[] }): ReactNode {
  const t = useText();
  const [, navigate] = useLocation();
  const [only, ...others] = forms;
  if (only === undefined || others.length > 0) {
    return (
      <Button look="primary" onPress={() => navigate("/forms")}>
        {t("forms.title")}
      </Button>
    );
  }
  return (
    <ButtonLink to={`/forms/${only}`} look="primary">
      {t("import.open")}
    </ButtonLink>
  );
}
