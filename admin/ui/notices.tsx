/**
 * Notices in their own region. A notice with a button stays until it is used or dismissed; any other disappears after 8
 * s, not counting the time in which the user points at it, has the focus in it, or looks at another tab.
 */
import {
  type FocusEvent as ReactFocusEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type NoticeAction, type Notices, NoticesContext } from "../shared/notices.ts";
import { useText } from "../shared/text/text.tsx";
import { isTyping } from "../shared/typing.ts";
import { Button, IconButton } from "./button.tsx";
import { useFreePlace } from "./free-place.ts";
import { ErrorText } from "./states.tsx";

const SHOWN_MS = 8_000;
const MAX_SHOWN = 3;

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly error?: unknown;
  readonly action?: NoticeAction;
  readonly undo?: () => void;
  readonly cancel?: () => void;
}

/**
 * Keeps the newest notices. The oldest is removed first; the progress of an operation stays as long as another notice
 * can be removed.
 */
function withNewest(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= MAX_SHOWN) return notices;
  const oldest = notices.find(({ cancel }) => cancel === undefined) ?? notices[0];
  return notices.filter((notice) => notice !== oldest);
}

export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const nextId = useRef(1);

  const remove = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const add = useCallback((notice: Omit<Notice, "id">) => {
    const id = nextId.current++;
    setNotices((all) => withNewest([...all, { ...notice, id }]));
    return id;
  }, []);

  const value = useMemo<Notices>(() => {
    const showError = (error: unknown) => void add({ text: "", error });
    return {
      show: (text, action) => void add({ text, ...(action === undefined ? {} : { action }) }),
      showError,
      showUndoable: (text, undo) => void add({ text, undo }),
      progress(text) {
        const abort = new AbortController();
        const id = add({ text, cancel: () => abort.abort() });
        return {
          signal: abort.signal,
          update: (next) =>
            setNotices((all) => all.map((notice) => (notice.id === id ? { ...notice, text: next } : notice))),
          end: () => remove(id),
        };
      },
    };
  }, [add, remove]);

  return (
    <NoticesContext.Provider value={value}>
      {children}
      <NoticeRegion notices={notices} onRemove={remove} />
    </NoticesContext.Provider>
  );
}

interface NoticeRegionProps {
  readonly notices: readonly Notice[];
  readonly onRemove: (id: number) => void;
}

function NoticeRegion({ notices, onRemove }: NoticeRegionProps): ReactNode {
  const t = useText();
  const region = useRef<HTMLElement>(null);
  const isHidden = useHiddenTab();
  const place = useFreePlace(region, notices.length);
  const lastFocus = useRef<HTMLElement>(null);
  useNoticeKeys(region, notices, onRemove, lastFocus);
  const { hasAttention, ...attention } = useAttention(region, notices, lastFocus);

  const onKeyDown = (event: ReactKeyboardEvent<HTMLElement>) => {
    if (event.key === "F6") returnTarget(event.currentTarget, lastFocus.current)?.focus();
    else if (event.key === "Escape") {
      const id = Number((event.target as Element).closest<HTMLElement>("[data-notice]")?.dataset["notice"]);
      if (notices.find((notice) => notice.id === id)?.cancel === undefined) onRemove(id);
    } else return;
    event.preventDefault();
    // The screen's shortcuts must not run.
    event.stopPropagation();
  };

  return (
    <section
      ref={region}
      className="notices"
      aria-label={t("notices.region")}
      data-place={place}
      // React Aria then neither hides the region behind a dialog nor closes the dialog when a notice is pressed.
      data-react-aria-top-layer="true"
      onKeyDown={onKeyDown}
      {...attention}
    >
      <div className="notice-list" role="status">
        {notices.map((notice) => (
          <NoticeItem
            key={notice.id}
            notice={notice}
            isPaused={hasAttention || isHidden}
            onRemove={() => onRemove(notice.id)}
          />
        ))}
      </div>
    </section>
  );
}

/**
 * Whether the pointer or the focus is in the region, and the handlers that find out. A removed notice passes on its
 * focus.
 */
function useAttention(
  region: RefObject<HTMLElement | null>,
  notices: readonly Notice[],
  lastFocus: RefObject<HTMLElement | null>,
) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  // A region without notices cannot be left by the pointer.
  useEffect(() => {
    if (notices.length === 0) setIsPointedAt(false);
  }, [notices.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a notice that goes takes the focus with it, so each change is checked
  useEffect(() => {
    if (!hasFocus || region.current === null || region.current.contains(activeElement(region.current))) return;
    // The focus moves to the newest remaining notice, or back to its origin.
    const next = region.current.querySelector<HTMLElement>(".notice:last-of-type button");
    if (next === null) setHasFocus(false);
    (next ?? returnTarget(region.current, lastFocus.current))?.focus();
  }, [hasFocus, notices, lastFocus]);

  return {
    hasAttention: isPointedAt || hasFocus,
    onPointerEnter: () => setIsPointedAt(true),
    onPointerLeave: () => setIsPointedAt(false),
    onFocus({ currentTarget, relatedTarget }: ReactFocusEvent<HTMLElement>) {
      setHasFocus(true);
      if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
        lastFocus.current = relatedTarget;
    },
    onBlur({ currentTarget, target, relatedTarget }: ReactFocusEvent<HTMLElement>) {
      const staysInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (target.isConnected && document.hasFocus() && !staysInside) setHasFocus(false);
    },
  };
}

interface NoticeItemProps {
  readonly notice: Notice;
  readonly isPaused: boolean;
  readonly onRemove: () => void;
}

function NoticeItem({ notice, isPaused, onRemove }: NoticeItemProps): ReactNode {
  const t = useText();
  const { text, error, action, undo, cancel } = notice;
  const stays = action !== undefined || undo !== undefined || cancel !== undefined;
  useCountdown(stays || isPaused, onRemove);
  return (
    <div className={error === undefined ? "notice" : "notice wrong"} data-notice={notice.id}>
      <div className="notice-text">{error === undefined ? text : <ErrorText error={error} />}</div>
      {undo === undefined ? null : <NoticeButton label={t("common.undo")} run={undo} onRemove={onRemove} />}
      {action === undefined ? null : <NoticeButton {...action} onRemove={onRemove} />}
      {cancel === undefined ? (
        <IconButton icon="close" label={t("notices.dismiss")} onPress={onRemove} />
      ) : (
        <Button look="quiet" onPress={cancel}>
          {t("common.cancel")}
        </Button>
      )}
    </div>
  );
}

function NoticeButton({ label, run, onRemove }: NoticeAction & { readonly onRemove: () => void }): ReactNode {
  return (
    <Button
      look="quiet"
      onPress={() => {
        onRemove();
        run();
      }}
    >
      {label}
    </Button>
  );
}

/** Calls `onEnd` once 8 s have passed in which the countdown was not paused. */
function useCountdown(isPaused: boolean, onEnd: () => void): void {
  const left = useRef(SHOWN_MS);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (isPaused) return;
    const start = Date.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - start;
    };
  }, [isPaused]);
}

function useHiddenTab(): boolean {
  const [isHidden, setIsHidden] = useState(() => document.hidden);
  useEffect(() => {
    const update = () => setIsHidden(document.hidden);
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isHidden;
}

/** Handles the keys outside the region: F6 enters it, and Ctrl+Z outside text fields uses the newest Undo. */
function useNoticeKeys(
  region: RefObject<HTMLElement | null>,
  notices: readonly Notice[],
  onRemove: (id: number) => void,
  lastFocus: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const element = region.current;
      if (element === null || notices.length === 0 || event.defaultPrevented) return;
      if (event.key === "F6") {
        event.preventDefault();
        const focused = activeElement(element);
        lastFocus.current = focused instanceof HTMLElement ? focused : null;
        element.querySelector<HTMLElement>(".notice:last-of-type button")?.focus();
      } else if (isUndoKey(event) && !isTyping(event)) {
        const newest = notices.findLast(({ undo }) => undo !== undefined);
        if (newest?.undo === undefined) return;
        event.preventDefault();
        onRemove(newest.id);
        newest.undo();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [region, notices, onRemove, lastFocus]);
}

const isUndoKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";

/** Returns the focused element of the tree, which may be a shadow root. */
const activeElement = (element: Element): Element | null =>
  (element.getRootNode() as Document | ShadowRoot).activeElement;

/** Returns the element that had the focus, or the content if it is gone. */
function returnTarget(region: HTMLElement, lastFocus: HTMLElement | null): HTMLElement | null {
  if (lastFocus?.isConnected === true && lastFocus !== document.body) return lastFocus;
  return (region.getRootNode() as Document | ShadowRoot).getElementById("cf-admin-main");
}
