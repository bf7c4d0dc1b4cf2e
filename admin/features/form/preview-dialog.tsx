/**
 * Dialog to try the form with the visitors' script. The iframe has an opaque origin, from which
 * the form can store or send nothing.
 */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { HtmlFrame, pageNonce, pageForFrame } from "../../ui/html-frame.tsx";
import { Loaded } from "../../ui/states.tsx";
import { stepsOf } from "../../shared/draft/tree.ts";
import { THEME_VALUES } from "../../shared/theme-values.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { previewBody } from "../../shared/draft/stored-content.ts";

/** Prepares the page with the theme's values, beginning at a step; earlier steps are removed. */
function pageFromStep(html: string, step: string, values: string): string {
  return pageForFrame(html, (page) => {
    if (values !== "") {
      const style = page.createElement("style");
      style.setAttribute("nonce", pageNonce());
      style.textContent = `.cf-page{${values}}`;
      page.head.append(style);
    }
    for (const element of page.querySelectorAll("[data-step]")) {
      if (step === "" || element.getAttribute("data-step") === step) break;
      element.remove();
    }
  });
}

/** Returns the theme values as CSS declarations, which a stored form has in a style sheet. */
function themeDeclarations(values: unknown): string {
  const entries = typeof values === "object" && values !== null ? Object.entries(values) : [];
  return entries
    .flatMap(([name, value]) =>
      name in THEME_VALUES && typeof value === "string" && /^[\w#(),.% -]+$/.test(value)
        ? [`--cf-${name}:${value};`]
        : [],
    )
    .join("");
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
            ...steps.slice(1).map(({ id, title }) => ({ value: id, label: title || id })),
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
            html={pageFromStep(
              html,
              step,
              themeDeclarations(content.settings["theme_values"] ?? form.settings["theme_values"]),
            )}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
