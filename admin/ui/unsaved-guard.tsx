/** Asks for confirmation before a link, the browser's buttons or closing the tab would lose unsaved changes. */
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { AroundNavHandler } from "wouter";
import { UnsavedContext } from "../shared/unsaved.ts";
import { useText } from "../shared/text/text.tsx";
import { Confirm } from "./overlays.tsx";

export interface UnsavedGuardProps {
  /** Renders the router with this handler, through which all its navigation goes. */
  readonly children: (aroundNav: AroundNavHandler) => ReactNode;
}

export function UnsavedGuard({ children }: UnsavedGuardProps): ReactNode {
  const t = useText();
  const count = useRef(0);
  /** Address of the screen with unsaved changes. The back button changes `location` before the confirmation shows. */
  const address = useRef("");
  const [leave, setLeave] = useState<(() => void) | null>(null);

  const register = useCallback(() => {
    count.current += 1;
    address.current = location.href;
    return () => {
      count.current -= 1;
    };
  }, []);
  const aroundNav = useCallback<AroundNavHandler>((navigate, to, options) => {
    if (count.current === 0) navigate(to, options);
    else setLeave(() => () => navigate(to, options));
  }, []);

  // A layout effect runs before the router subscribes to the same events, so this listener is called first.
  useLayoutEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (count.current > 0) event.preventDefault();
    };
    let isLeaving = false;
    const onPop = (event: PopStateEvent) => {
      if (count.current === 0 || isLeaving || location.href === address.current) return;
      event.stopImmediatePropagation();
      // The browser is already at another entry. This screen is pushed after it, so `history.back()` leads there.
      history.pushState(null, "", address.current);
      setLeave(() => () => {
        isLeaving = true;
        history.back();
        setTimeout(() => {
          isLeaving = false;
        });
      });
    };
    addEventListener("beforeunload", onUnload);
    addEventListener("popstate", onPop);
    return () => {
      removeEventListener("beforeunload", onUnload);
      removeEventListener("popstate", onPop);
    };
  }, []);

  return (
    <UnsavedContext.Provider value={register}>
      {children(aroundNav)}
      <Confirm
        title={t("common.unsaved")}
        text={t("common.leave")}
        action={t("common.leaveAction")}
        isOpen={leave !== null}
        onClose={() => setLeave(null)}
        onConfirm={() => leave?.()}
      />
    </UnsavedContext.Provider>
  );
}
