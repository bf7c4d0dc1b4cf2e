/** Toolbar of the preview. */
import { memo, type ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import { ENDING } from "./editable-texts.ts";
import type { Step } from "../../shared/draft/content.ts";
import { stepName } from "../../shared/draft/step-name.ts";

/** Widths of the page in pixels. With less room, the preview is scaled down. */
export const WIDTHS = { full: 760, phone: 390 } as const;
export type Width = keyof typeof WIDTHS;
export type Scheme = "light" | "dark";

export interface CanvasBarProps {
  readonly steps: readonly Step[];
  readonly width: Width;
  readonly scheme: Scheme;
  readonly step: string;
  readonly onWidth: (width: Width) => void;
  readonly onScheme: (scheme: Scheme) => void;
  readonly onStep: (step: string) => void;
  readonly onEditText: () => void;
}

/** Toolbar of the preview: width, color scheme, step. */
export const CanvasBar = memo(function CanvasBar({
  steps,
  width,
  scheme,
  step,
  onWidth,
  onScheme,
  onStep,
  onEditText,
}: CanvasBarProps): ReactNode {
  const t = useText();
  return (
    <div className="build-canvas-bar">
      <Select
        label={t("preview.width")}
        hideLabel
        value={width}
        onChange={(value) => onWidth(value as Width)}
        choices={[
          { value: "full", label: t("preview.full") },
          { value: "phone", label: t("preview.phone") },
        ]}
      />
      <Select
        label={t("build.scheme")}
        hideLabel
        value={scheme}
        onChange={(value) => onScheme(value as Scheme)}
        choices={[
          { value: "light", label: t("build.light") },
          { value: "dark", label: t("build.dark") },
        ]}
      />
      <Select
        label={t("build.showStep")}
        hideLabel
        value={step}
        onChange={onStep}
        choices={[
          { value: "", label: steps.length === 0 ? t("build.wholeForm") : t("build.allSteps") },
          ...steps.map(({ id }) => ({ value: id, label: stepName(steps, id, t) })),
          { value: ENDING, label: t("build.ending") },
        ]}
      />
      <IconButton icon="edit" label={t("build.editWords")} onPress={onEditText} />
    </div>
  );
});
