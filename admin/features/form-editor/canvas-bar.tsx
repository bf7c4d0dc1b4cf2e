/** Toolbar of the preview. */
import { memo, type ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import type { IconName } from "../../ui/icons.tsx";
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

/** Toolbar of the preview: width, color scheme, step, and a button that edits texts in place. */
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
      <IconSegments
        label={t("preview.width")}
        value={width}
        onChange={onWidth}
        choices={[
          { value: "full", icon: "desktop", label: t("preview.full") },
          { value: "phone", icon: "phone", label: t("preview.phone") },
        ]}
      />
      <IconSegments
        label={t("build.scheme")}
        value={scheme}
        onChange={onScheme}
        choices={[
          { value: "light", icon: "sun", label: t("build.light") },
          { value: "dark", icon: "moon", label: t("build.dark") },
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

interface IconSegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly icon: IconName; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** Buttons with icons, of which one is pressed. */
function IconSegments<Value extends string>({ label, value, choices, onChange }: IconSegmentsProps<Value>): ReactNode {
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map((choice) => (
        <IconButton
          key={choice.value}
          icon={choice.icon}
          label={choice.label}
          aria-pressed={choice.value === value}
          onPress={() => onChange(choice.value)}
        />
      ))}
    </fieldset>
  );
}
