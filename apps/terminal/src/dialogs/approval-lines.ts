/** What the owner reads before an operation may run: who asks, where, all of the operation, and the answers. */
import { wordsOfAction, wordsOfSandbox } from '@chat-kernel/client';
import { changeOf, diffLines } from '../items/file-diff.ts';
import { type Line, line, lineText, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { fit, wrapAnywhere, wrapWords } from '../text/wrap.ts';
import { type ApprovalRequest, type ApprovalRow, type ApprovalState, prefixOf, rowsOf } from './approval.ts';
import { type DialogSize, framed, keysLine, optionLines } from './frame.ts';
import { wordsLines } from './words.ts';

/** A lasting yes covers what is done here: on the machine of the title, in the folder below it, by this terminal. */
const LABELS: Record<Exclude<ApprovalRow, 'allow_prefix'>, string> = {
  allow: 'Allow once',
  allow_session: 'Allow here until the kernel stops',
  allow_always: 'Always allow here, in this chat',
  allow_edits: 'Always allow edits below this folder, in this chat',
  deny: 'Deny',
  tell: 'No, and tell it why',
};
const LABELS_OF_SHELL: Partial<Record<ApprovalRow, string>> = {
  allow_session: 'Allow exactly this command here until the kernel stops',
  allow_always: 'Always allow exactly this command here, in this chat',
};

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
  const asker = action === 'undo' ? 'A rewind' : 'The model';
  const who = agent === undefined ? asker : `Sub-agent ${lineText(fit(line(exact(agent)), NAME_WIDTH))}`;
  const title = `${who} asks to ${wordsOfAction(action)} on ${machine}`;
  const { location, operation, choices, room } = shareRows(request, state, size);
  const body = isReadable(request, state, size)
    ? [...location, ...visiblePart(operation, state.scrolled, room), ...choices]
    : [line('Too little room to show it: make the window larger.', { colour: 'yellow' })];
  const keys =
    state.reason === null
      ? keysLine('a number, or ↑↓ and Enter', 'Esc denies', counts)
      : 'Enter says no, with this · Esc goes back';
  return framed(title, body, keys, size, 'yellow');
}

/** The model chose the name: a longer one could pass for the rest of the title. */
const NAME_WIDTH = 20;

/** Whether there is room to read the operation and its choices: nobody should allow what is not shown. */
export function isReadable(request: ApprovalRequest, state: ApprovalState, size: DialogSize): boolean {
  const { operation, room } = shareRows(request, state, size);
  return room >= Math.min(operation.length, LEAST_ROWS);
}

/** A line of the operation, and the note that there are more. */
const LEAST_ROWS = 2;
/** The choices take fewer rows where a long operation would get less than this. */
const FEW_ROWS = 4;

/** Rows of what is said with a no. */
const REASON_ROWS = 3;

/** Shares the rows: where there are few, the choices stand side by side, and the directory scrolls with the operation. */
function shareRows(request: ApprovalRequest, state: ApprovalState, size: DialogSize) {
  const { selected } = state;
  const lines = operationLines(request, size.width);
  const location = locationLines(request, size.width);
  const rows = rowsOf(request);
  const labels = rows.map(each => ({ label: labelOf(each, request, state) }));
  const choices =
    state.reason === null
      ? optionLines(labels, selected, size.width)
      : wordsLines(state.reason, size.width, REASON_ROWS);
  const room = size.rows - FRAME_ROWS - location.length - choices.length;
  if (location.length <= 1 && room >= Math.min(lines.length, FEW_ROWS)) {
    return { location, operation: lines, choices, room };
  }
  const operation = [...location, ...lines];
  const roomBelow = size.rows - FRAME_ROWS - choices.length;
  if (roomBelow >= Math.min(operation.length, FEW_ROWS)) {
    return { location: [], operation, choices, room: roomBelow };
  }
  const short = state.reason === null ? shortChoices(request, state, size.width) : choices.slice(-1);
  return { location: [], operation, choices: short, room: size.rows - FRAME_ROWS - short.length };
}

function labelOf(row: ApprovalRow, request: ApprovalRequest, state: ApprovalState): string {
  if (row === 'allow_prefix') {
    return `Always allow plain commands here that begin with: ${exact(prefixOf(request, state))} (←→)`;
  }
  return (request.action === 'shell' ? LABELS_OF_SHELL[row] : undefined) ?? LABELS[row];
}

/** The title, and the line about the keys. */
const FRAME_ROWS = 2;

/** What holds it comes first: a title is cut in a narrow window, and the name of a directory may say anything. */
function locationLines({ workdir, sandbox }: ApprovalRequest, width: number): Line[] {
  const parts = [wordsOfSandbox(sandbox), workdir ? `in ${exact(workdir)}` : null].filter(Boolean);
  return parts.length > 0 ? wrapAnywhere(line(parts.join(', '), { dim: true }), width) : [];
}

const SHORT_LABELS: Record<Exclude<ApprovalRow, 'allow_prefix'>, string> = {
  allow_edits: 'edits',
  allow: 'once',
  allow_session: 'until it stops',
  allow_always: 'always',
  deny: 'deny',
  tell: 'no, because',
};

/** A choice is never broken between two lines. */
function shortChoices(request: ApprovalRequest, state: ApprovalState, width: number): Line[] {
  const spans = rowsOf(request).map((row, index) => {
    const chosen = index === state.selected;
    const label = row === 'allow_prefix' ? `${prefixOf(request, state)} … (←→)` : SHORT_LABELS[row];
    return span(
      `${chosen ? '›' : ''}${index + 1}\u00a0${exact(label).replaceAll(' ', '\u00a0')}  `,
      chosen ? { bold: true, colour: 'cyan' } : {},
    );
  });
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
