/** Buttons of the shown submission. */
import { type ReactNode, type Ref, useState } from "react";
import type { Submission } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Confirm, Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { isOffered, type Verb, VERBS, verbToInbox } from "./verbs.ts";

export interface DetailBarProps {
  readonly submission: Submission | null;
  /** The `mailto:` link; null without an address. */
  readonly reply: string | null;
  readonly replyLink: Ref<HTMLAnchorElement>;
  readonly isSheet: boolean;
  readonly onVerb: (verb: Verb) => void;
  readonly onStar: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
}

const IN_MENU: readonly Verb[] = ["read", "unread", "replied"];

export function DetailBar(props: DetailBarProps): ReactNode {
  const { submission, isSheet, onPrevious, onNext, onClose } = props;
  const t = useText();
  const canChange = useCanChange();
  const close = <IconButton icon={isSheet ? "back" : "close"} label={t("detail.back")} onPress={onClose} />;
  return (
    <div className="detail-bar">
      {isSheet ? close : null}
      {submission === null ? null : canChange ? (
        <Verbs {...props} submission={submission} />
      ) : (
        <>
          <ReplyLink {...props} submission={submission} />
          <IconButton icon="print" label={t("common.print")} onPress={() => print()} />
        </>
      )}
      <span className="spacer" />
      <IconButton
        icon="up"
        label={t("keys.previous")}
        isDisabled={onPrevious === undefined}
        onPress={() => onPrevious?.()}
      />
      <IconButton icon="down" label={t("keys.next")} isDisabled={onNext === undefined} onPress={() => onNext?.()} />
      {isSheet ? null : close}
    </div>
  );
}

type WithSubmission = DetailBarProps & { readonly submission: Submission };

/** Opens the user's mail program with a reply to the visitor, and marks the submission as replied. */
function ReplyLink({ submission, reply, replyLink, onVerb }: WithSubmission): ReactNode {
  const t = useText();
  const canChange = useCanChange();
  if (reply === null || submission.status === "trash" || submission.status === "spam") return null;
  return (
    <a className="button primary" href={reply} ref={replyLink} onClick={() => canChange && onVerb("replied")}>
      <Icon name="reply" />
      {t("inbox.reply")}
    </a>
  );
}

function Verbs(props: WithSubmission): ReactNode {
  const { submission, onVerb, onStar, onEdit, onDelete } = props;
  const t = useText();
  const [isDeleting, setIsDeleting] = useState(false);
  const { id, status, starred } = submission;
  const offers = (verb: Verb) => isOffered(verb, [submission]);
  const verbButton = (verb: Verb) =>
    offers(verb) ? (
      <IconButton icon={VERBS[verb].icon} label={t(VERBS[verb].label)} onPress={() => onVerb(verb)} />
    ) : null;
  const entryOf = (verb: Verb): MenuEntry => ({
    id: verb,
    label: t(VERBS[verb].label),
    icon: VERBS[verb].icon,
    onAction: () => onVerb(verb),
  });
  const isHidden = status === "trash" || status === "spam";
  const toInbox = verbToInbox(status);
  const entries: readonly (MenuEntry | null)[] = [
    ...(status === "trash" ? [] : [{ id: "edit", label: t("detail.edit"), icon: "edit" as const, onAction: onEdit }]),
    ...IN_MENU.filter(offers).map(entryOf),
    { id: "print", label: t("common.print"), icon: "print", onAction: () => print() },
  ];
  return (
    <>
      <ReplyLink {...props} />
      {offers(toInbox) ? (
        <Button look={isHidden ? "primary" : "plain"} icon={VERBS[toInbox].icon} onPress={() => onVerb(toInbox)}>
          {t(VERBS[toInbox].label)}
        </Button>
      ) : null}
      {offers("archive") ? (
        <Button icon="archive" onPress={() => onVerb("archive")}>
          {t("inbox.archive")}
        </Button>
      ) : null}
      {isHidden ? null : <IconButton icon="star" filled={starred} label={t("inbox.star", { id })} onPress={onStar} />}
      {verbButton("spam")}
      {verbButton("trash")}
      {status === "trash" ? (
        <Button look="danger" onPress={() => setIsDeleting(true)}>
          {t("inbox.deleteForever")}
        </Button>
      ) : null}
      <Menu label={t("common.more")} entries={entries} />
      <Confirm
        title={t("triage.deleteTitle", { count: 1 })}
        text={t("triage.deleteText")}
        action={t("inbox.deleteForever")}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onConfirm={onDelete}
      />
    </>
  );
}
