/** Creates the action `note` of a test plugin. The first run fails; later runs add the answer `name` to `noted`. */
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
