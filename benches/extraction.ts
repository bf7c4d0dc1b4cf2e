/**
 * Extracts a form's fields from HTML in JavaScript over parse5 (a tree) and htmlparser2 (events), for the documents of
 * `generate.bench.ts`. The fields have names, types, labels, help text, options, defaults, bounds and other attributes.
 * Radios of one name are one field. Paragraphs of the form count as fields, but not paragraphs of the page around it.
 * The benchmark checks that the fields are equal to the engine's.
 */
import { Parser } from "htmlparser2";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";

export interface Field {
  name: string;
  type: string;
  label: string;
  placeholder: string;
  default_value: string;
  required: boolean;
  css_class: string;
  description: string;
  options: { value: string; label: string }[];
  validation: { min?: number; max?: number; pattern?: string };
  conditions: unknown[];
  attributes: Record<string, string>;
  position: number;
  group: string | null;
}

type Attributes = Readonly<Record<string, string>>;

interface Label {
  readonly target: string | undefined;
  text: string;
}

const collapsed = (text: string) => text.replace(/[\t\n\f\r ]+/g, " ").trim();

function emptyField(name: string, type: string): Field {
  return {
    name,
    type,
    label: "",
    placeholder: "",
    default_value: "",
    required: false,
    css_class: "",
    description: "",
    options: [],
    validation: {},
    conditions: [],
    attributes: {},
    position: 0,
    group: null,
  };
}

/** Collects the fields of a document from its elements, which a parser reports in their order. */
class Extraction {
  readonly #fields: Field[] = [];
  readonly #byName = new Map<string, Field>();
  readonly #labelsByTarget = new Map<string, Label>();
  readonly #textsById = new Map<string, string>();
  readonly #labelled: { field: Field; around: Label | undefined }[] = [];
  readonly #described: { field: Field; by: string | undefined }[] = [];
  readonly #ticks: { option: { value: string; label: string }; around: Label | undefined; id: string | undefined }[] =
    [];
  readonly #sets: { field: Field; before: Label | undefined }[] = [];
  readonly #controlIds = new Set<string>();
  readonly #ofPage = new Set<Field>();
  #lastLabels: readonly [Label | undefined, Label | undefined] = [undefined, undefined];
  #forms = 0;
  #paragraphs = 0;

  form(): void {
    this.#forms += 1;
  }

  label(label: Label): void {
    this.#lastLabels = [this.#lastLabels[1], label];
    if (label.target !== undefined && !this.#labelsByTarget.has(label.target))
      this.#labelsByTarget.set(label.target, label);
  }

  textOfId(id: string, text: string): void {
    if (!this.#textsById.has(id)) this.#textsById.set(id, text);
  }

  paragraph(text: string, isInForm: boolean): void {
    const label = collapsed(text);
    if (label === "") return;
    const field = emptyField("", "paragraph");
    field.label = label;
    if (!isInForm) this.#ofPage.add(field);
    this.#fields.push(field);
  }

  /** Adds an input, select or textarea, and ignores one without a name. */
  control(tag: string, attributes: Attributes, around: Label | undefined): Field | undefined {
    const written = attributes["name"];
    if (written === undefined || written === "") return undefined;
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    if (attributes["id"] !== undefined) this.#controlIds.add(attributes["id"]);
    const type = tag === "input" ? (attributes["type"] ?? "text").toLowerCase() : tag;
    if (type === "radio") return this.#tick(name, type, attributes, around);
    const field = emptyField(name, type);
    const isText = type === "text" || type === "email" || type === "textarea";
    let describedBy: string | undefined;
    for (const key in attributes) {
      const value = attributes[key] ?? "";
      switch (key) {
        case "name":
        case "type":
          break;
        case "value":
          field.default_value = value;
          break;
        case "placeholder":
          field.placeholder = value;
          break;
        case "class":
          field.css_class = collapsed(value);
          break;
        case "required":
          field.required = true;
          break;
        case "aria-describedby":
          describedBy = value;
          break;
        case "minlength":
          if (isText) field.validation.min = Number.parseInt(value, 10);
          break;
        case "maxlength":
          if (isText) field.validation.max = Number.parseInt(value, 10);
          break;
        case "pattern":
          if (isText) field.validation.pattern = value;
          break;
        default:
          field.attributes[key] = value;
      }
    }
    this.#fields.push(field);
    this.#byName.set(name, field);
    this.#labelled.push({ field, around });
    this.#described.push({ field, by: describedBy });
    return field;
  }

  #tick(name: string, type: string, attributes: Attributes, around: Label | undefined): Field {
    let field = this.#byName.get(name);
    if (field === undefined) {
      field = emptyField(name, type);
      this.#fields.push(field);
      this.#byName.set(name, field);
      this.#described.push({ field, by: attributes["aria-describedby"] });
      const [last, lastButOne] = [this.#lastLabels[1], this.#lastLabels[0]];
      this.#sets.push({ field, before: around !== undefined && around === last ? lastButOne : last });
    }
    const option = { value: attributes["value"] ?? "on", label: "" };
    field.options.push(option);
    if (attributes["checked"] !== undefined) field.default_value = option.value;
    if (attributes["required"] !== undefined) field.required = true;
    this.#ticks.push({ option, around, id: attributes["id"] });
    return field;
  }

  option(field: Field, attributes: Attributes, text: string): void {
    const label = collapsed(text);
    const value = attributes["value"] ?? label;
    if (field.options.length === 0 && attributes["value"] === "" && label !== "") {
      field.placeholder = label;
      return;
    }
    field.options.push({ value, label });
    if (attributes["selected"] !== undefined) field.default_value = value;
  }

  finish(): readonly Field[] {
    for (const { field, around } of this.#labelled) {
      const id = field.attributes["id"];
      const label = around ?? (id === undefined ? undefined : this.#labelsByTarget.get(id));
      if (label !== undefined) field.label = collapsed(label.text);
    }
    // A label before a group of choices is the group's label, unless it belongs to one control.
    for (const { field, before } of this.#sets) {
      const isFree = before?.target !== undefined && !this.#controlIds.has(before.target);
      if (isFree) field.label = collapsed(before.text);
    }
    for (const { field, by } of this.#described) {
      const help = by === undefined ? undefined : this.#textsById.get(by);
      if (help !== undefined) field.description = collapsed(help);
    }
    for (const { option, around, id } of this.#ticks) {
      const label = around ?? (id === undefined ? undefined : this.#labelsByTarget.get(id));
      option.label = label === undefined ? option.value : collapsed(label.text);
    }
    const fields = this.#forms === 0 ? this.#fields : this.#fields.filter((field) => !this.#ofPage.has(field));
    fields.forEach((field, position) => {
      field.position = position;
      if (field.type === "paragraph") field.name = `paragraph-${(this.#paragraphs += 1)}`;
    });
    return fields;
  }
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  if (!("childNodes" in node) || node.nodeName === "select") return "";
  let text = "";
  for (const child of node.childNodes) text += textOf(child);
  return text;
}

function attributesOf(element: Element): Attributes {
  const attributes: Record<string, string> = {};
  for (const { name, value } of element.attrs) attributes[name] = value;
  return attributes;
}

export function withParse5(html: string): readonly Field[] {
  const extraction = new Extraction();
  const options = (node: Element, field: Field): void => {
    for (const child of node.childNodes) {
      if (!("tagName" in child)) continue;
      if (child.tagName === "optgroup") options(child, field);
      if (child.tagName === "option") extraction.option(field, attributesOf(child), textOf(child));
    }
  };
  const visit = (node: Node, around: Label | undefined, isInForm: boolean): void => {
    if (!("tagName" in node)) return;
    const attributes = attributesOf(node);
    let label = around;
    switch (node.tagName) {
      case "label":
        label = { target: attributes["for"], text: textOf(node) };
        extraction.label(label);
        break;
      case "form":
        extraction.form();
        isInForm = true;
        break;
      case "p":
        extraction.paragraph(textOf(node), isInForm);
        break;
      case "small":
        if (attributes["id"] !== undefined) extraction.textOfId(attributes["id"], textOf(node));
        break;
      case "input":
      case "select":
      case "textarea": {
        const field = extraction.control(node.tagName, attributes, label);
        if (field !== undefined && node.tagName === "textarea") field.default_value = textOf(node);
        if (field !== undefined && node.tagName === "select") options(node, field);
        return;
      }
    }
    for (const child of node.childNodes) visit(child, label, isInForm);
  };
  for (const node of parseFragment(html).childNodes) visit(node, undefined, false);
  return extraction.finish();
}

/** Reads fields from the events of a streaming parser. */
class StreamReader {
  readonly extraction = new Extraction();
  private label: Label | undefined;
  private field: Field | undefined;
  private option: { attributes: Attributes; text: string } | undefined;
  private help: { id: string; text: string } | undefined;
  private paragraph: string | undefined;
  private isInForm = false;

  onopentag(tag: string, attributes: Attributes): void {
    switch (tag) {
      case "label":
        this.label = { target: attributes["for"], text: "" };
        break;
      case "option":
        this.option = { attributes, text: "" };
        break;
      case "form":
        this.extraction.form();
        this.isInForm = true;
        break;
      case "p":
        this.paragraph = "";
        break;
      case "small":
        if (attributes["id"] !== undefined) this.help = { id: attributes["id"], text: "" };
        break;
      case "input":
      case "select":
      case "textarea":
        this.field = this.extraction.control(tag, attributes, this.label);
    }
  }

  ontext(text: string): void {
    if (this.option !== undefined) this.option.text += text;
    else if (this.field?.type === "textarea") this.field.default_value += text;
    else if (this.label !== undefined) this.label.text += text;
    else if (this.help !== undefined) this.help.text += text;
    else if (this.paragraph !== undefined) this.paragraph += text;
  }

  onclosetag(tag: string): void {
    switch (tag) {
      case "label":
        if (this.label !== undefined) this.extraction.label(this.label);
        this.label = undefined;
        break;
      case "option":
        if (this.option !== undefined && this.field !== undefined)
          this.extraction.option(this.field, this.option.attributes, this.option.text);
        this.option = undefined;
        break;
      case "form":
        this.isInForm = false;
        break;
      case "p":
        if (this.paragraph !== undefined) this.extraction.paragraph(this.paragraph, this.isInForm);
        this.paragraph = undefined;
        break;
      case "small":
        if (this.help !== undefined) this.extraction.textOfId(this.help.id, this.help.text);
        this.help = undefined;
        break;
      case "input":
      case "select":
      case "textarea":
        this.field = undefined;
    }
  }
}

export function withHtmlparser2(html: string): readonly Field[] {
  const reader = new StreamReader();
  new Parser(reader).end(html);
  return reader.extraction.finish();
}
