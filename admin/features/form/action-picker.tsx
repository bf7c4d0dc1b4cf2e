/** Dialog that chooses the type of a new action: search, and tiles in groups. */
import { type ReactNode, useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Header, ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import type { ActionType } from "../../../client/index.ts";
import { useText } from "../../shared/text/text.tsx";
import { SearchField } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ACTION_GROUPS, actionIcon, PLUGINS } from "./action-groups.ts";

export interface ActionPickerProps {
  readonly types: readonly ActionType[];
  readonly onPick: (type: string) => void;
  readonly onClose: () => void;
}

export default function ActionPicker({ types, onPick, onClose }: ActionPickerProps): ReactNode {
  const t = useText();
  const [words, setWords] = useState("");
  const grouped = new Set(ACTION_GROUPS.flatMap((group) => group.types));
  const groups = [
    ...ACTION_GROUPS.map(({ id, types: names }) => ({
      title: t(`actions.group.${id}`),
      types: names.flatMap((name) => types.find(({ type }) => type === name) ?? []),
    })),
    { title: t(`actions.group.${PLUGINS.id}`), types: types.filter(({ type }) => !grouped.has(type)) },
  ].filter((group) => group.types.length > 0);
  const pick = (type: string) => {
    onClose();
    onPick(type);
  };
  // A search for a group's name also finds the group's types.
  const matches = (text: string, search: string) =>
    search
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.toLowerCase().includes(word));
  return (
    <Dialog wide title={t("actions.pick")} isOpen onClose={onClose}>
      <Autocomplete inputValue={words} onInputChange={setWords} filter={matches}>
        <SearchField label={t("actions.search")} autoFocus />
        <ListBox
          className="action-types"
          aria-label={t("actions.pick")}
          layout="grid"
          onAction={(key) => pick(String(key))}
          renderEmptyState={() => <p className="help">{t("actions.noType", { words })}</p>}
        >
          {groups.map((group) => (
            <ListBoxSection key={group.title} id={`group:${group.title}`} className="action-type-group">
              <Header className="build-group-title">{group.title}</Header>
              {group.types.map(({ type, label }) => (
                <ListBoxItem key={type} id={type} className="action-type" textValue={`${label} ${group.title}`}>
                  <Icon name={actionIcon(type)} />
                  <span>{label}</span>
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </Dialog>
  );
}
