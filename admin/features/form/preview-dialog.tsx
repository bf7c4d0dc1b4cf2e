/**
 * Dialog to try the form with the visitors' script. The iframe has an opaque origin, so the form can neither store nor
 * send anything.
 */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { HtmlFrame, pageForFrame } from "../../ui/html-frame.tsx";
import { Loaded } from "../../ui/states.tsx";
import { stepName } from "../../shared/draft/step-name.ts";
import { stepsOf } from "../../shared/draft/tree.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { previewBody } from "../../shared/draft/stored-content.ts";

/** Removes the steps before the one at which the preview begins. */
function removeSteps(page: Document, before: string): void {
  for (const element of page.querySelectorAll("[data-step]")) {
    if (before === "" || element.getAttribute("data-step") === before) break;
    element.remove();
  }
}

export default function PreviewDialog({
  draft,
  onClose,
}: {
  readonly draft: Draft;
  readonly onClose: () => void;
}): ReactNode {
  const t = useText();
  const client = useClient();
  const { content, form } = draft;
  const [step, setStep] = useState("");
  const steps = stepsOf(content.schema);
  const page = useQuery({
    queryKey: ["try-out", form.id, content],
    gcTime: 0,
    queryFn: ({ signal }) => client.previewForm({ body: previewBody(content) }, { signal }),
  });
  return (
    <Dialog title={t("build.tryOut")} isOpen wide onClose={onClose}>
      <p className="help">{t("build.tryOutHelp")}</p>
      {steps.length === 0 ? null : (
        <Select
          label={t("build.startAt")}
          value={step}
          onChange={setStep}
          choices={[
            { value: "", label: t("build.firstStep") },
            ...steps.slice(1).map(({ id }) => ({ value: id, label: stepName(steps, id, t) })),
          ]}
        />
      )}
      <Loaded query={page}>
        {({ html }) => (
          <HtmlFrame
            key={step}
            className="build-try"
            title={t("build.tryOut")}
            sandbox="allow-scripts"
            html={pageForFrame(html, {
              themeValues: content.settings["theme_values"],
              change: (page) => removeSteps(page, step),
            })}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
