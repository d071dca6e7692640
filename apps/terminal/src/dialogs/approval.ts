/**
 * Handles the keys of the approval dialog. Each decision has its own letter, in every dialog. The letter of a lasting
 * decision only selects it, and no option is selected at first, so neither Enter nor typing can approve for longer by
 * accident. Keys typed while the dialog appears are ignored.
 */
import {
  type Choice,
  DECISION_FACTS,
  type Decision,
  dialogOrder,
  factsOfDecision,
  isLasting,
  type Operation,
} from '@chat-kernel/client';
import { prefixWords, suggestedWords } from '@chat-kernel/protocol';
import type { Press } from '../editor/press.ts';
import { createEditor, type EditorState } from '../editor/state.ts';
import { moved } from './frame.ts';
import { pasteTextInput, reduceTextInput } from './text-input.ts';

/** An operation, with what its dialog shows of its place and its file. */
export interface ApprovalRequest extends Omit<Operation, 'chat_id'> {
  decisions: readonly string[];
  /** The directory in which a shell command runs and relative paths start. */
  workdir?: string | null;
  /** The current content of the file; null if it does not exist, absent if it can't be shown. */
  before?: string | null | undefined;
  /** Its content after the operation; absent if that is the content in `params`. */
  after?: string;
  /** Why it can't be shown, in one sentence. */
  unreadable?: string;
}
export interface ApprovalState {
  /** Index of the selected row. */
  readonly selected: number | null;
  /** The first line of the operation that is shown. */
  readonly scrolled: number;
  /** Number of words in the prefix of the command; null until it is changed. */
  readonly words: number | null;
  /** The feedback being typed; null if the field is closed. */
  readonly reason: EditorState | null;
  /** When the dialog appeared or last took a key for typing, in milliseconds. */
  readonly quiet_since: number;
}
interface ApprovalStep {
  readonly state: ApprovalState;
  readonly choice: Choice | null;
  /** The key belongs to the message that was being typed when the dialog appeared. */
  readonly early: boolean;
}
/** `tell`: deny with feedback. */
export type ApprovalRow = Decision | 'tell';

/** Milliseconds without a key before a key counts. */
export const QUIET_MS = 400;
/** Lines that a page key scrolls. */
const PAGE = 5;

export const openApproval = (now: number): ApprovalState => ({
  selected: null,
  scrolled: 0,
  words: null,
  reason: null,
  quiet_since: now,
});

/** The key for feedback. */
const TELL_KEY = 'f';

/** The decisions that this client knows. Feedback is possible if a denial is, and comes after it. */
export const buildApprovalRows = ({ decisions }: Pick<ApprovalRequest, 'decisions'>): ApprovalRow[] =>
  dialogOrder(decisions).flatMap((each): ApprovalRow[] => (each === 'deny' ? ['deny', 'tell'] : [each]));

export const keyOfRow = (row: ApprovalRow): string => (row === 'tell' ? TELL_KEY : DECISION_FACTS[row].key);

/** The selected prefix of the command: at least one word, and none after a quote. */
export function selectedPrefix({ params }: ApprovalRequest, { words }: ApprovalState): string {
  const command = String(params.command);
  return prefixWords(command)
    .slice(0, words ?? suggestedWords(command))
    .join(' ');
}

/** Handles a key. Ctrl-C always denies, Esc denies unless feedback is open. @param now same clock as `openApproval` */
export function reduceApproval(
  request: ApprovalRequest,
  state: ApprovalState,
  press: Press,
  now: number,
): ApprovalStep {
  const rows = buildApprovalRows(request);
  const stay = (changed: Partial<ApprovalState>): ApprovalStep => ({
    state: { ...state, ...changed },
    choice: null,
    early: false,
  });
  const decide = (choice: Choice): ApprovalStep => ({ state, choice, early: false });
  const take = (row: ApprovalRow | undefined): ApprovalStep => {
    if (row === undefined) return stay({});
    if (row === 'tell') return stay({ reason: createEditor() });
    const isPrefix = factsOfDecision(row)?.reach === 'prefix';
    return decide({ decision: row, ...(isPrefix && { prefix: selectedPrefix(request, state) }) });
  };
  if (press.ctrl && press.text === 'c') return decide({ decision: 'deny' });
  if (state.reason !== null) {
    const { words, sent } = reduceTextInput(state.reason, press);
    return sent === null ? stay({ reason: words }) : decide({ decision: 'deny', error: sent });
  }
  if (press.name === 'escape') return decide({ decision: 'deny' });
  if (now - state.quiet_since < QUIET_MS) {
    const selected = press.name === 'text' ? null : state.selected;
    return { ...stay({ quiet_since: now, selected }), early: true };
  }
  switch (press.name) {
    case 'up':
    case 'down':
      return stay({ selected: moved(state.selected, press.name === 'up' ? -1 : 1, rows.length) });
    case 'pageup':
      return stay({ scrolled: Math.max(0, state.scrolled - PAGE) });
    case 'pagedown':
      return stay({ scrolled: state.scrolled + PAGE });
    case 'left':
    case 'right': {
      const command = String(request.params.command);
      const most = prefixWords(command).length;
      const words = (state.words ?? suggestedWords(command)) + (press.name === 'left' ? -1 : 1);
      return stay({ words: Math.max(1, Math.min(most, words)) });
    }
    case 'enter':
      return take(state.selected === null ? undefined : rows[state.selected]);
    case 'text': {
      if (press.ctrl || press.alt || press.text === ' ') return stay({});
      // `1` as in other programs. No other digit decides: the place of a row may depend on the request.
      const letter = press.text === '1' ? DECISION_FACTS.allow.key : press.text;
      const index = rows.findIndex(row => keyOfRow(row) === letter);
      const row = rows[index];
      // Any other letter belongs to a message that is being typed, and the next one may as well.
      if (row === undefined) return { ...stay({ quiet_since: now, selected: null }), early: true };
      return isLasting(row) ? stay({ selected: index, quiet_since: now }) : take(row);
    }
    default:
      return stay({});
  }
}

/** Handles pasted text, which never decides: it belongs to the feedback or to the message being typed. */
export function pasteIntoApproval(state: ApprovalState, text: string, now: number): ApprovalStep {
  if (state.reason !== null)
    return { state: { ...state, reason: pasteTextInput(state.reason, text) }, choice: null, early: false };
  const early = now - state.quiet_since < QUIET_MS;
  return { state: { ...state, ...(early && { quiet_since: now }) }, choice: null, early };
}
