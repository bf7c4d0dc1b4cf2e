/** The frame of a screen: its title, its buttons, its tabs. */
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useRoute } from "wouter";
import { Icon } from "./icons.tsx";

export interface PageProps {
  readonly title: string;
  /** Link to the parent screen. */
  readonly back?: { readonly to: string; readonly label: string };
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  readonly tabs?: readonly { readonly to: string; readonly label: string }[];
  readonly children: ReactNode;
}

export function Page({ title, back, badge, actions, tabs, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · cf-forms`;
    return () => {
      document.title = before;
    };
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          {back === undefined ? null : (
            <Link href={back.to} className="back">
              <Icon name="back" />
              {back.label}
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1}>
            <span className="page-name">{title}</span>
            {badge}
          </h1>
        </div>
        {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      </header>
      {tabs === undefined ? null : (
        <nav className="tabs" aria-label={title}>
          {tabs.map((tab) => (
            <TabLink key={tab.to} {...tab} />
          ))}
        </nav>
      )}
      <div className="page-body">{children}</div>
    </div>
  );
}

function TabLink({ to, label }: { readonly to: string; readonly label: string }): ReactNode {
  const [isHere] = useRoute(to);
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone the tabs scroll sideways; this scrolls the current one into view.
  useEffect(() => {
    const tabs = link.current?.parentElement;
    if (isHere && link.current !== null && tabs)
      tabs.scrollLeft = link.current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - link.current.offsetWidth) / 2;
  }, [isHere]);
  return (
    <Link href={to} ref={link} className="tab" aria-current={isHere ? "page" : undefined}>
      {label}
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

/** The tone of each state of a queue entry or a run. */
export const RUN_TONES: Readonly<Record<string, Tone>> = {
  pending: "wait",
  processing: "info",
  retrying: "wait",
  failed: "bad",
  completed: "good",
  cancelled: "neutral",
  success: "good",
  skipped: "neutral",
};

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
