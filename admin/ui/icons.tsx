/** Icons of the admin: strokes on a 24 × 24 grid, hidden from screen readers because a label says the same. */
import type { ReactNode } from "react";

const PATHS = {
  forms: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h4l2 3h4l2-3h4",
  chart: "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  flow: "M13 3L5 14h6l-1 7 8-11h-6z",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
  person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 4-7 8-7s7 2 8 7",
  people: "M9 12a4 4 0 100-8 4 4 0 000 8zM2 21c1-5 3-7 7-7s6 2 7 7M16 4a4 4 0 010 8M18 14c3 1 4 3 4 7",
  sliders: "M4 7h9M17 7h3M15 4.500v5M4 17h3M11 17h9M9 14.500v5",
  pulse: "M3 12h4l3-8 4 16 3-8h4",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
  plus: "M12 5v14M5 12h14",
  more: "M4.5 12a.5.5 0 101 0 .5.5 0 10-1 0M11.5 12a.5.5 0 101 0 .5.5 0 10-1 0M18.5 12a.5.5 0 101 0 .5.5 0 10-1 0",
  close: "M6 6l12 12M18 6L6 18",
  star: "M12 3l2.7 5.7 6.3.8-4.6 4.3 1.2 6.2L12 17l-5.6 3 1.2-6.2L3 9.500l6.300-.8z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  open: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  search: "M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  chevron: "M6 9l6 6 6-6",
  check: "M5 13l4 4L19 7",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  print: "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z",
  back: "M19 12H5M11 6l-6 6 6 6",
  next: "M5 12h14M13 6l6 6-6 6",
  retry: "M4 12a8 8 0 0114-5l2 2M20 4v5h-5M20 12a8 8 0 01-14 5l-2-2M4 20v-5h5",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 000 12h3",
  file: "M6 3h8l4 4v14H6zM14 3v5h4",
  note: "M4 5h16v11h-9l-5 4v-4H4z",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  menu: "M4 7h16M4 12h16M4 17h16",
  columns: "M4 5h16v14H4zM10 5v14M15 5v14",
  filter: "M4 6h16M7 12h10M10 18h4",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 100-6 3 3 0 000 6",
  archive: "M3 5h18v4H3zM5 9v11h14V9M10 13h4",
  reply: "M9 6L4 11l5 5M4 11h9a7 7 0 017 7",
  ban: "M12 3a9 9 0 100 18 9 9 0 000-18zM5.700 5.700l12.600 12.600",
  clip: "M18 11l-7 7a4 4 0 01-6-6l8-8a2.700 2.700 0 014 4l-8 8a1.300 1.300 0 01-2-2l7-7",
  sort: "M7 5v14M7 19l-3-3M7 19l3-3M14 7h7M14 12h5M14 17h3",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  chat: "M4 5h16v11h-9l-5 4v-4H4zM8 9h8M8 12h5",
  table: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  branch:
    "M6 8a2 2 0 100-4 2 2 0 000 4zM6 20a2 2 0 100-4 2 2 0 000 4zM18 10a2 2 0 100-4 2 2 0 000 4zM6 8v8M18 10c0 4-12 2-12 6",
  phone: "M7 3h10v18H7zM11 18h2",
  desktop: "M3 5h18v11H3zM9 20h6M12 16v4",
  sun: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z",
  bold: "M7 4h6a4 4 0 010 8H7zM7 12h7a4 4 0 010 8H7z",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  numbers: "M10 6h10M10 12h10M10 18h10M4 5h1v3M4 15h2l-2 3h2",
  link: "M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1",
  plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 01-12 0zM12 17v4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, filled = false }: { readonly name: IconName; readonly filled?: boolean }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" data-filled={filled || undefined}>
      <path d={PATHS[name]} />
    </svg>
  );
}
