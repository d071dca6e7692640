/** Changes of the input; each but a move can be undone. */
import { snapped } from './motion.ts';
import { type Chip, cleaned, type EditorState, nextChip } from './state.ts';

const MAX_UNDO = 200;

export const moveTo = (state: EditorState, cursor: number): EditorState => ({
  ...state,
  cursor: snapped(state.text, cursor),
  typing: false,
});

/** Puts text in place of a range. @param typing it is a letter of a word, and undone with its neighbours */
export function replaceRange(
  state: EditorState,
  from: number,
  to: number,
  inserted: string,
  typing = false,
): EditorState {
  if (from === to && inserted === '') return state;
  const text = state.text.slice(0, from) + inserted + state.text.slice(to);
  const { text: old, cursor } = state;
  const undo = typing && state.typing ? state.undo : [...state.undo, { text: old, cursor }].slice(-MAX_UNDO);
  return { ...state, text, cursor: snapped(text, from + inserted.length), undo, typing, at: null };
}

export function type(state: EditorState, text: string): EditorState {
  const fresh = cleaned(text);
  return replaceRange(state, state.cursor, state.cursor, fresh, !/\s/.test(fresh));
}

/** Takes a range out and keeps it for ctrl-y. */
export function kill(state: EditorState, from: number, to: number): EditorState {
  if (from === to) return state;
  return { ...replaceRange(state, from, to, ''), killed: state.text.slice(from, to) };
}

export function undo(state: EditorState): EditorState {
  const last = state.undo.at(-1);
  if (last === undefined) return state;
  return { ...state, ...last, undo: state.undo.slice(0, -1), typing: false, at: null };
}

/** Puts a paste, an image or a file into the text, shown as one character. */
export function attach(state: EditorState, chip: Chip): EditorState {
  const placed = replaceRange(state, state.cursor, state.cursor, nextChip(state));
  return { ...placed, chips: [...state.chips, chip] };
}

/** One step into the history, -1 for older; leaving it at its young end brings the draft back. */
export function recall(state: EditorState, step: -1 | 1): EditorState {
  const { history, at } = state;
  const next = (at ?? history.length) + step;
  if (next < 0 || next > history.length || (at === null && step > 0)) return state;
  const draft = at === null ? state.text : state.draft;
  const text = next === history.length ? draft : history[next]!;
  const place = next === history.length ? null : next;
  return { ...state, text, cursor: text.length, at: place, draft, typing: false };
}
