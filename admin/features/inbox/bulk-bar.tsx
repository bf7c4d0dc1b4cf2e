/** Toolbar for the selected submissions. */
import type { ReactNode } from "react";
import type { Submission } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { isOffered, type Verb, VERBS } from "./verbs.ts";

export interface BulkBarProps {
  readonly selected: readonly Submission[];
  /** Whether every loaded row is selected. */
  readonly hasAll: boolean;
  readonly onVerb: (verb: Verb) => void;
  readonly onDelete: () => void;
  readonly onAll: () => void;
  readonly onNone: () => void;
}

/** Verbs that have buttons. A button shows only if its verb would change a selected submission. */
const BUTTONS: readonly Verb[] = ["restore", "notSpam", "moveToInbox", "archive", "trash"];
/** Verbs in the menu, which also shows only verbs that would change a selected submission. */
const MENU: readonly Verb[] = ["read", "unread", "replied", "spam"];

export function BulkBar({ selected, hasAll, onVerb, onDelete, onAll, onNone }: BulkBarProps): ReactNode {
  const t = useText();
  const more = MENU.filter((verb) => isOffered(verb, selected));
  return (
    <div className="bulk" role="toolbar" aria-label={t("inbox.bulk")}>
      <strong>{t("inbox.selectedCount", { count: selected.length })}</strong>
      {hasAll ? null : (
        <Button look="quiet" onPress={onAll}>
          {t("inbox.selectAll")}
        </Button>
      )}
      <span className="spacer" />
      {BUTTONS.filter((verb) => isOffered(verb, selected)).map((verb, index) =>
        index === 0 ? (
          <Button key={verb} onPress={() => onVerb(verb)}>
            {t(VERBS[verb].label)}
          </Button>
        ) : (
          <IconButton key={verb} icon={VERBS[verb].icon} label={t(VERBS[verb].label)} onPress={() => onVerb(verb)} />
        ),
      )}
      {selected.every(({ status }) => status === "trash") ? (
        <Button look="danger" onPress={onDelete}>
          {t("inbox.deleteForever")}
        </Button>
      ) : null}
      {more.length === 0 ? null : (
        <Menu
          label={t("common.more")}
          entries={more.map((verb) => ({
            id: verb,
            label: t(VERBS[verb].label),
            icon: VERBS[verb].icon,
            onAction: () => onVerb(verb),
          }))}
        />
      )}
      <IconButton icon="close" label={t("inbox.selectNone")} onPress={onNone} />
    </div>
  );
}
