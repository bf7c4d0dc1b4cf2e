/** Common groups of file types, and their conversion to and from the `accept` attribute. */
import type { TextId } from "../../../shared/text/text.tsx";

interface FileGroup {
  readonly label: TextId;
  /** Entries that the group adds to `accept`. */
  readonly types: readonly string[];
  /** Equivalent media types, which HTML or imports may contain. */
  readonly synonyms: readonly string[];
}

export const FILE_GROUPS = {
  pdf: { label: "build.files.pdf", types: [".pdf"], synonyms: ["application/pdf"] },
  images: {
    label: "build.files.images",
    types: [".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic"],
    synonyms: ["image/*"],
  },
  documents: { label: "build.files.documents", types: [".doc", ".docx", ".odt", ".rtf", ".txt"], synonyms: [] },
  spreadsheets: { label: "build.files.spreadsheets", types: [".xls", ".xlsx", ".ods", ".csv"], synonyms: [] },
  audio: { label: "build.files.audio", types: ["audio/*"], synonyms: [] },
  video: { label: "build.files.video", types: ["video/*"], synonyms: [] },
} as const satisfies Readonly<Record<string, FileGroup>>;

export type FileGroupId = keyof typeof FILE_GROUPS;
const GROUP_IDS = Object.keys(FILE_GROUPS) as readonly FileGroupId[];

export interface FileTypes {
  readonly groups: readonly FileGroupId[];
  /** Types outside the groups, such as `.zip`. */
  readonly others: readonly string[];
}

const listOf = (accept: string): readonly string[] =>
  accept
    .split(",")
    .map((type) => type.trim().toLowerCase())
    .filter((type) => type !== "");

export function readFileTypes(accept: string): FileTypes {
  const types = listOf(accept);
  const isOn = (group: FileGroup): boolean =>
    group.types.every((type) => types.includes(type)) || group.synonyms.some((type) => types.includes(type));
  const groups = GROUP_IDS.filter((id) => isOn(FILE_GROUPS[id]));
  const ofGroups = new Set<string>(groups.flatMap((id) => [...FILE_GROUPS[id].types, ...FILE_GROUPS[id].synonyms]));
  return { groups, others: types.filter((type) => !ofGroups.has(type)) };
}

/** Returns the `accept` attribute. A group that is stored as a synonym keeps the synonym. */
export function writeFileTypes({ groups, others }: FileTypes, before: string): string {
  const known = listOf(before);
  const typesOf = (id: FileGroupId): readonly string[] => {
    const { types, synonyms }: FileGroup = FILE_GROUPS[id];
    const stored = synonyms.filter((type) => known.includes(type));
    return stored.length > 0 ? stored : types;
  };
  return [...new Set([...GROUP_IDS.filter((id) => groups.includes(id)).flatMap(typesOf), ...others])].join(",");
}

/**
 * Parses the types that a user typed. An extension may lack its dot. Null if an entry is neither an extension nor a
 * media type.
 */
export function parseOtherTypes(text: string): readonly string[] | null {
  const types = listOf(text).map((type) => (/^\w+$/.test(type) ? `.${type}` : type));
  return types.every((type) => /^(?:\.[\w.-]+|[\w.+-]+\/(?:\*|[\w.+-]+))$/.test(type)) ? types : null;
}

/** Returns a group's extensions for display; empty for a group that is a media type. */
export const extensionNames = (id: FileGroupId): string =>
  FILE_GROUPS[id].types
    .filter((type) => type.startsWith(".") && type !== ".jpeg")
    .map((type) => (type === ".webp" ? "WebP" : type.slice(1).toUpperCase()))
    .join(", ");
