"use client";

/** A React component for a form: the element of embed.js with its script and its events (docs/embedding.md). */
import type {} from "./jsx.ts";
import { createElement, useEffect, useRef, type ReactElement, type ReactNode } from "react";

/** Properties of {@link CfForm}. */
export interface FormProps {
  /** Address of the forms, such as `https://forms.example/forms`, or their path on the same site. */
  readonly site: string;
  readonly slug: string;
  /** Title of the frame, and text of the link that shows until the form is loaded. */
  readonly title: string;
  /** Whether the form is shown in a frame, instead of directly in the page. */
  readonly frame?: boolean;
  /** Whether the page's query fills in fields of the form. */
  readonly prefill?: boolean;
  /** Content until the form is loaded; default: a link to the form's page. */
  readonly children?: ReactNode;
  /** Called before the form is sent. `preventDefault()` cancels the submit, unless the form is in a frame. */
  readonly onSubmit?: (event: Event) => void;
  /** Called after the site accepted the submission. */
  readonly onSuccess?: (event: CustomEvent) => void;
  /** Called when the site rejected the submission, or the form could not be sent. */
  readonly onError?: (event: CustomEvent) => void;
  /** Called when another step shows. */
  readonly onStep?: (event: CustomEvent) => void;
}

/** Loads the script of the element once per page. */
function loadScript(site: string): void {
  const address = new URL(`${site}/-/assets/embed.js`, document.baseURI).href;
  if ([...document.scripts].some(({ src }) => src === address)) return;
  const script = document.createElement("script");
  script.src = address;
  script.async = true;
  document.head.append(script);
}

interface ElementProps extends Omit<FormProps, "site" | "frame" | "prefill"> {
  /** The address of the forms, without a slash at its end. */
  readonly base: string;
  readonly frame: boolean;
  readonly prefill: boolean;
}

/** Renders the element, and adds the listeners to it. */
function FormElement({ base, slug, title, frame, prefill, children, ...listeners }: ElementProps): ReactElement {
  const place = useRef<HTMLElement>(null);
  const latest = useRef(listeners);
  useEffect(() => {
    latest.current = listeners;
  });
  useEffect(() => {
    loadScript(base);
    const events = {
      "cf-submit": (event: Event) => latest.current.onSubmit?.(event),
      "cf-success": (event: Event) => latest.current.onSuccess?.(event as CustomEvent),
      "cf-error": (event: Event) => latest.current.onError?.(event as CustomEvent),
      "cf-step": (event: Event) => latest.current.onStep?.(event as CustomEvent),
    };
    const { current } = place;
    for (const [name, listener] of Object.entries(events)) current?.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(events)) current?.removeEventListener(name, listener);
    };
  }, [base]);
  const link = children ?? createElement("a", { href: `${base}/${slug}` }, title);
  const flags = { ...(frame ? { frame: "" } : {}), ...(prefill ? { prefill: "" } : {}) };
  return createElement("cf-form", { ref: place, slug, title, ...flags }, link);
}

/** Renders the form of a slug. A server renders a link to the form's page, which shows until scripts run. */
export function CfForm({ site, frame = false, prefill = false, ...props }: FormProps): ReactElement {
  const base = site.replace(/\/+$/, "");
  // When the form or a flag changes, the key changes too, so that React creates a new element with its listeners.
  const key = `${base} ${props.slug} ${frame} ${prefill}`;
  return createElement(FormElement, { ...props, key, base, frame, prefill });
}
