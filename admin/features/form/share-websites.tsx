/** The websites that may show and submit the form. A change is live at once. */
import { type ReactNode, useState } from "react";
import type { Draft, TabProps } from "../../shared/draft/draft.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Card } from "../../ui/page.tsx";
import { websiteOf } from "./website.ts";

const setWebsites = (draft: Draft, origins: readonly string[]): Promise<unknown> =>
  draft.changeLive({ settings: { allowed_origins: origins } });

export function WebsitesCard({ draft }: TabProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const { allowed_origins: origins } = draft.live.form.settings;
  const remove = (origin: string) =>
    setWebsites(
      draft,
      origins.filter((other) => other !== origin),
    ).catch((error: unknown) => notices.showError(error));
  return (
    <Card title={t("settings.allowed_origins")} help={t("share.websitesHelp")}>
      {origins.length === 0 ? null : (
        <ul className="plain">
          {origins.map((origin) => (
            <li key={origin} className="row nowrap">
              <span className="clip">{origin}</span>
              <IconButton
                icon="trash"
                label={t("share.removeWebsite", { website: origin })}
                onPress={() => void remove(origin)}
              />
            </li>
          ))}
        </ul>
      )}
      <AddWebsite draft={draft} />
    </Card>
  );
}

/** Adds the website of a pasted page address. */
export function AddWebsite({ draft }: TabProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const { allowed_origins: origins } = draft.live.form.settings;
  const add = async () => {
    const origin = websiteOf(typed);
    setIsWrong(origin === null);
    if (origin === null) return;
    try {
      if (!origins.includes(origin)) await setWebsites(draft, [...origins, origin]);
      setTyped("");
    } catch (error) {
      notices.showError(error);
    }
  };
  return (
    <form
      className="row website"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <TextField
        label={t("share.website")}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setIsWrong(false);
        }}
        inputMode="url"
        placeholder="https://example.org/contact"
        help={t("share.websiteHelp")}
        fault={isWrong ? t("share.websiteWrong") : undefined}
      />
      <Button type="submit">{t("share.addWebsite")}</Button>
    </form>
  );
}
