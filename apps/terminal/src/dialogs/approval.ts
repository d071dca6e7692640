/**
 * The owner is asked whether an operation may run on this machine. Nothing is selected beforehand, so Enter alone
 * never allows; and what somebody was typing while the question appeared is no answer to it.
 */
import type { Press } from '../editor/press.ts';
import { callSummary } from '../items/call-summary.ts';
import { changeOf, diffLines } from '../items/file-diff.ts';
import { type Line, line, span } from '../text/line.ts';
import { linesOf } from '../text/safe.ts';
import { fit, wrapAnywhere } from '../text/wrap.ts';
import { digit, framed, moved, optionLines } from './frame.ts';

export interface ApprovalRequest {
  op_id: string;
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** As the kernel gave them; those that are not known are skipped. */
  decisions: readonly string[];
  /** The sub-agent that asks. */
  agent?: string;
  /** Where a shell command runs and relative paths start. */
  workdir?: string | null;
  /** What the file holds that is to be written; null where there is none. */
  before?: string | null;
}
export interface ApprovalState {
  readonly selected: number | null;
  /** First line of the operation that is shown. */
  readonly scrolled: number;
  /** When the dialog appeared, or the last key came that it took for typing. */
  readonly quiet_since: number;
}
export interface ApprovalStep {
  readonly state: ApprovalState;
  readonly decision: string | null;
  /** The key belongs to what was being typed when the dialog appeared. */
  readonly early: boolean;
}

/** Milliseconds without a key before one counts. */
export const QUIET_MS = 400;

const LABELS: Record<string, string> = {
  allow: 'Allow once',
  allow_session: 'Allow until the kernel stops',
  allow_always: 'Always allow in this chat',
  deny: 'Deny',
};
const LABELS_OF_SHELL: Record<string, string> = {
  allow_session: 'Allow exactly this command until the kernel stops',
  allow_always: 'Always allow exactly this command in this chat',
};

export const openApproval = (now: number): ApprovalState => ({
  selected: null,
  scrolled: 0,
  quiet_since: now,
});
export const knownDecisions = (decisions: readonly string[]): string[] =>
  decisions.filter(each => Object.hasOwn(LABELS, each));

/** Esc and ctrl-c are deny at any time. @param now of the same clock as `openApproval` */
export function stepApproval(
  state: ApprovalState,
  press: Press,
  decisions: readonly string[],
  now: number,
): ApprovalStep {
  const known = knownDecisions(decisions);
  const stay = (changed: Partial<ApprovalState>): ApprovalStep => ({
    state: { ...state, ...changed },
    decision: null,
    early: false,
  });
  if (press.name === 'escape' || (press.ctrl && press.text === 'c')) {
    return { state, decision: 'deny', early: false };
  }
  if (now - state.quiet_since < QUIET_MS) return { ...stay({ quiet_since: now }), early: true };
  switch (press.name) {
    case 'up':
    case 'down':
      return stay({ selected: moved(state.selected, press.name === 'up' ? -1 : 1, known.length) });
    case 'pageup':
      return stay({ scrolled: Math.max(0, state.scrolled - PAGE) });
    case 'pagedown':
      return stay({ scrolled: state.scrolled + PAGE });
    case 'enter':
      return { state, decision: state.selected === null ? null : known[state.selected]!, early: false };
    case 'text': {
      const index = press.ctrl || press.alt ? null : digit(press.text, known.length);
      return { state, decision: index === null ? null : known[index]!, early: false };
    }
    default:
      return stay({});
  }
}

const PAGE = 5;

export function approvalLines(
  request: ApprovalRequest,
  state: ApprovalState,
  size: { width: number; rows: number },
): Line[] {
  const { action, agent, workdir } = request;
  const options = knownDecisions(request.decisions).map(each => ({
    label: (action === 'shell' ? LABELS_OF_SHELL[each] : undefined) ?? LABELS[each]!,
  }));
  const choices = optionLines(options, state.selected, size.width);
  const who = agent === undefined ? 'The model' : `Sub-agent ${agent}`;
  const where = workdir ? [fit(line(`in ${workdir}`, { dim: true }), size.width)] : [];
  const room = Math.max(1, size.rows - 2 - where.length - choices.length);
  const body = [...where, ...part(operationLines(request, size.width), state.scrolled, room), ...choices];
  const title = `${who} asks to ${VERBS[action] ?? action} on this machine`;
  return framed(title, body, 'a number, or ↑↓ and Enter · Esc denies', size, 'yellow');
}

const VERBS: Record<string, string> = {
  shell: 'run a command',
  read: 'read a file',
  write: 'write a file',
  read_bytes: 'read bytes of a file',
  write_bytes: 'write bytes of a file',
  find_bytes: 'search in a file',
};

/** The clock redraws an open dialog: the operation in it is laid out once for each width. */
const laidOut = new WeakMap<ApprovalRequest, { width: number; lines: Line[] }>();

function operationLines(request: ApprovalRequest, width: number): Line[] {
  const known = laidOut.get(request);
  if (known?.width === width) return known.lines;
  const lines = layOut(request, width);
  laidOut.set(request, { width, lines });
  return lines;
}

function layOut({ action, params, before }: ApprovalRequest, width: number): Line[] {
  if (action === 'shell' && typeof params.command === 'string') {
    return linesOf(params.command).flatMap((each, index) =>
      wrapAnywhere([span(index === 0 ? '$ ' : '  ', { dim: true }), span(each, { bold: true })], width),
    );
  }
  const change = changeOf(action, params);
  if (change !== null) return diffLines({ ...change, before: before ?? null }, width, null);
  const summary = callSummary(action, params);
  return linesOf(summary).flatMap(each => wrapAnywhere(line(each, { bold: true }), width));
}

/** What is not shown is said, for nobody should allow what was not seen. */
function part(lines: readonly Line[], scrolled: number, room: number): Line[] {
  if (lines.length <= room) return [...lines];
  const visible = Math.max(1, room - 1);
  const from = Math.min(scrolled, lines.length - visible);
  const note = `${from + 1}–${from + visible} of ${lines.length} lines · PgUp PgDn show the others`;
  return [...lines.slice(from, from + visible), line(note, { colour: 'yellow', bold: true })];
}
