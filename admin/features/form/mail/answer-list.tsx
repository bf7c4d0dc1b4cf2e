/** Popover that lists the answers by label, with a search. */
import type { ReactNode, RefObject } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Dialog } from "react-aria-components/Dialog";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { useText } from "../../../shared/text/text.tsx";
import { SearchField } from "../../../ui/fields.tsx";
import type { InsertableAnswer } from "./answers.ts";

export interface AnswerListProps {
  readonly answers: readonly InsertableAnswer[];
  readonly trigger: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onPick: (answer: InsertableAnswer) => void;
}

const contains = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase());

export function AnswerList({ answers, trigger, isOpen, onClose, onPick }: AnswerListProps): ReactNode {
  const t = useText();
  return (
    <Popover
      className="popover answer-list"
      placement="bottom start"
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog className="dialog" aria-label={t("actions.insertAnswer")}>
        <Autocomplete filter={contains}>
          <SearchField label={t("answers.search")} autoFocus />
          <ListBox
            className="list-box"
            aria-label={t("actions.insertAnswer")}
            items={answers.map((answer) => ({ ...answer, id: answer.name }))}
            onAction={(key) => {
              const answer = answers.find(({ name }) => name === key);
              if (answer !== undefined) onPick(answer);
            }}
            renderEmptyState={() => <p className="help">{t("answers.none")}</p>}
          >
            {(answer) => (
              <ListBoxItem id={answer.name} className="option" textValue={answer.label}>
                {answer.label}
              </ListBoxItem>
            )}
          </ListBox>
        </Autocomplete>
      </Dialog>
    </Popover>
  );
}
