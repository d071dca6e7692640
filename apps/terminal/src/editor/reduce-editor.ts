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
  if (press.name === 'text' && press.alt) return to(meta(state, press.text));
  const { text, cursor } = state;
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
  switch (letter) {
    case 'a':
      return to(moveTo(state, lineStart(text, cursor)));
    case 'e':
      return to(moveTo(state, lineEnd(text, cursor)));
    case 'b':
      return to(moveTo(state, before(text, cursor)));
    case 'f':
      return to(moveTo(state, after(text, cursor)));
    case 'p':
      return to(recall(state, -1));
    case 'n':
      return to(recall(state, 1));
    case 'k': {
      // At the end of a line, ctrl-k cuts the newline.
      const end = lineEnd(text, cursor);
      return to(kill(state, cursor, end === cursor ? after(text, cursor) : end));
    }
    case 'u':
      return to(kill(state, lineStart(text, cursor), cursor));
    case 'w':
      return to(kill(state, spaceBefore(text, cursor), cursor));
    case 'y':
      return to(replaceRange(state, cursor, cursor, state.killed));
    case '_':
      return to(undo(state));
    case 'z':
      return { state, action: 'suspend' };
    case 's':
      return { state, action: 'steer' };
    case 'r':
      return { state, action: 'history' };
    case 'g':
      return { state, action: 'editor' };
    case 'h':
      return to(replaceRange(state, before(text, cursor), cursor, ''));
    case 'd':
      return text === ''
        ? { state, action: 'exit' }
        : to(replaceRange(state, cursor, after(text, cursor), ''));
    case 'c':
      return { state, action: 'interrupt' };
    case 'o':
      return { state, action: 'expand' };
    case 'l':
      return { state, action: 'redraw' };
    case 'v':
      return { state, action: 'paste_image' };
    default:
      return to(state);
  }
}

function meta(state: EditorState, letter: string): EditorState {
  const { text, cursor } = state;
  switch (letter) {
    case 'b':
      return moveTo(state, wordBefore(text, cursor));
    case 'f':
      return moveTo(state, wordAfter(text, cursor));
    case 'd':
      return kill(state, cursor, wordAfter(text, cursor));
    default:
      return state;
  }
}
