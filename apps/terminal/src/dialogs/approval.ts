/**
 * The owner is asked whether an operation may run on this machine. Nothing is selected beforehand, so Enter alone
 * never allows; and what somebody was typing while the question appeared is no answer to it.
 */
import type { Press } from '../editor/press.ts';
import { changeOf, diffLines } from '../items/file-diff.ts';
import { type Line, line, lineText, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { fit, wrapAnywhere, wrapWords } from '../text/wrap.ts';
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
  /** What the file holds that is to be written; null where there is none, absent where it can't be shown. */
  before?: string | null | undefined;
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
      if (press.ctrl || press.alt || press.text === ' ') return stay({});
      const index = digit(press.text, known.length);
      // Whoever types a letter goes on with a message: the next number may belong to it.
      if (index === null) return { ...stay({ quiet_since: now }), early: true };
      return { state, decision: known[index]!, early: false };
    }
    default:
      return stay({});
  }
}

const PAGE = 5;

export function approvalLines(request: ApprovalRequest, state: ApprovalState, size: Size): Line[] {
  const { action, agent } = request;
  const who = agent === undefined ? 'The model' : `Sub-agent ${lineText(fit(line(agent), NAME_WIDTH))}`;
  const title = `${who} asks to ${VERBS[action] ?? action} on this machine`;
  const { where, operation, choices, room } = shared(request, state.selected, size);
  const body = isReadable(request, size)
    ? [...where, ...part(operation, state.scrolled, room), ...choices]
    : [line('Too little room to show it: make the window larger.', { colour: 'yellow' })];
  return framed(title, body, 'a number, or ↑↓ and Enter · Esc denies', size, 'yellow');
}

/** A longer name, which the model chose, could say the rest of the title in other words. */
const NAME_WIDTH = 20;

/** Whether the operation can be read, and what can be said to it: nobody should allow what is not shown. */
export function isReadable(request: ApprovalRequest, size: Size): boolean {
  const { operation, room } = shared(request, null, size);
  return room >= Math.min(operation.length, LEAST_ROWS);
}

interface Size {
  width: number;
  rows: number;
}

/** One line of the operation, and the note that there are more. */
const LEAST_ROWS = 2;
/** Fewer rows than these for a long operation are too few where the choices can take less. */
const FEW_ROWS = 4;

/** How the rows are shared: where there are few, the choices stand side by side, and the place is scrolled too. */
function shared(request: ApprovalRequest, selected: number | null, size: Size) {
  const lines = operationLines(request, size.width);
  const where = whereLines(request, size.width);
  const known = knownDecisions(request.decisions);
  const labels = known.map(each => ({
    label: (request.action === 'shell' ? LABELS_OF_SHELL[each] : undefined) ?? LABELS[each]!,
  }));
  const choices = optionLines(labels, selected, size.width);
  const room = size.rows - FRAME_ROWS - where.length - choices.length;
  if (where.length <= 1 && room >= Math.min(lines.length, FEW_ROWS)) {
    return { where, operation: lines, choices, room };
  }
  const operation = [...where, ...lines];
  const roomBelow = size.rows - FRAME_ROWS - choices.length;
  if (roomBelow >= Math.min(operation.length, FEW_ROWS)) {
    return { where: [], operation, choices, room: roomBelow };
  }
  const short = shortChoices(known, selected, size.width);
  return { where: [], operation, choices: short, room: size.rows - FRAME_ROWS - short.length };
}

/** The title, and the line about the keys. */
const FRAME_ROWS = 2;

const whereLines = ({ workdir }: ApprovalRequest, width: number): Line[] =>
  workdir ? wrapAnywhere(line(`in ${exact(workdir)}`, { dim: true }), width) : [];

const SHORT_LABELS: Record<string, string> = {
  allow: 'once',
  allow_session: 'until it stops',
  allow_always: 'always',
  deny: 'deny',
};

/** A choice is never broken between two lines. */
function shortChoices(known: readonly string[], selected: number | null, width: number): Line[] {
  const spans = known.map((each, index) =>
    span(
      `${index === selected ? '›' : ''}${index + 1}\u00a0${SHORT_LABELS[each]!.replaceAll(' ', '\u00a0')}  `,
      index === selected ? { bold: true, colour: 'cyan' } : {},
    ),
  );
  return wrapWords(spans, width);
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
  // Only what a shell takes for the end of a line is shown as one.
  if (action === 'shell' && typeof params.command === 'string') {
    return params.command
      .split('\n')
      .flatMap((each, index) =>
        wrapAnywhere(
          [span(index === 0 ? '$ ' : '  ', { dim: true }), span(exact(each), { bold: true })],
          width,
        ),
      );
  }
  const change = changeOf(action, params);
  if (change !== null) {
    const unknown = before === undefined ? wrapWords(line(UNKNOWN, { colour: 'yellow' }), width) : [];
    return [...unknown, ...diffLines({ ...change, before: before ?? null }, width, null)];
  }
  return Object.entries(params).flatMap(([name, value]) =>
    wrapAnywhere(
      [span(`${exact(name)}: `, { dim: true }), span(exact(wholeValue(value)), { bold: true })],
      width,
    ),
  );
}

const UNKNOWN = 'What is there now cannot be shown; all of it would be replaced.';

/** Line breaks and other controls in it are shown, each in its place. */
const wholeValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What is not shown is said, for nobody should allow what was not seen. */
function part(lines: readonly Line[], scrolled: number, room: number): Line[] {
  if (lines.length <= room) return [...lines];
  const visible = Math.max(1, room - 1);
  const from = Math.min(scrolled, lines.length - visible);
  const note = `${from + 1}–${from + visible} of ${lines.length} lines · PgUp PgDn show the others`;
  return [...lines.slice(from, from + visible), line(note, { colour: 'yellow', bold: true })];
}
