/**
 * The question to the owner whether an operation may run: its keys. Nothing is selected beforehand, so that Enter alone
 * never allows; and keys that were typed while the dialog appeared are no answer to it.
 */
import { type Choice, DECISIONS, type Decision, type Operation } from '@chat-kernel/client';
import { prefixWords } from '@chat-kernel/protocol';
import type { Press } from '../editor/press.ts';
import { createEditor, type EditorState } from '../editor/state.ts';
import { digit, moved } from './frame.ts';
import { pasteWords, stepWords } from './words.ts';

export interface ApprovalRequest {
  op_id: string;
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** The kernel's offers; unknown ones are skipped. */
  decisions: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
  /** The kernel would do it on its own machine. */
  on_kernel?: boolean;
  /** The machine that stands by and would do it. */
  machine?: string;
  /** What holds it there to the working directory; older kernels do not say. */
  sandbox?: Operation['sandbox'];
  /** The directory in which a shell command runs and relative paths start. */
  workdir?: string | null;
  /** The present content of the file to be written; null where there is none, absent where it can't be shown. */
  before?: string | null | undefined;
}
export interface ApprovalState {
  /** The index of a row. */
  readonly selected: number | null;
  /** The first line of the operation that is shown. */
  readonly scrolled: number;
  /** How many words a prefix of the command has. */
  readonly words: number;
  /** What is said with the no; null while nothing is being written. */
  readonly reason: EditorState | null;
  /** When the dialog appeared, or took the last key for typing; milliseconds. */
  readonly quiet_since: number;
}
interface ApprovalStep {
  readonly state: ApprovalState;
  readonly choice: Choice | null;
  /** The key belongs to what was being typed when the dialog appeared. */
  readonly early: boolean;
}
/** `tell`: a no with the owner's own words. */
export type ApprovalRow = Decision | 'tell';

/** Milliseconds without a key before a key counts. */
export const QUIET_MS = 400;
/** Lines that a page key scrolls. */
const PAGE = 5;

export const openApproval = (now: number): ApprovalState => ({
  selected: null,
  scrolled: 0,
  words: 2,
  reason: null,
  quiet_since: now,
});

/** The answers that this client knows, in the kernel's order; whoever may say no may say why, too. */
export const rowsOf = ({ decisions }: Pick<ApprovalRequest, 'decisions'>): ApprovalRow[] => {
  const known = decisions.filter((each): each is Decision => DECISIONS.some(decision => decision === each));
  return known.includes('deny') ? [...known, 'tell'] : known;
};

/** The words that the owner has picked for allow_prefix: at least one, and none behind a quote. */
export function prefixOf({ params }: ApprovalRequest, { words }: ApprovalState): string {
  return prefixWords(String(params.command)).slice(0, words).join(' ');
}

/** Takes a key; Esc and ctrl-c deny at any time, but for Esc while words are typed. @param now milliseconds of the clock that `openApproval` got */
export function stepApproval(
  request: ApprovalRequest,
  state: ApprovalState,
  press: Press,
  now: number,
): ApprovalStep {
  const rows = rowsOf(request);
  const stay = (changed: Partial<ApprovalState>): ApprovalStep => ({
    state: { ...state, ...changed },
    choice: null,
    early: false,
  });
  const decide = (choice: Choice): ApprovalStep => ({ state, choice, early: false });
  const take = (row: ApprovalRow | undefined): ApprovalStep => {
    if (row === undefined) return stay({});
    if (row === 'tell') return stay({ reason: createEditor() });
    return decide(
      row === 'allow_prefix' ? { decision: row, prefix: prefixOf(request, state) } : { decision: row },
    );
  };
  if (press.ctrl && press.text === 'c') return decide({ decision: 'deny' });
  if (state.reason !== null) {
    const { words, sent } = stepWords(state.reason, press);
    return sent === null ? stay({ reason: words }) : decide({ decision: 'deny', error: sent });
  }
  if (press.name === 'escape') return decide({ decision: 'deny' });
  if (now - state.quiet_since < QUIET_MS) return { ...stay({ quiet_since: now }), early: true };
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
      const most = prefixWords(String(request.params.command)).length;
      const words = Math.min(state.words, most) + (press.name === 'left' ? -1 : 1);
      return stay({ words: Math.max(1, Math.min(most, words)) });
    }
    case 'enter':
      return take(state.selected === null ? undefined : rows[state.selected]);
    case 'text': {
      if (press.ctrl || press.alt || press.text === ' ') return stay({});
      const index = digit(press.text, rows.length);
      // A letter belongs to a message that is being typed, and the next digit may, too.
      if (index === null) return { ...stay({ quiet_since: now }), early: true };
      return take(rows[index]);
    }
    default:
      return stay({});
  }
}

/** Takes pasted text, which decides nothing: it belongs to the words, or to what was being typed. */
export function pasteIntoApproval(state: ApprovalState, text: string, now: number): ApprovalStep {
  if (state.reason !== null)
    return { state: { ...state, reason: pasteWords(state.reason, text) }, choice: null, early: false };
  const early = now - state.quiet_since < QUIET_MS;
  return { state: { ...state, ...(early && { quiet_since: now }) }, choice: null, early };
}
