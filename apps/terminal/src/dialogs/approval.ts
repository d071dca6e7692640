/**
 * The question to the owner whether an operation may run on this machine. Nothing is selected beforehand, so that Enter
 * alone never allows; and keys that were typed while the dialog appeared are no answer to it.
 */
import { type Decision, type Operation, wordsOfAction, wordsOfSandbox } from '@chat-kernel/client';
import { prefixWords } from '@chat-kernel/protocol';
import type { Press } from '../editor/press.ts';
import { changeOf, diffLines } from '../items/file-diff.ts';
import { type Line, line, lineText, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { fit, wrapAnywhere, wrapWords } from '../text/wrap.ts';
import { type DialogSize, digit, framed, keysLine, moved, optionLines } from './frame.ts';

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
interface ApprovalState {
  readonly selected: number | null;
  /** The first line of the operation that is shown. */
  readonly scrolled: number;
  /** How many words a prefix of the command would have. */
  readonly words: number;
  /** When the dialog appeared, or took the last key for typing; milliseconds. */
  readonly quiet_since: number;
}
interface ApprovalStep {
  readonly state: ApprovalState;
  readonly decision: Decision | null;
  /** The key belongs to what was being typed when the dialog appeared. */
  readonly early: boolean;
}

/** Milliseconds without a key before a key counts. */
export const QUIET_MS = 400;

/** A lasting yes covers what is done here: on the machine of the title, in the folder below it, by this terminal. */
const LABELS: Record<Decision, string> = {
  allow: 'Allow once',
  allow_session: 'Allow here until the kernel stops',
  allow_always: 'Always allow here, in this chat',
  allow_prefix: 'Always allow commands that begin so',
  allow_edits: 'Always allow edits below this folder, in this chat',
  deny: 'Deny',
};
const LABELS_OF_SHELL: Partial<Record<Decision, string>> = {
  allow_session: 'Allow exactly this command here until the kernel stops',
  allow_always: 'Always allow exactly this command here, in this chat',
};

export const openApproval = (now: number): ApprovalState => ({
  selected: null,
  scrolled: 0,
  words: 2,
  quiet_since: now,
});
/** Returns those that this client knows, in the order given. */
const knownDecisions = (decisions: readonly string[]): Decision[] =>
  decisions.filter((each): each is Decision => Object.hasOwn(LABELS, each));

/** Takes a key; Esc and ctrl-c deny at any time. @param now milliseconds of the clock that `openApproval` got */
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
    case 'left':
    case 'right':
      return stay({ words: Math.max(1, state.words + (press.name === 'left' ? -1 : 1)) });
    case 'enter':
      return { state, decision: state.selected === null ? null : known[state.selected]!, early: false };
    case 'text': {
      if (press.ctrl || press.alt || press.text === ' ') return stay({});
      const index = digit(press.text, known.length);
      // A letter belongs to a message that is being typed, and the next digit may, too.
      if (index === null) return { ...stay({ quiet_since: now }), early: true };
      return { state, decision: known[index]!, early: false };
    }
    default:
      return stay({});
  }
}

const PAGE = 5;

/** @param counts whether a key is an answer by now; see `QUIET_MS` */
export function approvalLines(
  request: ApprovalRequest,
  state: ApprovalState,
  size: DialogSize,
  counts = true,
): Line[] {
  const { action, agent, on_kernel } = request;
  const named = request.machine === undefined ? 'this machine' : exact(request.machine);
  const machine = on_kernel ? "the kernel's machine" : named;
  const who =
    agent === undefined ? 'The model' : `Sub-agent ${lineText(fit(line(exact(agent)), NAME_WIDTH))}`;
  const title = `${who} asks to ${wordsOfAction(action)} on ${machine}`;
  const { location, operation, choices, room } = shareRows(request, state, size);
  const body = isReadable(request, size)
    ? [...location, ...visiblePart(operation, state.scrolled, room), ...choices]
    : [line('Too little room to show it: make the window larger.', { colour: 'yellow' })];
  const keys = keysLine('a number, or ↑↓ and Enter', 'Esc denies', counts);
  return framed(title, body, keys, size, 'yellow');
}

/** The model chose the name: a longer one could pass for the rest of the title. */
const NAME_WIDTH = 20;

/** Whether there is room to read the operation and its choices: nobody should allow what is not shown. */
export function isReadable(request: ApprovalRequest, size: DialogSize): boolean {
  const { operation, room } = shareRows(request, openApproval(0), size);
  return room >= Math.min(operation.length, LEAST_ROWS);
}

/** A line of the operation, and the note that there are more. */
const LEAST_ROWS = 2;
/** The choices take fewer rows where a long operation would get less than this. */
const FEW_ROWS = 4;

/** Shares the rows: where there are few, the choices stand side by side, and the directory scrolls with the operation. */
function shareRows(request: ApprovalRequest, state: ApprovalState, size: DialogSize) {
  const { selected } = state;
  const lines = operationLines(request, size.width);
  const location = locationLines(request, size.width);
  const known = knownDecisions(request.decisions);
  const labels = known.map(each => ({
    label: labelOf(each, request, state),
  }));
  const choices = optionLines(labels, selected, size.width);
  const room = size.rows - FRAME_ROWS - location.length - choices.length;
  if (location.length <= 1 && room >= Math.min(lines.length, FEW_ROWS)) {
    return { location, operation: lines, choices, room };
  }
  const operation = [...location, ...lines];
  const roomBelow = size.rows - FRAME_ROWS - choices.length;
  if (roomBelow >= Math.min(operation.length, FEW_ROWS)) {
    return { location: [], operation, choices, room: roomBelow };
  }
  const short = shortChoices(known, selected, size.width);
  return { location: [], operation, choices: short, room: size.rows - FRAME_ROWS - short.length };
}

function labelOf(decision: Decision, request: ApprovalRequest, state: ApprovalState): string {
  if (decision === 'allow_prefix') {
    return `Always allow plain commands here that begin with: ${exact(prefixOf(request, state))} (←→)`;
  }
  return (request.action === 'shell' ? LABELS_OF_SHELL[decision] : undefined) ?? LABELS[decision];
}

/** The words that the owner has picked for allow_prefix; at least one, and none behind a quote. */
export function prefixOf({ params }: ApprovalRequest, { words }: ApprovalState): string {
  const all = prefixWords(String(params.command));
  return all.slice(0, Math.max(1, Math.min(words, all.length))).join(' ');
}

/** The title, and the line about the keys. */
const FRAME_ROWS = 2;

/** What holds it comes first: a title is cut in a narrow window, and the name of a directory may say anything. */
function locationLines({ workdir, sandbox }: ApprovalRequest, width: number): Line[] {
  const parts = [wordsOfSandbox(sandbox), workdir ? `in ${exact(workdir)}` : null].filter(Boolean);
  return parts.length > 0 ? wrapAnywhere(line(parts.join(', '), { dim: true }), width) : [];
}

const SHORT_LABELS: Record<Decision, string> = {
  allow_prefix: 'words',
  allow_edits: 'edits',
  allow: 'once',
  allow_session: 'until it stops',
  allow_always: 'always',
  deny: 'deny',
};

/** A choice is never broken between two lines. */
function shortChoices(known: readonly Decision[], selected: number | null, width: number): Line[] {
  const spans = known.map((each, index) =>
    span(
      `${index === selected ? '›' : ''}${index + 1}\u00a0${SHORT_LABELS[each].replaceAll(' ', '\u00a0')}  `,
      index === selected ? { bold: true, colour: 'cyan' } : {},
    ),
  );
  return wrapWords(spans, width);
}

/** The clock redraws an open dialog, so the operation in it is laid out once for each width. */
const laidOut = new WeakMap<ApprovalRequest, { width: number; lines: Line[] }>();

function operationLines(request: ApprovalRequest, width: number): Line[] {
  const known = laidOut.get(request);
  if (known?.width === width) return known.lines;
  const lines = layOut(request, width);
  laidOut.set(request, { width, lines });
  return lines;
}

function layOut({ action, params, before }: ApprovalRequest, width: number): Line[] {
  // Only a line end of the shell is shown as a line end.
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

/** Returns the value with all its line breaks and controls, for `exact` to show. */
const wholeValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns as many lines as there is room for, and a note that others are not shown. */
function visiblePart(lines: readonly Line[], scrolled: number, room: number): Line[] {
  if (lines.length <= room) return [...lines];
  const visible = Math.max(1, room - 1);
  const from = Math.min(scrolled, lines.length - visible);
  const note = `${from + 1}–${from + visible} of ${lines.length} lines · PgUp PgDn show the others`;
  return [...lines.slice(from, from + visible), line(note, { colour: 'yellow', bold: true })];
}
