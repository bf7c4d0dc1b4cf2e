/** Screens' states beside the usual one: waiting, nothing there, something wrong. */
import { Component, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiError } from "../shared/api/client.ts";
import { useLanguage, useText, useTextOf } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";

export function Waiting(): ReactNode {
  const t = useText();
  return (
    <div className="waiting" role="status">
      <span className="spinner" />
      <span className="visually-hidden">{t("common.loading")}</span>
    </div>
  );
}

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong. The API, which speaks English, names the fault and its place; other languages say first what it means. */
export function Trouble({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode {
  const t = useText();
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{t("common.trouble")}</strong>
        <FaultText error={error} />
      </div>
      {onRetry === undefined ? null : (
        <Button onPress={onRetry} icon="retry">
          {t("common.tryAgain")}
        </Button>
      )}
    </div>
  );
}

export function FaultText({ error }: { readonly error: unknown }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  if (!(error instanceof ApiError)) {
    return (
      <p>
        {error instanceof TypeError ? t("common.noConnection") : String(error instanceof Error ? error.message : error)}
      </p>
    );
  }
  const params = error.data["params"];
  const places = membersOf(params);
  const details = new Map(membersOf(error.data["details"]));
  /** What is wrong there: by its code; a code that says little leaves it to the API's words, which for answers are the form's own. */
  const wordsOf = (name: string): string =>
    textOf("fault.detail", String(new Map(membersOf(details.get(name))).get("code")), {}, "");
  const requestId = error.data["request_id"];
  return (
    <>
      {language === "en" ? null : <p>{textOf("fault", error.code, {}, "")}</p>}
      <p lang="en" className={language === "en" ? undefined : "help"}>
        {error.message}
      </p>
      {places.length === 0 ? null : (
        <ul>
          {places.map(([name, message]) => (
            <Place key={name} name={name} words={language === "en" ? "" : wordsOf(name)} message={String(message)} />
          ))}
        </ul>
      )}
      {typeof requestId === "string" ? <p className="help">{t("common.requestId", { id: requestId })}</p> : null}
    </>
  );
}

/** One wrong member: what is wrong in the person's language, if that is known, and what the API says of it. */
function Place({
  name,
  words,
  message,
}: {
  readonly name: string;
  readonly words: string;
  readonly message: string;
}): ReactNode {
  return (
    <li>
      <code>{name}</code>
      {words === "" ? (
        `: ${message}`
      ) : (
        <>
          {" "}
          {words}.{" "}
          <span lang="en" className="help">
            {message}
          </span>
        </>
      )}
    </li>
  );
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** The query's data, or what is to be shown in its place. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  return <Waiting />;
}

interface CatchProps {
  readonly children: ReactNode;
  readonly fallback: (error: unknown, again: () => void) => ReactNode;
}

/** Keeps a fault of one screen from taking the others with it. */
export class Catch extends Component<CatchProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined
      ? this.props.children
      : this.props.fallback(error, () => this.setState({ error: undefined }));
  }
}
