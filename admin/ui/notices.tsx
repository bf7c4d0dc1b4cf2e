/**
 * Short notices at the foot of the page. Deferred work runs after 10 s, or when the user leaves, unless it is undone.
 */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type DeferredWork, type Notices, NoticesContext } from "../shared/notices.ts";
import { useText } from "../shared/text/text.tsx";
import { Button, IconButton } from "./button.tsx";
import { ErrorText } from "./states.tsx";

const UNDO_MS = 10_000;
const SHOWN_MS = 6_000;

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly error?: unknown;
  readonly undo?: () => void;
  readonly cancel?: () => void;
}

interface Pending {
  readonly work: DeferredWork;
  readonly timer: ReturnType<typeof setTimeout>;
}

export function NoticesProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useText();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const pending = useRef(new Map<number, Pending>());
  const nextId = useRef(1);

  const remove = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const add = useCallback(
    (notice: Omit<Notice, "id">, shown: number | null) => {
      const id = nextId.current++;
      setNotices((all) => [...all.slice(-2), { ...notice, id }]);
      if (shown !== null) setTimeout(() => remove(id), shown);
      return id;
    },
    [remove],
  );

  const value = useMemo<Notices>(() => {
    const showError = (error: unknown) => void add({ text: "", error }, 12_000);
    return {
      show: (text) => void add({ text }, SHOWN_MS),
      showError,
      showUndoable(text, undo) {
        const id: number = add(
          {
            text,
            undo() {
              remove(id);
              undo();
            },
          },
          UNDO_MS,
        );
      },
      defer(work) {
        const id: number = add(
          {
            text: work.text,
            undo() {
              clearTimeout(pending.current.get(id)?.timer);
              pending.current.delete(id);
              remove(id);
              work.undo();
            },
          },
          UNDO_MS,
        );
        const timer = setTimeout(() => {
          pending.current.delete(id);
          work.run(false).catch((error: unknown) => {
            work.undo();
            showError(error);
          });
        }, UNDO_MS);
        pending.current.set(id, { work, timer });
      },
      progress(text) {
        const abort = new AbortController();
        const id = add({ text, cancel: () => abort.abort() }, null);
        return {
          signal: abort.signal,
          update: (next) =>
            setNotices((all) => all.map((notice) => (notice.id === id ? { ...notice, text: next } : notice))),
          end: () => remove(id),
        };
      },
    };
  }, [add, remove]);

  useEffect(() => {
    const all = pending.current;
    const leave = () => {
      for (const { work, timer } of all.values()) {
        clearTimeout(timer);
        work.run(true).catch(() => undefined);
      }
      all.clear();
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  return (
    <NoticesContext.Provider value={value}>
      {children}
      <div className="notices" role="status" aria-live="polite">
        {notices.map((notice) => (
          <div key={notice.id} className={notice.error === undefined ? "notice" : "notice wrong"}>
            <div className="notice-text">
              {notice.error === undefined ? notice.text : <ErrorText error={notice.error} />}
            </div>
            {notice.undo === undefined ? null : (
              <Button look="quiet" onPress={notice.undo}>
                {t("common.undo")}
              </Button>
            )}
            {notice.cancel === undefined ? (
              <IconButton icon="close" label={t("common.close")} onPress={() => remove(notice.id)} />
            ) : (
              <Button look="quiet" onPress={notice.cancel}>
                {t("common.cancel")}
              </Button>
            )}
          </div>
        ))}
      </div>
    </NoticesContext.Provider>
  );
}
