/** Screen that creates a form: blank, from a template, or from pasted HTML. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { parseHtml } from "../../../visitor/script/trusted.ts";
import { useClient } from "../../shared/api/client.ts";
import type { Input } from "../../../client/index.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { inLanguage, textIn } from "../../templates/in-language.ts";
import { type Template, TEMPLATES } from "../../templates/index.ts";
import { type Translate, useLanguage, useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { HtmlFrame, pageForFrame } from "../../ui/html-frame.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

/** Returns the markup of a blank form: a name field and a button, in the user's language. */
const blankMarkup = (t: Translate): string =>
  `<p>\n  <label for="name">${t("new.blankName")}</label>\n  <input id="name" name="name" required>\n</p>\n<p><button>${t("new.blankSend")}</button></p>\n`;

type NewForm = Input<"createForm">["body"];
type FormContent = Pick<NewForm, "markup" | "schema" | "settings" | "messages">;

type Start =
  | { readonly kind: "template"; readonly id: string; readonly template: Template }
  | { readonly kind: "blank" }
  | { readonly kind: "html" };

export default function NewFormPage(): ReactNode {
  const t = useText();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const [start, setStart] = useState<Start | null>(null);
  const [title, setTitle] = useState("");
  const [markup, setMarkup] = useState("");
  const create = useChange((client, body: NewForm) => client.createForm({ body }), {
    stale: [keys.forms],
    then: (form) => navigate(`/forms/${form.id}`),
  });

  const choose = (next: Start) => {
    setStart(next);
    setTitle(next.kind === "template" ? textIn(next.template.title, language) : "");
  };
  const submit = () => {
    if (start === null || title.trim() === "") return;
    create.mutate({ title: title.trim(), status: "draft", ...contentOf(start, markup, language, t) });
  };
  return (
    <Page title={t("new.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <ul className="templates">
        <li>
          <Choice title={t("new.blank")} text={t("new.blankText")} onPress={() => choose({ kind: "blank" })} />
        </li>
        <li>
          <Choice title={t("new.html")} text={t("new.htmlText")} onPress={() => choose({ kind: "html" })} />
        </li>
        {Object.entries(TEMPLATES).map(([id, template]) => (
          <li key={id}>
            <Choice
              title={textIn(template.title, language)}
              text={textIn(template.description, language)}
              onPress={() => choose({ kind: "template", id, template })}
            />
          </li>
        ))}
      </ul>
      <Dialog
        title={t("new.dialog")}
        isOpen={start !== null}
        onClose={() => setStart(null)}
        wide={start !== null && start.kind !== "blank"}
        actions={
          <>
            <Button onPress={() => setStart(null)}>{t("common.cancel")}</Button>
            <Button look="primary" onPress={submit} isDisabled={title.trim() === ""} isPending={create.isPending}>
              {t("new.create")}
            </Button>
          </>
        }
      >
        <form
          className={start?.kind === "template" ? "with-preview" : "stack"}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextField
            label={t("new.formTitle")}
            value={title}
            onChange={setTitle}
            required
            autoFocus
            help={t("new.formTitleHelp")}
          />
          {start?.kind === "html" ? (
            <TextField
              label={t("common.htmlCode")}
              value={markup}
              onChange={setMarkup}
              rows={14}
              code
              help={t("new.htmlHelp")}
            />
          ) : null}
          {start?.kind === "template" ? (
            <TemplatePreview id={start.id} title={title} content={contentOf(start, markup, language, t)} />
          ) : null}
        </form>
      </Dialog>
    </Page>
  );
}

/** Preview of a template. */
function TemplatePreview({
  id,
  title,
  content,
}: {
  readonly id: string;
  readonly title: string;
  readonly content: FormContent;
}): ReactNode {
  const t = useText();
  const client = useClient();
  const language = useLanguage();
  const preview = useQuery({
    queryKey: ["template", id, language],
    staleTime: Infinity,
    queryFn: ({ signal }) => client.previewForm({ body: { ...content, title } }, { signal }),
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

function Choice({
  title,
  text,
  onPress,
}: {
  readonly title: string;
  readonly text: string;
  readonly onPress: () => void;
}): ReactNode {
  return (
    <button type="button" className="template" onClick={onPress}>
      <strong>{title}</strong>
      <span className="muted">{text}</span>
    </button>
  );
}

function contentOf(start: Start, markup: string, language: string, t: Translate): FormContent {
  if (start.kind === "blank") return { markup: blankMarkup(t) };
  if (start.kind === "html") return { markup: withoutForm(markup) };
  const { schema, settings = {}, messages = {} } = start.template;
  // Templates are untyped JSON; a test creates a form from each.
  return { ...(inLanguage({ schema, messages }, language) as Pick<FormContent, "schema" | "messages">), settings };
}

/** Returns the content of the form element of a pasted page. The engine renders that element itself. */
export function withoutForm(markup: string): string {
  const parsed = parseHtml(markup);
  return parsed.querySelector("form")?.innerHTML.trim() ?? markup;
}
