/** A long text in pieces that a model reads one by one, cut where a speaker would breathe. */

/** The ends at which a text is cut, best first. */
const ENDS: readonly RegExp[] = [
  /\n\n/g,
  /[.!?…。！？]["')\]”’]?\s|[。！？]|\n/g,
  /[,;:]\s|[，、；：]/g,
  /\s/g,
];

/** Cuts the text into pieces of at most this many characters, none of them empty. */
export function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const at = cutOf(rest.slice(0, most));
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  if (rest !== '') pieces.push(rest);
  return pieces.filter(piece => piece !== '');
}

/** The place behind the last good end, which is no use where it would leave next to nothing. */
function cutOf(window: string): number {
  for (const end of ENDS) {
    let at = 0;
    for (const { index, 0: found } of window.matchAll(end)) at = index + found.length;
    if (at >= window.length / 4) return at;
  }
  // One endless word; the halves of a character beyond the basic plane stay together.
  const last = window.charCodeAt(window.length - 1);
  return window.length > 1 && last >= 0xd800 && last < 0xdc00 ? window.length - 1 : window.length;
}
