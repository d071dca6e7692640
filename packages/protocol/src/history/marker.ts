/** Exact texts inside stored messages. Clients compare them byte by byte: a change of one breaks the wire. */

/** The only text block of a compaction marker message (MARK-1). */
export const COMPACTION_MARKER = '[compacted] Older history was folded into the chat summary here.';

/** The result of a call that a cancel, a crash or the cut of a fork left without one. `is_error` is true beside it. */
export const UNFINISHED_RESULT = '[cancelled] The turn ended before this call returned a result.';

/** The text in history in the place of an image that the model generated (MARK-3). */
export const imageMarker = (id: string, url: string): string => `[image ${id}] ${url}`;

/** The text that the model gets in the place of an attached file (MARK-4). @param size in bytes */
export const fileMarker = (id: string, name: string, size: number, path: string): string =>
  fileLine(id, name, size, `readable at ${path}`);

/** The same with other words about the place, for a turn that may not know the path. */
export const fileLine = (id: string, name: string, size: number, place: string): string =>
  `[file ${id}] ${name} (${sizeForPeople(size)}) — ${place}`;

/** Returns a size such as `999 B`, `12.3 KB` or `4.0 MB`: units are powers of 1000. */
export function sizeForPeople(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  // 999.95 would print as 1000.0, which is 1.0 of the next unit.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
