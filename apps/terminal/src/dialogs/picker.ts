/** One of many, found as one types: models, efforts, chats, messages; where it can't be undone, with a second question. */
import type { Press } from '../editor/press.ts';
import { BLANK, graphemes, type Line, line, span } from '../text/line.ts';
import { fit } from '../text/wrap.ts';
import { framed, moved } from './frame.ts';

export interface Pick {
  id: string;
  label: string;
  detail?: string;
  /** It is what is set now. */
  current?: boolean;
}
export interface PickerRequest {
  /** Tells one picker from the next. */
  id: string;
  title: string;
  picks: readonly Pick[];
  /** The picks are what a search elsewhere found: they are not filtered here. */
  searched?: boolean;
  /** What is asked before the choice counts; absent: nothing. */
  confirm?: (pick: Pick) => string;
  /** What stands there while there is nothing to choose. */
  empty?: string;
}
export interface PickerState {
  readonly query: string;
  readonly selected: number;
  readonly confirming: Pick | null;
}
export interface PickerStep {
  readonly state: PickerState;
  readonly picked: Pick | null;
  readonly closed: boolean;
}

export function openPicker({ picks }: PickerRequest): PickerState {
  return {
    query: '',
    selected: Math.max(
      0,
      picks.findIndex(each => each.current),
    ),
    confirming: null,
  };
}

/** Those that hold every word of the query. */
export function found({ picks, searched }: PickerRequest, query: string): readonly Pick[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(each => each !== '');
  if (searched || words.length === 0) return picks;
  return picks.filter(({ label, detail, id }) => {
    const text = `${label} ${detail ?? ''} ${id}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}

export function stepPicker(request: PickerRequest, state: PickerState, press: Press): PickerStep {
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
  const picks = found(request, state.query);
  const search = (query: string): PickerStep => stay({ query, selected: 0 });
  switch (press.name) {
    case 'escape':
      return { state, picked: null, closed: true };
    case 'up':
    case 'down':
      return stay({ selected: moved(state.selected, press.name === 'up' ? -1 : 1, picks.length) ?? 0 });
    case 'pageup':
      return stay({ selected: Math.max(0, state.selected - PAGE) });
    case 'pagedown':
      return stay({ selected: Math.max(0, Math.min(picks.length - 1, state.selected + PAGE)) });
    case 'backspace':
      return search(graphemes(state.query).slice(0, -1).join(''));
    case 'enter': {
      const pick = picks[state.selected];
      if (pick === undefined) return stay({});
      return request.confirm ? stay({ confirming: pick }) : { state, picked: pick, closed: false };
    }
    case 'text':
      if (press.ctrl && press.text === 'c') return { state, picked: null, closed: true };
      return press.ctrl || press.alt ? stay({}) : search(state.query + press.text);
    default:
      return stay({});
  }
}

const PAGE = 10;

export function pickerLines(
  request: PickerRequest,
  state: PickerState,
  size: { width: number; rows: number },
): Line[] {
  if (state.confirming !== null) {
    const asked = request.confirm!(state.confirming);
    const body = [
      fit(line(state.confirming.label), size.width),
      fit(line(asked, { bold: true, colour: 'yellow' }), size.width),
    ];
    return framed(request.title, body, 'y does it · Esc goes back', size, 'yellow');
  }
  const picks = found(request, state.query);
  const room = Math.max(1, size.rows - 3);
  const from = Math.max(0, Math.min(state.selected - (room >> 1), picks.length - room));
  const search: Line = [span('search: ', { dim: true }), span(state.query), span(' ', { inverse: true })];
  const rows = picks
    .slice(from, from + room)
    .map((pick, index) => pickLine(pick, from + index === state.selected));
  const shown = rows.length > 0 ? rows : [line(request.empty ?? 'nothing found', { dim: true })];
  const keys = `${picks.length} · ↑↓ Enter · Esc closes`;
  return framed(
    request.title,
    [search, ...shown].map(each => fit(each, size.width)),
    keys,
    size,
  );
}

const pickLine = ({ label, detail, current }: Pick, selected: boolean): Line => [
  span(selected ? '› ' : '  ', { colour: 'cyan' }),
  span(label, selected ? { bold: true, colour: 'cyan' } : {}),
  ...(current ? [span(' ✓', { colour: 'green' })] : BLANK),
  ...(detail ? [span(`  ${detail}`, { dim: true })] : BLANK),
];
