/** Left pane of the editor: a search that adds fields, and below it the field types or the outline. */
import { type KeyboardEvent, lazy, memo, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { areSingleKeysOn } from "../../shared/single-keys.ts";
import { isTyping } from "../../shared/typing.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { Loading } from "../../ui/states.tsx";
import { Outline } from "./outline.tsx";
import type { OutlineProps } from "./outline-rows.ts";
import { itemsFor, usePaletteItems } from "./palette-items.ts";
import type { Target } from "../../shared/draft/tree.ts";

const Palette = lazy(() => import("./palette.tsx"));

const VIEWS = ["fieldTypes", "outline"] as const;
type View = (typeof VIEWS)[number];

export interface FieldsPaneProps extends OutlineProps {
  /** Returns the position of a field that is added. */
  readonly findTarget: () => Target;
  /** Counter of the requests to choose a field type. */
  readonly typeRequests: number;
}

export const FieldsPane = memo(function FieldsPane({
  findTarget,
  typeRequests,
  ...outline
}: FieldsPaneProps): ReactNode {
  const t = useText();
  const { editor, actions } = outline;
  const { fields } = editor.content.schema;
  const [words, setWords] = useState("");
  // An empty form shows the field types first, any other form its outline.
  const [view, setView] = useState<View>(() =>
    fields.some(({ type }) => type !== "submit") ? "outline" : "fieldTypes",
  );
  const items = usePaletteItems();
  const pane = useRef<HTMLElement>(null);
  useFocusBySlash(pane);
  useEffect(() => {
    if (typeRequests === 0) return;
    setWords("");
    setView("fieldTypes");
    searchIn(pane.current)?.focus();
  }, [typeRequests]);
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = itemsFor(words, items);
    if (event.key !== "Enter" || words === "" || first === undefined || !(event.target instanceof HTMLInputElement))
      return;
    event.preventDefault();
    actions.addType(first.id, findTarget());
    setWords("");
  };
  return (
    <section className="build-outline" aria-label={t("build.view.outline")} ref={pane}>
      <div className="build-pane-head">
        <search onKeyDown={onKeyDown}>
          <SearchField label={t("build.search")} value={words} onChange={setWords} />
        </search>
        <PaneViews
          view={words === "" ? view : "fieldTypes"}
          fieldCount={fields.length}
          onView={(name) => {
            setWords("");
            setView(name);
          }}
        />
      </div>
      <p className="visually-hidden" role="status">
        {actions.announcement}
      </p>
      <div className="build-pane-body">
        {view === "fieldTypes" || words !== "" ? (
          <Suspense fallback={<Loading />}>
            <Palette words={words} actions={actions} findTarget={findTarget} />
          </Suspense>
        ) : (
          <Outline {...outline} />
        )}
      </div>
    </section>
  );
});

interface PaneViewsProps {
  readonly view: View;
  readonly fieldCount: number;
  readonly onView: (view: View) => void;
}

/** Switch between the field types and the outline. */
function PaneViews({ view, fieldCount, onView }: PaneViewsProps): ReactNode {
  const t = useText();
  return (
    <fieldset className="segments" aria-label={t("build.leftPane")}>
      {VIEWS.map((name) => (
        <Button key={name} look="quiet" aria-pressed={view === name} onPress={() => onView(name)}>
          {t(`build.${name}`)}
          {name === "outline" ? <span className="muted">{fieldCount}</span> : null}
        </Button>
      ))}
    </fieldset>
  );
}

const searchIn = (pane: HTMLElement | null): HTMLElement | null =>
  pane?.querySelector<HTMLElement>("input[type=search]") ?? null;

/** Moves the focus to the search when `/` is pressed outside of text fields. */
function useFocusBySlash(pane: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event) || !areSingleKeysOn()) return;
      const search = searchIn(pane.current);
      if (search === null) return;
      event.preventDefault();
      search.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [pane]);
}
