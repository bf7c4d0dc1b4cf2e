/** A value for each property of each type of field, as users enter it and as it is stored. */
import type { FieldMembers, FieldType } from "../../admin/shared/draft/content.ts";
import { type Step, type, pick, pickSeveral, turn, chip, press, open } from "./property-controls.ts";

/** Label, which every answer field has. Required and Help text are the same control everywhere: see `text`. */
const ANSWER: readonly Step[] = [type("Label", "Question")];

const ANSWERED: FieldMembers = { label: "Question" };

export const options = (...labels: readonly string[]) => labels.map((label) => ({ value: label, label }));

/** The actions in the panel of each type, and the members that they store. */
export const TYPES: Readonly<Record<FieldType, readonly [steps: readonly Step[], stored: FieldMembers]>> = {
  text: [
    [
      ...ANSWER,
      turn("Required"),
      type("Help text", "A hint"),
      type("Placeholder", "Ada"),
      type("Default value", "Bob"),
      pick("Accepts", "Digits"),
      pick("Accepts", "Custom"),
      type("Pattern (regular expression)", "[a-z]+"),
      type("Message when it doesn’t match", "Small letters only"),
      type("Minimum length", "2"),
      type("Maximum length", "20"),
      chip("Half"),
      open("Advanced"),
      type("CSS classes", "mine"),
      type("HTML attributes", "autocomplete=off\nspellcheck=false"),
    ],
    {
      ...ANSWERED,
      required: true,
      description: "A hint",
      placeholder: "Ada",
      default_value: "Bob",
      validation: { pattern: "[a-z]+", min: 2, max: 20 },
      css_class: "cf-half mine",
      attributes: { title: "Small letters only", autocomplete: "off", spellcheck: "false" },
    },
  ],
  textarea: [
    [...ANSWER, type("Placeholder", "A few words"), type("Default value", "One\nTwo"), pick("Height", "10 lines")],
    { ...ANSWERED, placeholder: "A few words", default_value: "One\nTwo", attributes: { rows: "10" } },
  ],
  email: [
    [
      ...ANSWER,
      type("Placeholder", "you@example.org"),
      turn("Ask twice"),
      type("Label of the second input", "Once more"),
    ],
    { ...ANSWERED, placeholder: "you@example.org", attributes: { "data-twice": "Once more" } },
  ],
  tel: [
    [
      ...ANSWER,
      type("Placeholder", "+49"),
      pick("Accepts", "International (+…)"),
      turn("Ask for the country"),
      type("Usual country", "AT"),
      type("Countries", "AT DE"),
    ],
    {
      ...ANSWERED,
      placeholder: "+49",
      validation: { pattern: "\\+[0-9][0-9 .\\-\\(\\)]{5,24}" },
      attributes: { "data-phone": "AT", "data-countries": "AT DE" },
    },
  ],
  number: [
    [
      ...ANSWER,
      type("Minimum", "1"),
      type("Maximum", "9,5"),
      pick("Step", "0.1"),
      type("Unit", "kg"),
      type("Default value", "2"),
    ],
    {
      ...ANSWERED,
      validation: { min: 1, max: 9.5 },
      attributes: { step: "0.1", "data-unit": "kg" },
      default_value: "2",
    },
  ],
  url: [
    [...ANSWER, type("Placeholder", "https://"), turn("Only https")],
    { ...ANSWERED, placeholder: "https://", validation: { pattern: "https://.*" } },
  ],
  radio: [
    [
      ...ANSWER,
      type("Option 2", "Blue"),
      press("Add option"),
      type("Option 4", "Green"),
      press("Remove Option 1"),
      press("Value and picture of Green"),
      type("Value", "g"),
      press("Move up"),
      turn("Allow another answer"),
      type("Label of the other answer", "Another color"),
      chip("Cards"),
      pick("Selected at first", "Blue"),
    ],
    {
      ...ANSWERED,
      // The value of a published option stays.
      options: [{ value: "Option 2", label: "Blue" }, { value: "g", label: "Green" }, ...options("Option 3")],
      attributes: { "data-other": "Another color" },
      css_class: "cf-cards",
      default_value: "Option 2",
    },
  ],
  checkbox: [
    [
      ...ANSWER,
      pickSeveral("Selected at first", "Option 1", "Option 3"),
      type("Minimum choices", "1"),
      type("Maximum choices", "2"),
      turn("Rank the options"),
      chip("Columns"),
    ],
    {
      ...ANSWERED,
      attributes: { "data-rank": "" },
      default_value: "Option 1\nOption 3",
      validation: { min: 1, max: 2 },
      css_class: "cf-columns",
      options: options("Option 1", "Option 2", "Option 3"),
    },
  ],
  select: [
    [
      ...ANSWER,
      type("Text when nothing is chosen", "Pick some"),
      turn("Allow several"),
      pickSeveral("Selected at first", "Option 2"),
      type("Maximum choices", "2"),
    ],
    {
      ...ANSWERED,
      placeholder: "Pick some",
      attributes: { multiple: "" },
      default_value: "Option 2",
      validation: { max: 2 },
      options: options("Option 1", "Option 2", "Option 3"),
    },
  ],
  consent: [
    [
      type("Text", "I accept the terms"),
      async (panel) =>
        panel.getByLabel("Text", { exact: true }).evaluate((area: HTMLTextAreaElement) => {
          area.setSelectionRange(13, 18);
        }),
      press("Link"),
      type("URL", "terms"),
      press("Insert link"),
      async (panel) => panel.getByText(/^Enter a URL, such as/).waitFor(),
      type("URL", "/terms"),
      press("Insert link"),
      turn("Required"),
    ],
    { label: "I accept the [terms](/terms)", required: true },
  ],
  date: [
    [
      ...ANSWER,
      pick("Earliest", "A date"),
      type("Earliest: date", "2026-01-01"),
      pick("Latest", "A date"),
      type("Latest: date", "2026-12-31"),
    ],
    { ...ANSWERED, attributes: { min: "2026-01-01", max: "2026-12-31" } },
  ],
  time: [
    [...ANSWER, type("Earliest", "08:00"), type("Latest", "18:00"), pick("Every", "15 minutes")],
    { ...ANSWERED, attributes: { min: "08:00", max: "18:00", step: "900" } },
  ],
  "datetime-local": [
    [
      ...ANSWER,
      pick("Earliest", "Days from today"),
      type("Earliest: days from today", "-7"),
      pick("Latest", "A date and time"),
      type("Latest: date", "2026-12-31T12:00"),
    ],
    { ...ANSWERED, attributes: { "data-min": "today() - 7", max: "2026-12-31T12:00" } },
  ],
  file: [
    [
      ...ANSWER,
      chip("PDF"),
      chip("Images"),
      chip("Other…"),
      type("Other types", "zip"),
      turn("Allow several files"),
      type("Maximum size", "2"),
      async (panel) => panel.getByText("Per file. The site allows up to 16 MB.").waitFor(),
    ],
    {
      ...ANSWERED,
      attributes: { accept: ".pdf,.jpg,.jpeg,.png,.gif,.webp,.heic,.zip", multiple: "" },
      validation: { max: 2 * 1024 ** 2 },
    },
  ],
  name: [
    [...ANSWER, type("Label of First name", "Given name")],
    { ...ANSWERED, options: [{ value: "first", label: "Given name" }] },
  ],
  address: [
    [
      ...ANSWER,
      type("Label of City", "Town"),
      async (panel) => panel.locator(".part-row", { hasText: "Ask for Line 2" }).locator(".checkbox").click(),
      async (panel) => panel.locator(".part-row", { hasText: "Ask for State" }).locator(".checkbox").click(),
    ],
    {
      ...ANSWERED,
      options: [{ value: "city", label: "Town" }],
      attributes: { "data-requested": "street city postal_code country" },
    },
  ],
  rating: [
    [
      ...ANSWER,
      chip("Hearts"),
      type("Left label", "Bad"),
      type("Right label", "Good"),
      pick("Points", "7"),
      pick("Start at", "0"),
    ],
    {
      ...ANSWERED,
      css_class: "cf-hearts",
      validation: { min: 0, max: 7 },
      options: [
        { value: "0", label: "Bad" },
        { value: "7", label: "Good" },
      ],
    },
  ],
  range: [
    [...ANSWER, type("Minimum", "10"), type("Maximum", "50"), type("Step", "5"), type("Default value", "20")],
    { ...ANSWERED, validation: { min: 10, max: 50 }, attributes: { step: "5" }, default_value: "20" },
  ],
  password: [[...ANSWER, type("Minimum length", "12")], { ...ANSWERED, validation: { min: 12 } }],
  color: [[...ANSWER, type("Default value", "#1d5c46")], { ...ANSWERED, default_value: "#1d5c46" }],
  hidden: [[type("Value", "spring")], { default_value: "spring" }],
  heading: [[type("Text", "About you")], { label: "About you" }],
  paragraph: [[type("Text", "Two lines\nof text")], { label: "Two lines\nof text" }],
  divider: [[chip("One third")], { css_class: "cf-third" }],
  fieldset: [
    [type("Title", "Contact"), type("Help text", "How we reach you"), chip("Matrix")],
    { label: "Contact", description: "How we reach you", css_class: "cf-matrix" },
  ],
  container: [
    [
      open("Visibility"),
      press("Add condition"),
      async (panel) => panel.getByText("Visible if Question is", { exact: false }).first().waitFor(),
    ],
    {},
  ],
  submit: [[type("Button text", "Send it")], { label: "Send it" }],
};
