/**
 * The form as it works for visitors, to be tried: in a frame with their script and an origin of its own, from which
 * nothing is stored or sent.
 */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { HtmlFrame, pageNonce, pageForFrame } from "../../ui/html-frame.tsx";
import { Loaded } from "../../ui/states.tsx";
import { stepsOf } from "./model/tree.ts";
import { THEME_VALUES } from "./theme-panel.tsx";
import { type Editor, previewBody } from "./use-editor.ts";

/** The page with the theme's values, from a step on: those before it are left out, with their answers. */
function from(html: string, step: string, values: string): string {
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

/** What a stored form has as a style of its own. */
function declaredIn(values: unknown): string {
  const entries = typeof values === "object" && values !== null ? Object.entries(values) : [];
  return entries
    .flatMap(([name, value]) =>
      name in THEME_VALUES && typeof value === "string" && /^[\w#(),.% -]+$/.test(value)
        ? [`--cf-${name}:${value};`]
        : [],
    )
    .join("");
}

export default function TryOut({
  editor,
  onClose,
}: {
  readonly editor: Editor;
  readonly onClose: () => void;
}): ReactNode {
  const t = useText();
  const client = useClient();
  const { content, form } = editor;
  const [step, setStep] = useState("");
  const steps = stepsOf(content.schema);
  const page = useQuery({
    queryKey: ["try-out", form.id, content],
    gcTime: 0,
    queryFn: ({ signal }) => client.previewForm({ body: previewBody(content, form) }, { signal }),
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
            html={from(html, step, declaredIn(content.settings["theme_values"] ?? form.settings["theme_values"]))}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
