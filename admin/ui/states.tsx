/** Loading, empty and error states of screens. */
import { Component, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiError } from "../shared/api/client.ts";
import { useApiMessage } from "../shared/text/api-message.ts";
import { useLanguage, useText, useTextOf } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";

export function Loading(): ReactNode {
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

/** A screen that the user's account may not open. */
export function NoAccess({ children }: { readonly children?: ReactNode }): ReactNode {
  const t = useText();
  return (
    <Empty icon="shield" title={t("common.noAccess")}>
      {children}
    </Empty>
  );
}

const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.code === "rest_forbidden";

/** An error of a request. A message that has no translation stays English, after a text for the error's code. */
export function ErrorMessage({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): ReactNode {
  const t = useText();
  return (
    <div className="trouble" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{t("common.trouble")}</strong>
        <ErrorText error={error} />
      </div>
      {onRetry === undefined ? null : (
        <Button onPress={onRetry} icon="retry">
          {t("common.tryAgain")}
        </Button>
      )}
    </div>
  );
}

export interface ErrorTextProps {
  readonly error: unknown;
  /** Returns a label for a parameter with a fault, such as a link to its field; null to show the API's name. */
  readonly labelOf?: (name: string) => ReactNode;
}

export function ErrorText({ error, labelOf = () => null }: ErrorTextProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  const translate = useApiMessage();
  if (!(error instanceof ApiError)) {
    return (
      <p>
        {error instanceof TypeError ? t("common.noConnection") : String(error instanceof Error ? error.message : error)}
      </p>
    );
  }
  const params = error.data["params"];
  const faults = membersOf(params);
  const details = new Map(membersOf(error.data["details"]));
  /** Returns the text for a fault's code; empty for a code without a text, so that only the API's message is shown. */
  const wordsOf = (name: string): string =>
    textOf("fault.detail", String(new Map(membersOf(details.get(name))).get("code")), {}, "");
  const translated = translate(error.message);
  const requestId = error.data["request_id"];
  return (
    <>
      {translated === null && language !== "en" ? <p>{textOf("fault", error.code, {}, "")}</p> : null}
      {translated !== null ? (
        <p>{translated}</p>
      ) : (
        <p lang="en" className={language === "en" ? undefined : "help"}>
          {error.message}
        </p>
      )}
      {faults.length === 0 ? null : (
        <ul>
          {faults.map(([name, message]) => (
            <FaultItem
              key={name}
              label={labelOf(name) ?? <code>{name}</code>}
              words={language === "en" ? "" : wordsOf(name)}
              message={String(message)}
            />
          ))}
        </ul>
      )}
      {typeof requestId === "string" ? <p className="help">{t("common.requestId", { id: requestId })}</p> : null}
    </>
  );
}

/** One parameter with a fault: its translated message, or else the text for its code, if any, and the message. */
function FaultItem({
  label,
  words,
  message,
}: {
  readonly label: ReactNode;
  readonly words: string;
  readonly message: string;
}): ReactNode {
  const translated = useApiMessage()(message);
  return (
    <li>
      {label}
      {words === "" || translated !== null ? (
        `: ${translated ?? message}`
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

/** Renders a query's data, or its loading or error state. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  // A query that the account does not allow is not even sent.
  if (isForbidden(query.error) || (query.isPending && query.fetchStatus === "idle")) return <NoAccess />;
  if (query.isError) return <ErrorMessage error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
  /** Value whose change ends the error, such as the path of the screen. */
  readonly resetOn: string;
}

interface ErrorBoundaryState {
  readonly error: unknown;
  readonly resetOn: string;
}

/** Keeps an exception in one screen from breaking the others. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, resetOn: this.props.resetOn };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(
    { resetOn }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return resetOn === state.resetOn ? null : { error: undefined, resetOn };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined
      ? this.props.children
      : this.props.fallback(error, () => this.setState({ error: undefined }));
  }
}
