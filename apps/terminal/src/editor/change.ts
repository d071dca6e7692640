/** Changes to the input. All except cursor moves can be undone. */
import { snapped } from './motion.ts';
import { type Chip, cleaned, type EditorState, nextChip } from './state.ts';

const MAX_UNDO = 200;

export const moveTo = (state: EditorState, cursor: number): EditorState => ({
  ...state,
  cursor: snapped(state.text, cursor),
  typing: false,
});

/** Replaces a range of the text. @param typing the text is a letter of a word, and undone with its neighbours */
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
  return { ...state, text, cursor: snapped(text, from + inserted.length), undo, typing, recalled: null };
}

export function type(state: EditorState, text: string): EditorState {
  const fresh = cleaned(text);
  return replaceRange(state, state.cursor, state.cursor, fresh, !/\s/.test(fresh));
}

/** Cuts a range, for ctrl-y. */
export function kill(state: EditorState, from: number, to: number): EditorState {
  if (from === to) return state;
  return { ...replaceRange(state, from, to, ''), killed: state.text.slice(from, to) };
}

export function undo(state: EditorState): EditorState {
  const last = state.undo.at(-1);
  if (last === undefined) return state;
  return { ...state, ...last, undo: state.undo.slice(0, -1), typing: false, recalled: null };
}

/** Inserts a paste, an image or a file as a single character of the text. */
export function attach(state: EditorState, chip: Chip): EditorState {
  const changed = replaceRange(state, state.cursor, state.cursor, nextChip(state));
  return { ...changed, chips: [...state.chips, chip] };
}

/** Moves one entry through the history, -1 for older. After the newest entry, restores the draft. */
export function recall(state: EditorState, step: -1 | 1): EditorState {
  const { history, recalled } = state;
  const next = (recalled ?? history.length) + step;
  if (next < 0 || next > history.length || (recalled === null && step > 0)) return state;
  const draft = recalled === null ? state.text : state.draft;
  const text = next === history.length ? draft : history[next]!;
  const index = next === history.length ? null : next;
  return { ...state, text, cursor: text.length, recalled: index, draft, typing: false };
}
