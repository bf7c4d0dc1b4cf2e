/** Parts of one feature that another shows: features do not import each other. */
import { lazy } from "react";

export const NumbersTab = lazy(() => import("../features/analytics/numbers-tab.tsx"));
