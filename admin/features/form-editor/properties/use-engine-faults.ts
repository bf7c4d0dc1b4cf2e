/** Errors that the engine finds in the pattern and the HTML attributes of a field, before the form is published. */
import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { ApiError, useClient } from "../../../shared/api/client.ts";
import type { Field, FieldMembers } from "../../../shared/draft/content.ts";
import { isRecord } from "../../../shared/is-record.ts";
import { useApiMessage } from "../../../shared/text/api-message.ts";
import { useLanguage, useTextOf } from "../../../shared/text/text.tsx";

/** Debounce before a change is checked. */
const CHECK_DEBOUNCE_MS = 400;

/** Path of the checked field in the parameters of an error. */
const PATH = "schema.fields[0].";

const ATTRIBUTES = "attributes.";

/** Error texts by the path of a member, such as `attributes.onclick`. */
export type Faults = ReadonlyMap<string, string>;

export const patternFault = (faults: Faults): string | undefined => faults.get("validation.pattern");

/** Returns the errors of attributes, each with the attribute's name. */
export const attributeFaults = (faults: Faults): readonly string[] =>
  [...faults].flatMap(([path, text]) =>
    path.startsWith(ATTRIBUTES) ? `${path.slice(ATTRIBUTES.length)}: ${text}` : [],
  );

const NONE: Faults = new Map();

/** Returns the checked members of a field as JSON. */
const probeOf = ({ type, attributes, validation: { pattern } }: Field): string =>
  JSON.stringify({ type, attributes, validation: pattern === undefined ? {} : { pattern } });

/** `published` is the field of the live form, which the engine has accepted. */
export function useEngineFaults(field: Field, published: Field | undefined): Faults {
  const client = useClient();
  const language = useLanguage();
  const textOf = useTextOf();
  const translate = useApiMessage();
  const probe = probeOf(field);
  const hasMembers = field.validation.pattern !== undefined || Object.keys(field.attributes).length > 0;
  const needsCheck = hasMembers && (published === undefined || probe !== probeOf(published));
  const [checked, setChecked] = useState(probe);
  useEffect(() => {
    const timer = setTimeout(() => setChecked(probe), CHECK_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [probe]);
  const { data: details } = useQuery({
    queryKey: ["field-check", checked],
    enabled: needsCheck,
    staleTime: Infinity,
    async queryFn({ signal }): Promise<Readonly<Record<string, unknown>>> {
      const probed = { name: "field", ...(JSON.parse(checked) as FieldMembers) };
      try {
        await client.previewForm({ body: { title: "Check", schema: { fields: [probed] } } }, { signal });
        return {};
      } catch (error) {
        const found = error instanceof ApiError && error.status === 400 ? error.data["details"] : null;
        return isRecord(found) ? found : {};
      }
    },
  });
  if (!needsCheck || checked !== probe || details === undefined) return NONE;
  return new Map(
    Object.entries(details).flatMap(([path, detail]): readonly (readonly [string, string])[] => {
      if (!path.startsWith(PATH) || !isRecord(detail)) return [];
      // A message that has no translation stays English, after a text for its code in other languages.
      const words = language === "en" ? "" : textOf("fault.detail", String(detail["code"]), {}, "");
      const message = String(detail["message"]);
      const text = translate(message) ?? [words, message].filter((part) => part !== "").join(": ");
      return [[path.slice(PATH.length), text]];
    }),
  );
}
