/** Dialog with the keyboard shortcuts, opened with `?`. */
import type { ReactNode } from "react";
import { type TextId, useText } from "../shared/text/text.tsx";
import { Dialog } from "../ui/overlays.tsx";

/** Placeholder for a mouse click in the list of keys; the screen shows the translated word. */
const CLICK = "click";

const KEYS: readonly { readonly title: TextId; readonly keys: readonly (readonly [readonly string[], TextId])[] }[] = [
  {
    title: "keys.everywhere",
    keys: [
      [["?"], "keys.help"],
      [["Tab"], "keys.tab"],
      [["Esc"], "keys.escape"],
      [["F6"], "keys.notices"],
      [["Ctrl", "Z"], "keys.undo"],
    ],
  },
  {
    title: "keys.editor",
    keys: [
      [["/"], "keys.addField"],
      [["Enter"], "keys.openField"],
      [["Alt", "↑"], "keys.fieldUp"],
      [["Alt", "↓"], "keys.fieldDown"],
      [["Shift", "↑ ↓"], "keys.fieldRange"],
      [["Shift", CLICK], "keys.fieldRange"],
      [["Ctrl", CLICK], "keys.fieldToggle"],
      [["Delete"], "keys.removeField"],
      [["Ctrl", "C"], "keys.copyField"],
      [["Ctrl", "V"], "keys.pasteField"],
      [["Ctrl", "Z"], "keys.undo"],
      [["Ctrl", "Shift", "Z"], "keys.redo"],
    ],
  },
  {
    title: "keys.inbox",
    keys: [
      [["j"], "keys.next"],
      [["k"], "keys.previous"],
      [["Enter"], "keys.open"],
      [["x"], "keys.select"],
      [["Shift", "x"], "keys.range"],
      [["Shift", CLICK], "keys.range"],
      [["Ctrl", "A"], "keys.all"],
      [["r"], "keys.reply"],
      [["e"], "keys.archive"],
      [["i"], "keys.toInbox"],
      [["s"], "keys.star"],
      [["u"], "keys.unread"],
      [["!"], "keys.spam"],
      [["#"], "keys.trash"],
      [["/"], "keys.search"],
    ],
  },
];

export function KeysHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const t = useText();
  return (
    <Dialog title={t("keys.title")} isOpen={isOpen} onClose={onClose}>
      {KEYS.map(({ title, keys }) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <dl className="keys">
            {keys.map(([names, text]) => (
              <div key={names.join(" ")}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name === CLICK ? t("keys.click") : name}</kbd>
                  ))}
                </dt>
                <dd>{t(text)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
