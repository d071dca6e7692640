/**
 * Finds text in a chat, newest first. It searches the loaded messages, then loads older ones until it finds something.
 */
import type { Token, Tokens } from '@chat-kernel/text/markdown';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { findItemLabels } from '../items/item-labels.ts';
import { IconButton } from '../parts/button.tsx';
import type { Row } from '../rows/rows.ts';
import { clearFound, paintFound } from './paint-found.ts';

export interface FindBarProps {
  /** Changes each time the bar is opened. */
  opened: number;
  rows: readonly Row[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  onOlder(): void;
  scroller: RefObject<HTMLElement | null>;
  /** Scrolls to a row. */
  show(index: number): void;
  onClose(): void;
}

export default function FindBar(props: FindBarProps) {
  const { opened, rows, hasOlder, isLoadingOlder, onOlder, scroller, show, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState<{ key: string; nth: number } | null>(null);
  /** The number of places before older messages are loaded; null: none are loaded. */
  const [seeking, setSeeking] = useState<number | null>(null);
  const pattern = useMemo(() => toPattern(query), [query]);
  const places = useMemo(() => (pattern ? findPlaces(rows, pattern) : []), [rows, pattern]);
  const at = places.findIndex(({ index, nth }) => rows[index]?.key === current?.key && nth === current?.nth);
  const place = places[at];
  const isScrolling = useRef(false);

  const select = (position: number) => {
    const chosen = places[position];
    const row = chosen && rows[chosen.index];
    if (!row) return;
    setCurrent({ key: row.key, nth: chosen.nth });
    isScrolling.current = true;
    show(chosen.index);
  };
  const move = (step: 1 | -1) => {
    const next = at + step;
    if (next >= places.length && hasOlder) setSeeking(places.length);
    else select((next + places.length) % Math.max(1, places.length));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses each time the bar is opened
  useEffect(() => input.current?.select(), [opened]);
  useEffect(() => clearFound, []);
  // A new text selects its newest place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new text counts
  useEffect(() => {
    setSeeking(null);
    setCurrent(null);
    if (pattern === null) return;
    if (places.length > 0) return select(0);
    if (!hasOlder) return;
    const timer = setTimeout(() => setSeeking(0), SEEK_DELAY_MS);
    return () => clearTimeout(timer);
  }, [pattern]);
  const sought = useRef(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each page that was loaded
  useEffect(() => {
    if (seeking === null) {
      sought.current = -1;
      return;
    }
    if (isLoadingOlder) return;
    // A page that adds nothing has failed.
    if (places.length > seeking || !hasOlder || sought.current === rows.length) {
      setSeeking(null);
      select(places.length > seeking ? seeking : 0);
      return;
    }
    sought.current = rows.length;
    onOlder();
  }, [seeking, isLoadingOlder, hasOlder, rows.length]);

  // After each render, because the list renders other rows while it scrolls.
  useLayoutEffect(() => {
    const { current: box } = scroller;
    if (!box) return;
    if (pattern === null) return clearFound();
    const range = paintFound(box, pattern, place);
    if (range && isScrolling.current) isScrolling.current = !center(box, range);
  });

  return (
    <search
      className="find-bar"
      aria-label="Find in chat"
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        onClose();
        // The same key would answer a request.
        event.preventDefault();
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label="Find in chat"
        placeholder="Find in chat"
        value={query}
        onChange={event => setQuery(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          move(event.shiftKey ? -1 : 1);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status">{describe(pattern !== null, seeking !== null, at, places.length, hasOlder)}</span>
      <IconButton className="up" label="Older result" icon="down" onClick={() => move(1)} />
      <IconButton label="Newer result" icon="down" onClick={() => move(-1)} />
      <IconButton label="Close find" icon="close" onClick={onClose} />
    </search>
  );
}

/** Older messages are loaded once the user stops typing for this long. */
const SEEK_DELAY_MS = 400;

function describe(
  isAsked: boolean,
  isSeeking: boolean,
  at: number,
  count: number,
  hasOlder: boolean,
): string {
  if (!isAsked) return '';
  if (isSeeking) return 'Searching…';
  if (count === 0) return hasOlder ? '' : 'No results';
  return `${at + 1} of ${count}${hasOlder ? '+' : ''}`;
}

/** Spaces match all white space, because lines are broken elsewhere on the screen. */
function toPattern(query: string): RegExp | null {
  const words = query.trim().split(/\s+/);
  if (words[0] === '') return null;
  return new RegExp(words.map(word => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'), 'giu');
}

/** Returns the places in all rows, newest first. */
function findPlaces(rows: readonly Row[], pattern: RegExp): { index: number; nth: number }[] {
  const places = rows.flatMap((row, index) =>
    [...rowText(row).matchAll(pattern)].map((_, nth) => ({ index, nth })),
  );
  return places.reverse();
}

/** Scrolls a place into view. Returns true if it was already there, so that the list is at rest. */
function center(box: HTMLElement, range: Range): boolean {
  const frame = box.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= frame.top + BAR_HEIGHT && bottom <= frame.bottom) return true;
  box.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
  return false;
}

/** The bar covers this much of the top, pixels. */
const BAR_HEIGHT = 60;

const known = new WeakMap<Row, string>();

/** Returns the visible text of a row. */
function rowText(row: Row): string {
  const before = known.get(row);
  if (before !== undefined) return before;
  const { item, piece } = row;
  const text = piece
    ? [...piece.settled, ...piece.open].map(({ token }) => tokenText(token)).join('\n')
    : findItemLabels(item).text(item);
  known.set(row, text);
  return text;
}

function tokenText(token: Token): string {
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.map(tokenText).join('\n');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map(({ tokens }) => tokens.map(tokenText).join(''))
        .join('\n');
    }
    case 'br':
    case 'space':
      return '\n';
  }
  if ('tokens' in token && token.tokens) return token.tokens.map(tokenText).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
