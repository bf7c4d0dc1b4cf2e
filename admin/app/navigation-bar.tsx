/** The main menu: the screens in two groups, with counters of unread submissions and failed deliveries. */
import { type ReactNode, useId } from "react";
import { Link, useLocation } from "wouter";
import { useFormats } from "../shared/text/format.ts";
import { useText } from "../shared/text/text.tsx";
import { Icon } from "../ui/icons.tsx";
import type { BadgeName, NavigationLink } from "./screen-list.tsx";
import { useBadges } from "./use-badges.ts";

const MAX_COUNT = 99;

export function NavigationBar({ links }: { readonly links: readonly NavigationLink[] }): ReactNode {
  const t = useText();
  const badges = useBadges();
  const groups = [links.filter(({ isBelow }) => isBelow !== true), links.filter(({ isBelow }) => isBelow === true)];
  return (
    <nav className="places" aria-label={t("nav.label")}>
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          <ul key={group[0]?.to} className={group[0]?.isBelow === true ? "place-group below" : "place-group"}>
            {group.map((link) => (
              <li key={link.to}>
                <Place link={link} count={link.badge === undefined ? 0 : badges[link.badge]} />
              </li>
            ))}
          </ul>
        ))}
    </nav>
  );
}

const BADGE_TEXTS = { unread: "nav.unread", failed: "nav.failed" } as const satisfies Record<BadgeName, string>;

/** A link with a counter beside it. The counter describes the link but is not part of its name. */
function Place({ link, count }: { readonly link: NavigationLink; readonly count: number }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const [path] = useLocation();
  const countId = useId();
  const { to, icon, title, badge } = link;
  const hasCount = badge !== undefined && count > 0;
  return (
    <>
      <Link
        href={to}
        className="place"
        title={t(title)}
        aria-current={isBelow(path, to) ? "page" : undefined}
        aria-describedby={hasCount ? countId : undefined}
      >
        <Icon name={icon} />
        <span className="place-name">{t(title)}</span>
      </Link>
      {hasCount ? (
        <span className={badge === "failed" ? "place-count bad" : "place-count"}>
          <span aria-hidden="true">{count > MAX_COUNT ? `${MAX_COUNT}+` : formats.number(count)}</span>
          <span id={countId} className="visually-hidden">
            {t(BADGE_TEXTS[badge], { count })}
          </span>
        </span>
      ) : null}
    </>
  );
}

const isBelow = (path: string, to: string): boolean => path === to || path.startsWith(`${to}/`);
