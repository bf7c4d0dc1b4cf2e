/** The three columns of the form editor: palette or outline, preview, inspector. */
import {
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
} from "react";
import type { Draft } from "../../shared/draft/draft.ts";
import { partsOf, type Target } from "../../shared/draft/tree.ts";
import { useText } from "../../shared/text/text.tsx";
import { useEvent } from "../../shared/use-event.ts";
import { Button } from "../../ui/button.tsx";
import { Canvas } from "./canvas.tsx";
import type { CanvasTools } from "./canvas-mark.tsx";
import { FieldsPane } from "./fields-pane.tsx";
import { Inspector } from "./inspector.tsx";
import { rowsOf } from "./model/rows.ts";
import { targetAfter } from "./model/target-after.ts";
import { selectedBy, type Selection, type SelectMode } from "./selection.ts";
import type { FieldActions } from "./use-field-actions.ts";

const VIEWS = ["outline", "canvas", "inspector"] as const;
/** The column that a narrow screen shows. */
export type View = (typeof VIEWS)[number];

interface ViewProps {
  readonly view: View;
  readonly onView: Dispatch<SetStateAction<View>>;
}

interface BuildColumnsProps extends ViewProps {
  readonly editor: Draft;
  readonly selection: Selection;
  readonly actions: FieldActions;
  /** Removes fields; asks for confirmation first if they have answers. */
  readonly onRemove: (keys: readonly string[]) => void;
  readonly bar: ReactNode;
}

export function BuildColumns(props: BuildColumnsProps): ReactNode {
  const { editor, selection, actions, onRemove, bar, view, onView } = props;
  const [editRequest, setEditRequest] = useState<{ readonly name: string; readonly time: number } | null>(null);
  const requestEdit = useCallback(
    (name: string) => setEditRequest((before) => ({ name, time: (before?.time ?? 0) + 1 })),
    [],
  );
  /** Returns the position after the latest selection, which may not be rendered yet. */
  const findTarget = useEvent(
    (): Target => targetAfter(editor.current().schema, [...selection.live.now()].at(-1) ?? null),
  );
  const fieldOrder = useEvent(() =>
    rowsOf(partsOf(editor.content.schema)).flatMap(({ field }) => (field === null ? [] : [field.name])),
  );
  const { show, live } = selection;
  const choose = useCallback(
    (name: string, how: SelectMode = "only") => {
      show(selectedBy(how, name, live.now(), how === "range" ? fieldOrder() : []));
      onView((now) => (now === "canvas" ? "inspector" : now));
    },
    [show, live, onView],
  );
  const clear = useCallback(() => show(new Set()), [show]);
  const [tools, typeRequests] = useTools(props, fieldOrder);
  // A keystroke updates the inspector and the preview first, then the outline and the palette.
  const deferredEditor = useDeferredValue(editor);
  return (
    <>
      <Views view={view} onView={onView} />
      <div className="build-columns" data-view={view}>
        {bar}
        <FieldsPane
          editor={deferredEditor}
          actions={actions}
          selection={selection}
          findTarget={findTarget}
          typeRequests={typeRequests}
          onEditText={requestEdit}
          onRemove={onRemove}
        />
        <Canvas
          editor={editor}
          actions={actions}
          selection={live}
          findTarget={findTarget}
          tools={tools}
          onSelect={choose}
          onClear={clear}
          editRequest={editRequest}
        />
        <Inspector editor={editor} selection={selection} actions={actions} onClear={clear} />
      </div>
    </>
  );
}

/** Returns the tools of the selected fields in the preview, and a counter of their requests to open the field types. */
function useTools(
  { editor, selection: { show }, actions, onRemove, onView }: BuildColumnsProps,
  fieldOrder: () => readonly string[],
): readonly [tools: CanvasTools, typeRequests: number] {
  const [typeRequests, setTypeRequests] = useState(0);
  const duplicate = useEvent((names: readonly string[]) => {
    const { schema } = editor.content;
    actions.insert(
      schema.fields.filter(({ name }) => names.includes(name)),
      targetAfter(schema, fieldOrder().findLast((name) => names.includes(name)) ?? null),
    );
  });
  const tools = useMemo<CanvasTools>(
    () => ({
      duplicate,
      remove: onRemove,
      shift: actions.shift,
      addAfter(name) {
        show(new Set([name]));
        onView("outline");
        setTypeRequests((count) => count + 1);
      },
    }),
    [show, actions, onRemove, onView],
  );
  return [tools, typeRequests];
}

/** Switch between the columns, for narrow screens. */
function Views({ view, onView }: ViewProps): ReactNode {
  const t = useText();
  return (
    <div className="build-views">
      <fieldset className="segments" aria-label={t("build.views")}>
        {VIEWS.map((name) => (
          <Button key={name} look="quiet" aria-pressed={view === name} onPress={() => onView(name)}>
            {t(`build.view.${name}`)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
