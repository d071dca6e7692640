/** Reduces a key press to the next state of the input, and to an action for the app. */
import { kill, moveTo, recall, replaceRange, type as typed, undo } from './change.ts';
import { vertical } from './layout.ts';
import { after, before, lineEnd, lineStart, spaceBefore, wordAfter, wordBefore } from './motion.ts';
import type { Press } from './press.ts';
import type { EditorState } from './state.ts';

/**
 * `submit`: Enter. `escape`, `interrupt` (ctrl-c), `exit` (ctrl-d in an empty input), `expand` (ctrl-o),
 * `redraw` (ctrl-l), `paste_image` (ctrl-v: the app reads the clipboard), `steer` (ctrl-s), `help` (? in an empty
 * input), `mode` (shift-tab), `history` (ctrl-r), `editor` (ctrl-g), `suspend` (ctrl-z).
 */
export type EditorAction =
  | 'submit'
  | 'escape'
  | 'interrupt'
  | 'exit'
  | 'expand'
  | 'redraw'
  | 'paste_image'
  | 'steer'
  | OwnerAction;
export type OwnerAction = 'help' | 'mode' | 'history' | 'editor' | 'suspend';
interface EditorStep {
  readonly state: EditorState;
  readonly action: EditorAction | null;
}

/** @param width columns of the text, because up and down move by rows on the screen */
export function reduceEditor(state: EditorState, press: Press, width: number): EditorStep {
  if (press.name === 'text' && press.ctrl) return control(state, press.text);
  const { text, cursor } = state;
  if (press.name === 'text' && press.alt) return to(META[press.text]?.(state, text, cursor) ?? state);
  const byWord = press.alt || press.ctrl;
  switch (press.name) {
    case 'text':
      return text === '' && press.text === '?' ? { state, action: 'help' } : to(typed(state, press.text));
    case 'newline':
      return to(replaceRange(state, cursor, cursor, '\n'));
    case 'enter':
      return text[cursor - 1] === '\\'
        ? to(replaceRange(state, cursor - 1, cursor, '\n'))
        : { state, action: 'submit' };
    case 'escape':
      return { state, action: 'escape' };
    case 'tab':
      return press.shift ? { state, action: 'mode' } : to(state);
    case 'backspace':
      return to(
        byWord
          ? kill(state, wordBefore(text, cursor), cursor)
          : replaceRange(state, before(text, cursor), cursor, ''),
      );
    case 'delete':
      return to(
        byWord
          ? kill(state, cursor, wordAfter(text, cursor))
          : replaceRange(state, cursor, after(text, cursor), ''),
      );
    case 'left':
      return to(moveTo(state, byWord ? wordBefore(text, cursor) : before(text, cursor)));
    case 'right':
      return to(moveTo(state, byWord ? wordAfter(text, cursor) : after(text, cursor)));
    case 'home':
      return to(moveTo(state, press.ctrl ? 0 : lineStart(text, cursor)));
    case 'end':
      return to(moveTo(state, press.ctrl ? text.length : lineEnd(text, cursor)));
    case 'pageup':
      return to(moveTo(state, 0));
    case 'pagedown':
      return to(moveTo(state, text.length));
    case 'up':
      return to(upOrDown(state, width, -1));
    case 'down':
      return to(upOrDown(state, width, 1));
  }
}

const to = (state: EditorState): EditorStep => ({ state, action: null });

function upOrDown(state: EditorState, width: number, step: -1 | 1): EditorState {
  const position = vertical(state, width, step);
  return position === null ? recall(state, step) : moveTo(state, position);
}

function control(state: EditorState, letter: string): EditorStep {
  const { text, cursor } = state;
  if (letter === 'd' && text === '') return { state, action: 'exit' };
  const action = ACTIONS[letter];
  return action ? { state, action } : to(CONTROL[letter]?.(state, text, cursor) ?? state);
}

const ACTIONS: Readonly<Record<string, EditorAction>> = {
  c: 'interrupt',
  g: 'editor',
  l: 'redraw',
  o: 'expand',
  r: 'history',
  s: 'steer',
  v: 'paste_image',
  z: 'suspend',
};

type Edit = (state: EditorState, text: string, cursor: number) => EditorState;

const CONTROL: Readonly<Record<string, Edit>> = {
  a: (state, text, cursor) => moveTo(state, lineStart(text, cursor)),
  b: (state, text, cursor) => moveTo(state, before(text, cursor)),
  d: (state, text, cursor) => replaceRange(state, cursor, after(text, cursor), ''),
  e: (state, text, cursor) => moveTo(state, lineEnd(text, cursor)),
  f: (state, text, cursor) => moveTo(state, after(text, cursor)),
  h: (state, text, cursor) => replaceRange(state, before(text, cursor), cursor, ''),
  k(state, text, cursor) {
    // At the end of a line, ctrl-k cuts the newline.
    const end = lineEnd(text, cursor);
    return kill(state, cursor, end === cursor ? after(text, cursor) : end);
  },
  n: state => recall(state, 1),
  p: state => recall(state, -1),
  u: (state, text, cursor) => kill(state, lineStart(text, cursor), cursor),
  w: (state, text, cursor) => kill(state, spaceBefore(text, cursor), cursor),
  y: (state, _, cursor) => replaceRange(state, cursor, cursor, state.killed),
  _: state => undo(state),
};

const META: Readonly<Record<string, Edit>> = {
  b: (state, text, cursor) => moveTo(state, wordBefore(text, cursor)),
  d: (state, text, cursor) => kill(state, cursor, wordAfter(text, cursor)),
  f: (state, text, cursor) => moveTo(state, wordAfter(text, cursor)),
};
