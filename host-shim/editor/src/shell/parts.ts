/** Parts of one feature that another shows: features do not import each other. */
import { lazy } from "react";

export const BuildTab = lazy(() => import("../features/form-editor/build-tab.tsx"));
export const NumbersTab = lazy(() => import("../features/analytics/numbers-tab.tsx"));
