/** Splits a long text into pieces for a speech model, at natural pauses. */

/** The patterns at which a text is split, best first. */
const ENDS: readonly RegExp[] = [
  /\n\n/g,
  /[.!?…。！？]["')\]”’]?\s|[。！？]|\n/g,
  /[,;:]\s|[，、；：]/g,
  /\s/g,
];

/** Splits the text into pieces of at most this many characters, without empty ones. */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const at = findCut(rest.slice(0, most));
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  if (rest !== '') pieces.push(rest);
  return pieces.filter(piece => piece !== '');
}

/**
 * Returns the position after the last good end. An end near the beginning is not used, because the piece would be too
 * short.
 */
function findCut(window: string): number {
  for (const end of ENDS) {
    let at = 0;
    for (const { index, 0: found } of window.matchAll(end)) at = index + found.length;
    if (at >= window.length / 4) return at;
  }
  // A single endless word; the halves of a surrogate pair stay together.
  const last = window.charCodeAt(window.length - 1);
  return window.length > 1 && last >= 0xd800 && last < 0xdc00 ? window.length - 1 : window.length;
}
