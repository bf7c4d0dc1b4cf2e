/** The action `note`, as another plugin would add it. */
export function noteAction(noted: { push(text: string): unknown }) {
  let isFirst = true;
  return {
    type: "note",
    label: "Note",
    process(_settings: unknown, submission: { readonly data: Readonly<Record<string, unknown>> }): boolean {
      if (isFirst) {
        isFirst = false;
        throw new Error("the first note is lost");
      }
      noted.push(String(submission.data["name"]));
      return true;
    },
  };
}
