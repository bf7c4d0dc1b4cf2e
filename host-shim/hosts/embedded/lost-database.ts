/** Prevents a start that would replace a lost database by a new, empty one. */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";

/** Names that operators give to copies of a database. */
const BACKUP = /backup|\.(?:bak|old|dump|sql|sqlite3?|db|tar|tgz)(?:\.(?:gz|bz2|xz|zst))?$/i;

/**
 * Throws when the database file is empty although the data folder holds files of a site. A full disk or a failed copy
 * may have emptied it. SQLite would treat the file as a new database, and discard its WAL.
 */
export async function refuseLostDatabase(dataDirectory: string, databaseFile: string): Promise<void> {
  if ((await sizeOf(databaseFile)) !== 0) return;
  const found = await tracesOf(dataDirectory, databaseFile);
  if (found.length === 0) return;
  throw new Error(
    `${databaseFile} has 0 bytes, but ${dataDirectory} holds ${found.join(", ")}: the site's database was lost. ` +
      "Restore a backup in its place (docs/deploy.md), or delete the empty file to begin with a new, empty site.",
  );
}

/** Describes the files of an earlier site in the data folder. */
async function tracesOf(dataDirectory: string, databaseFile: string): Promise<readonly string[]> {
  const found: string[] = [];
  if (await holdsFiles(join(dataDirectory, "uploads"))) found.push("uploads");
  const fileName = basename(databaseFile);
  const log = `${fileName}-wal`;
  if (((await sizeOf(join(dataDirectory, log))) ?? 0) > 0) found.push(`the log ${log}`);
  for (const entry of await readdir(dataDirectory, { withFileTypes: true })) {
    if (entry.name.startsWith(fileName) && !BACKUP.test(entry.name.slice(fileName.length))) continue;
    if (!BACKUP.test(entry.name)) continue;
    const path = join(dataDirectory, entry.name);
    const isKept = entry.isDirectory() ? await holdsFiles(path) : ((await sizeOf(path)) ?? 0) > 0;
    if (isKept) found.push(`the backup ${entry.name}`);
  }
  return found;
}

/** The size of a file; null when it does not exist. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}

/** Whether a folder or one of its subfolders contains a file. */
async function holdsFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => !entry.isDirectory())) return true;
  for (const entry of entries) if (await holdsFiles(join(folder, entry.name))) return true;
  return false;
}
