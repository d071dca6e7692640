/** A list that filters while the user types. Irreversible choices need a confirmation. */
import type { Press } from '../editor/press.ts';
import { BLANK, graphemes, type Line, line, span } from '../text/line.ts';
import { fit, wrapWords } from '../text/wrap.ts';
import { type DialogSize, framed, moved } from './frame.ts';

export interface PickerEntry {
  id: string;
  label: string;
  detail?: string;
  /** Whether this is the current setting. */
  current?: boolean;
}
export interface PickerRequest {
  /** Distinguishes one picker from the next. */
  id: string;
  title: string;
  entries: readonly PickerEntry[];
  /** The entries are search results of the kernel, so they are not filtered again. */
  searched?: boolean;
  /** Returns the question to confirm with `y`. */
  confirm?: (entry: PickerEntry) => string;
  /** The text for an empty list. */
  empty?: string;
}
interface PickerState {
  readonly query: string;
  readonly selected: number;
  readonly confirming: PickerEntry | null;
}
interface PickerStep {
  readonly state: PickerState;
  readonly picked: PickerEntry | null;
  readonly closed: boolean;
}

export function openPicker({ entries }: PickerRequest): PickerState {
  return {
    query: '',
    selected: Math.max(
      0,
      entries.findIndex(each => each.current),
    ),
    confirming: null,
  };
}

/** Returns the entries that contain every term in the query. */
export function matching({ entries, searched }: PickerRequest, query: string): readonly PickerEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(each => each !== '');
  if (searched || words.length === 0) return entries;
  return entries.filter(({ label, detail, id }) => {
    const text = `${label} ${detail ?? ''} ${id}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}

export function reducePicker(request: PickerRequest, state: PickerState, press: Press): PickerStep {
  const stay = (changed: Partial<PickerState>): PickerStep => ({
    state: { ...state, ...changed },
    picked: null,
    closed: false,
  });
  if (state.confirming !== null) {
    if (press.name === 'text' && press.text.toLowerCase() === 'y') {
      return { state, picked: state.confirming, closed: false };
    }
    return press.name === 'escape' || press.text.toLowerCase() === 'n'
      ? stay({ confirming: null })
      : stay({});
  }
  const entries = matching(request, state.query);
  const search = (query: string): PickerStep => stay({ query, selected: 0 });
  switch (press.name) {
    case 'escape':
      return { state, picked: null, closed: true };
    case 'up':
    case 'down':
      return stay({ selected: moved(state.selected, press.name === 'up' ? -1 : 1, entries.length) ?? 0 });
    case 'pageup':
      return stay({ selected: Math.max(0, state.selected - PAGE) });
    case 'pagedown':
      return stay({ selected: Math.max(0, Math.min(entries.length - 1, state.selected + PAGE)) });
    case 'backspace':
      return search(graphemes(state.query).slice(0, -1).join(''));
    case 'enter': {
      const entry = entries[state.selected];
      if (entry === undefined) return stay({});
      return request.confirm ? stay({ confirming: entry }) : { state, picked: entry, closed: false };
    }
    case 'text':
      if (press.ctrl && press.text === 'c') return { state, picked: null, closed: true };
      return press.ctrl || press.alt ? stay({}) : search(state.query + press.text);
    default:
      return stay({});
  }
}

const PAGE = 10;

export function pickerLines(request: PickerRequest, state: PickerState, size: DialogSize): Line[] {
  if (state.confirming !== null) {
    const question = request.confirm!(state.confirming);
    const body = [
      fit(line(state.confirming.label), size.width),
      ...wrapWords(line(question, { bold: true, colour: 'yellow' }), size.width),
    ];
    return framed(request.title, body, 'y confirm · Esc back', size, 'yellow');
  }
  const entries = matching(request, state.query);
  const room = Math.max(1, size.rows - 3);
  const from = Math.max(0, Math.min(state.selected - (room >> 1), entries.length - room));
  const search: Line = [span('search: ', { dim: true }), span(state.query), span(' ', { inverse: true })];
  const rows = entries
    .slice(from, from + room)
    .map((entry, index) => entryLine(entry, from + index === state.selected));
  const shown = rows.length > 0 ? rows : [line(request.empty ?? 'no results', { dim: true })];
  const keys = `${entries.length} · ↑↓ Enter · Esc close`;
  return framed(
    request.title,
    [search, ...shown].map(each => fit(each, size.width)),
    keys,
    size,
  );
}

const entryLine = ({ label, detail, current }: PickerEntry, selected: boolean): Line => [
  span(selected ? '› ' : '  ', { colour: 'cyan' }),
  span(label, selected ? { bold: true, colour: 'cyan' } : {}),
  ...(current ? [span(' ✓', { colour: 'green' })] : BLANK),
  ...(detail ? [span(`  ${detail}`, { dim: true })] : BLANK),
];
