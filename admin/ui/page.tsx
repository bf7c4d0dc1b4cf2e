/** The frame of a screen: its title, its buttons, its tabs. */
import { type ReactNode, useEffect, useRef } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useRoute } from "wouter";
import { useClient } from "../shared/api/client.ts";
import { unreadCountQuery } from "../shared/api/resources.ts";
import { useFormats } from "../shared/text/format.ts";
import { Icon } from "./icons.tsx";

export interface PageTab {
  readonly to: string;
  readonly label: string;
  /** Number shown beside the label, such as the number of the form's actions. */
  readonly count?: number;
  /** Whether a line separates the tab from the one before. */
  readonly startsGroup?: boolean;
}

export interface PageProps {
  readonly title: string;
  /** Link to the parent screen. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  readonly tabs?: readonly PageTab[];
  /** `bar`: title, tabs and buttons share a bar that stays at the top of the window. Default: a title above the content. */
  readonly head?: "bar";
  readonly children: ReactNode;
}

export function Page({ title, back, badge, actions, tabs, head, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(title);
  const links = tabs === undefined ? null : <Tabs label={title} tabs={tabs} />;
  return (
    <div className={head === "bar" ? "page with-bar" : "page"}>
      <header className="page-head">
        <div className="page-title">
          {back === undefined ? null : (
            <Link href={back.to} className="back" title={head === "bar" ? back.label : undefined}>
              <Icon name="back" />
              <span className="back-name">{back.label}</span>
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            <span className="page-name">{title}</span>
            {badge}
          </h1>
        </div>
        {head === "bar" ? links : null}
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {head === "bar" ? null : links}
      <div className="page-body">{children}</div>
    </div>
  );
}

/** Sets the title of the browser's tab, with the number of unread submissions before it. */
export function useDocumentTitle(title: string): void {
  const { data: unread = 0 } = useQuery({ ...unreadCountQuery(useClient()), enabled: false });
  useEffect(() => {
    const before = document.title;
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${title} · cf-forms`;
    return () => {
      document.title = before;
    };
  }, [title, unread]);
}

function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly PageTab[] }): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <TabLink key={tab.to} {...tab} />
      ))}
    </nav>
  );
}

function TabLink({ to, label, count, startsGroup = false }: PageTab): ReactNode {
  const [isHere] = useRoute(to);
  const formats = useFormats();
  const link = useRef<HTMLAnchorElement>(null);
  // Tabs that do not fit scroll sideways; this scrolls the current one into view.
  useEffect(() => {
    const tabs = link.current?.parentElement;
    if (isHere && link.current !== null && tabs)
      tabs.scrollLeft = link.current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - link.current.offsetWidth) / 2;
  }, [isHere]);
  return (
    <Link
      href={to}
      ref={link}
      className={startsGroup ? "tab starts-group" : "tab"}
      aria-current={isHere ? "page" : undefined}
    >
      {label}
      {count === undefined ? null : <span className="tab-count number">{formats.number(count)}</span>}
    </Link>
  );
}

export interface CardProps {
  readonly title?: string;
  readonly help?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, help, actions, children }: CardProps): ReactNode {
  return (
    <section className="card">
      {title === undefined && actions === undefined ? null : (
        <header className="card-head">
          {title === undefined ? null : <h2>{title}</h2>}
          {actions}
        </header>
      )}
      {help === undefined ? null : <p className="help">{help}</p>}
      {children}
    </section>
  );
}

export type Tone = "neutral" | "good" | "bad" | "wait" | "info";

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
