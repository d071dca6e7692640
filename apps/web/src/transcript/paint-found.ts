/** Marks the places of a pattern in the rows on the screen, without changing their elements. */

/** Text in these is not part of a row's own text. */
const CONTROLS = 'button, time, figcaption, .leads-to, .unseen, .model-change, .versions, .tag';
const NAMES = { all: 'found', current: 'found-current' } as const;

interface Place {
  /** In the list of rows. */
  index: number;
  /** The number of the place in its row. */
  nth: number;
}

/** Returns the current place, or null if its row is not on the screen or does not show it. */
export function paintFound(scroller: Element, pattern: RegExp, current: Place | undefined): Range | null {
  const all: Range[] = [];
  let here: Range | null = null;
  for (const row of scroller.querySelectorAll<HTMLElement>('[data-index]')) {
    const ranges = findRanges(row, pattern);
    all.push(...ranges);
    if (Number(row.dataset.index) === current?.index) {
      here = ranges[Math.min(current.nth, ranges.length - 1)] ?? null;
    }
  }
  // Older browsers only scroll to the place.
  if ('highlights' in CSS) {
    CSS.highlights.set(NAMES.all, new Highlight(...all));
    CSS.highlights.set(NAMES.current, here ? new Highlight(here) : new Highlight());
  }
  return here;
}

export function clearFound(): void {
  if ('highlights' in CSS) for (const name of Object.values(NAMES)) CSS.highlights.delete(name);
}

function findRanges(row: Element, pattern: RegExp): Range[] {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest(CONTROLS)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const range = document.createRange();
    const first = nodes.findLast(({ start }) => start <= index)!;
    const last = nodes.findLast(({ start }) => start < index + length)!;
    range.setStart(first.node, index - first.start);
    range.setEnd(last.node, index + length - last.start);
    return range;
  });
}
