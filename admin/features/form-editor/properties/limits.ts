/** Properties that limit later submissions: unique values, and seats of options. */
import { rare } from "./builders.ts";
import { type FieldProperty, type SwitchProperty, type TextControlProperty, withAttribute } from "./property.ts";

const SEATS = "data-seats";
const UNIQUE = "data-unique";

const hasSeats = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }): boolean =>
  SEATS in attributes;

const withSeats = (property: FieldProperty): FieldProperty => rare(property, hasSeats);

const unique = {
  control: "switch",
  label: "build.unique",
  help: "build.uniqueHelp",
  attribute: UNIQUE,
  read: ({ attributes }) => UNIQUE in attributes,
  write: (field, isOn) => withAttribute(field, UNIQUE, isOn ? "" : null),
} as const satisfies SwitchProperty;

const seats = {
  control: "weights",
  label: "build.seats",
  help: "build.seatsHelp",
  attribute: SEATS,
  read: ({ attributes }) => attributes[SEATS] ?? "",
  write: (field, value) => withAttribute(field, SEATS, value === "" ? "{}" : value),
} as const satisfies TextControlProperty;

export const LIMITS = {
  unique,
  rareUnique: rare(unique, ({ attributes }) => UNIQUE in attributes),
  limitedSeats: {
    control: "switch",
    label: "build.limitedSeats",
    help: "build.limitedSeatsHelp",
    attribute: SEATS,
    isShown: ({ options }) => options.length > 0,
    read: hasSeats,
    write: (field, isOn) => withAttribute(field, SEATS, isOn ? "{}" : null),
  },
  seats: withSeats(seats),
  seatsBy: withSeats({
    control: "text",
    label: "build.seatsBy",
    help: "build.seatsByHelp",
    attribute: "data-seats-by",
    read: ({ attributes }) => attributes["data-seats-by"] ?? "",
    write: (field, value) => withAttribute(field, "data-seats-by", value.trim() === "" ? null : value.trim()),
  }),
  seatsLeft: withSeats({
    control: "switch",
    label: "build.seatsLeft",
    attribute: "data-seats-left",
    read: ({ attributes }) => "data-seats-left" in attributes,
    write: (field, isOn) => withAttribute(field, "data-seats-left", isOn ? "" : null),
  }),
} as const satisfies Readonly<Record<string, FieldProperty>>;
