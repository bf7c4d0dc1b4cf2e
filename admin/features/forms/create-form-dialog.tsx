/** Dialog that creates a form from a chosen start: a preview, the title, and who is notified. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { notificationTo } from "../../shared/default-notification.ts";
import { useLanguage, useText } from "../../shared/text/text.tsx";
import { textIn } from "../../templates/in-language.ts";
import type { Template } from "../../templates/index.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { HtmlFrame, pageForFrame } from "../../ui/html-frame.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Loaded } from "../../ui/states.tsx";
import { contentOf, type NewForm, type Start, templateContent } from "./starts.ts";
import { useNotification } from "./use-notification.tsx";

export interface CreateFormDialogProps {
  readonly start: Start;
  readonly onClose: () => void;
}

interface NewFormInput {
  readonly title: string;
  readonly setTitle: (title: string) => void;
  readonly markup: string;
  readonly setMarkup: (markup: string) => void;
  readonly notificationControls: ReactNode;
  readonly isPending: boolean;
  submit(): void;
}

/** State of the dialog, and the request that creates the form and opens it in Build. */
function useNewForm(start: Start): NewFormInput {
  const t = useText();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState(start.kind === "template" ? textIn(start.template.title, language) : "");
  const [markup, setMarkup] = useState("");
  const { address, check, controls } = useNotification();
  const create = useChange((client, body: NewForm) => client.createForm({ body }), {
    stale: [keys.forms],
    then: (form) => navigate(`/forms/${form.id}/build`),
  });
  return {
    title,
    setTitle,
    markup,
    setMarkup,
    notificationControls: controls,
    isPending: create.isPending,
    submit() {
      if (title.trim() === "" || create.isPending || !check()) return;
      const { settings, ...content } = contentOf(start, markup, language, t);
      const actions = address === "" ? [] : [notificationTo(address)];
      create.mutate({ title: title.trim(), status: "draft", ...content, settings: { ...settings, actions } });
    },
  };
}

export default function CreateFormDialog({ start, onClose }: CreateFormDialogProps): ReactNode {
  const t = useText();
  const { title, setTitle, markup, setMarkup, notificationControls, isPending, submit } = useNewForm(start);
  return (
    <Dialog
      title={t("new.dialog")}
      isOpen
      onClose={onClose}
      wide={start.kind !== "blank"}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" onPress={submit} isDisabled={title.trim() === ""} isPending={isPending}>
            {t("new.create")}
          </Button>
        </>
      }
    >
      <form
        className={start.kind === "template" ? "with-preview" : "stack"}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="stack">
          <TextField
            label={t("new.formTitle")}
            value={title}
            onChange={setTitle}
            required
            autoFocus
            help={t("new.formTitleHelp")}
          />
          {start.kind === "html" ? (
            <TextField
              label={t("common.htmlCode")}
              value={markup}
              onChange={setMarkup}
              rows={14}
              code
              help={t("new.htmlHelp")}
            />
          ) : null}
          {notificationControls}
          {/* Enter in a text field submits the form by this button; the visible one is in the dialog's footer. */}
          <button type="submit" hidden />
        </div>
        {start.kind === "template" ? <TemplatePreview id={start.id} template={start.template} /> : null}
      </form>
    </Dialog>
  );
}

/** Preview of a template, as visitors would see the form. */
function TemplatePreview({ id, template }: { readonly id: string; readonly template: Template }): ReactNode {
  const t = useText();
  const client = useClient();
  const language = useLanguage();
  const preview = useQuery({
    queryKey: ["template", id, language],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      client.previewForm(
        { body: { ...templateContent(template, language), title: textIn(template.title, language) } },
        { signal },
      ),
  });
  return (
    <Loaded query={preview}>
      {({ html }) => (
        <HtmlFrame
          className="template-frame"
          title={t("preview.title")}
          sandbox="allow-scripts"
          html={pageForFrame(html)}
          tabIndex={-1}
        />
      )}
    </Loaded>
  );
}
