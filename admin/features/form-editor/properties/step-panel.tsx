/** Properties of a step. */
import type { ReactNode } from "react";
import type { Step } from "../../../shared/draft/content.ts";
import type { Draft } from "../../../shared/draft/draft.ts";
import { stepsOf } from "../../../shared/draft/tree.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";

export default function StepPanel({ step, editor }: { readonly step: Step; readonly editor: Draft }): ReactNode {
  const t = useText();
  const steps = stepsOf(editor.content.schema);
  const number = steps.findIndex(({ id }) => id === step.id) + 1;
  return (
    <div className="properties">
      <div className="properties-head">
        <h2>{step.title || t("build.stepNumber", { number })}</h2>
        <TextField
          label={t("build.stepTitle")}
          placeholder={t("build.stepNumber", { number })}
          value={step.title ?? ""}
          onChange={(title) => editor.run({ kind: "update_step", id: step.id, title }, `step ${step.id}`)}
        />
        {steps.length < 2 ? null : (
          <Button look="danger" onPress={() => editor.run({ kind: "remove_step", id: step.id })}>
            {t("build.removeStep")}
          </Button>
        )}
      </div>
    </div>
  );
}
