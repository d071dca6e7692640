/** Exact texts that stand in stored messages. Clients know them by exact match: changing one breaks the wire. */

/** MARK-1. The one text block of a compaction marker message. */
export const COMPACTION_MARKER = '[compacted] Older history was folded into the chat summary here.';

/** The result of a call that a cancel, a crash or a fork's cut left without one. Goes with is_error true. */
export const UNFINISHED_RESULT = '[cancelled] The turn ended before this call returned a result.';

/** MARK-3. Stands in history where the model drew an image. */
export const imageMarker = (id: string, url: string): string => `[image ${id}] ${url}`;

/** MARK-4. What the model receives instead of an attached file. */
export const fileMarker = (id: string, name: string, size: number, path: string): string =>
  `[file ${id}] ${name} (${sizeForPeople(size)}) — readable at ${path}`;

/** `999 B`, `12.3 KB`, `4.0 MB`: powers of 1000. */
export function sizeForPeople(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  // 999.95 would print as 1000.0, which is the next unit's 1.0.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
