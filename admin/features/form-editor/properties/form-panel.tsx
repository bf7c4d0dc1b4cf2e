/** Properties of the form: basics, design, pictures, confirmation. */
import { lazy, type ReactNode, Suspense } from "react";
import type { Layout } from "../../../shared/draft/content.ts";
import type { Draft } from "../../../shared/draft/draft.ts";
import { stepsOf } from "../../../shared/draft/tree.ts";
import { useText, useTextOf } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Select, Switch, TextField } from "../../../ui/fields.tsx";
import { LanguageSelect } from "../../../ui/language-select.tsx";
import { Loading } from "../../../ui/states.tsx";
import { Section } from "./section.tsx";

const Confirmation = lazy(() => import("./confirmation.tsx"));
const ThemePanel = lazy(() => import("../theme-panel.tsx"));
const Pictures = lazy(() => import("./pictures.tsx"));

const LAYOUTS = ["single", "multi-step", "conversational"] as const;

export interface FormPanelProps {
  readonly editor: Draft;
  /** Called with a new step, so that it is selected. */
  readonly onStep: (id: string) => void;
}

export function FormPanel({ editor, onStep }: FormPanelProps): ReactNode {
  const t = useText();
  return (
    <div className="properties">
      <div className="properties-head">
        <h2>{t("build.form")}</h2>
      </div>
      <Basics editor={editor} onStep={onStep} />
      <Section title={t("build.section.design")}>
        <Suspense fallback={<Loading />}>
          <ThemePanel editor={editor} />
        </Suspense>
      </Section>
      <Section title={t("build.section.pictures")} isOpen={false}>
        <Suspense fallback={<Loading />}>
          <Pictures editor={editor} />
        </Suspense>
      </Section>
      <Section title={t("build.ending")} isOpen={false}>
        <Suspense fallback={<Loading />}>
          <Confirmation editor={editor} />
        </Suspense>
      </Section>
    </div>
  );
}

/** The form's title, layout, review and language. */
function Basics({ editor, onStep }: FormPanelProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { title, schema, settings } = editor.content;
  const { layout } = schema;
  const addStep = () => {
    const ids = new Set(stepsOf(schema).map(({ id }) => id));
    let number = ids.size + 1;
    while (ids.has(`step-${number}`)) number += 1;
    editor.run({ kind: "add_step", id: `step-${number}`, title: t("build.stepNumber", { number }) });
    onStep(`step-${number}`);
  };
  return (
    <Section title={t("build.section.basics")}>
      <TextField
        label={t("build.title")}
        value={title}
        fault={title.trim() === "" ? t("build.titleMissing") : undefined}
        onChange={editor.setTitle}
      />
      <Select
        label={t("build.layout")}
        value={layout.type}
        choices={LAYOUTS.map((value) => ({ value, label: textOf("build.layout", value) }))}
        onChange={(type) =>
          editor.run({ kind: "layout", type: type as Layout["type"], stepTitle: t("build.stepNumber", { number: 1 }) })
        }
      />
      {layout.type === "multi-step" ? (
        <Button icon="plus" onPress={addStep}>
          {t("build.addStep")}
        </Button>
      ) : null}
      <Switch
        label={t("settings.review")}
        help={t("settings.review.help")}
        value={settings["review"] === true}
        onChange={(value) => editor.setSetting("review", value)}
      />
      <LanguageSelect
        value={String(settings["language"] ?? "")}
        onChange={(language) => editor.setSetting("language", language)}
      />
    </Section>
  );
}
