/** Renders the approval dialog: the requester, the location, the whole operation, and the choices. */
import {
  DECISION_FACTS,
  type DecisionFacts,
  describeAction,
  describeConsent,
  describeSandbox,
} from '@chat-kernel/client';
import { cachedFileChange, diffLines } from '../items/file-diff.ts';
import { type Line, line, lineText, lineWidth, span } from '../text/line.ts';
import { exact } from '../text/safe.ts';
import { fit, wrapAnywhere, wrapWords } from '../text/wrap.ts';
import {
  type ApprovalRequest,
  type ApprovalRow,
  type ApprovalState,
  buildApprovalRows,
  keyOfRow,
  selectedPrefix,
} from './approval.ts';
import { type DialogSize, framed, keysLine, optionLines } from './frame.ts';
import { renderTextInput } from './text-input.ts';

/** The row that is not a decision: it opens a text field for the reason of a denial. */
const TELL = { reach: 'same', label: 'Deny with feedback', short: 'feedback' } as const;

const rowFacts = (row: ApprovalRow): Omit<DecisionFacts, 'key' | 'lasts' | 'past'> =>
  row === 'tell' ? TELL : DECISION_FACTS[row];

/** @param counts whether keys already count as answers; see `QUIET_MS` */
export function approvalLines(
  request: ApprovalRequest,
  state: ApprovalState,
  size: DialogSize,
  counts = true,
): Line[] {
  const { action, agent, hands } = request;
  const machine = hands === undefined ? 'this machine' : hands === null ? 'the server' : exact(hands);
  const asker = action === 'undo' ? 'The rewind needs' : 'The model wants';
  const who =
    agent === undefined ? asker : `Sub-agent ${lineText(fit(line(exact(agent)), NAME_WIDTH))} wants`;
  const title = `${who} to ${describeAction(action, request.call?.length)} on ${machine}`;
  const { location, operation, choices, room } = shareRows(request, state, size);
  const body = isReadable(request, state, size)
    ? [...location, ...visiblePart(operation, state.scrolled, room), ...choices]
    : [line('Window too small to review this. Enlarge it.', { colour: 'yellow' })];
  const keys =
    state.reason === null
      ? keysLine(state.selected === null ? 'a letter, or ↑↓ and Enter' : 'Enter confirm', 'Esc deny', counts)
      : 'Enter deny and send · Esc back';
  return framed(title, body, keys, size, 'yellow');
}

/** The model chooses the name: limit it, so that it cannot imitate the rest of the title. */
const NAME_WIDTH = 20;

/** Whether the operation and its choices fit: without that, the user could allow what they cannot see. */
export function isReadable(request: ApprovalRequest, state: ApprovalState, size: DialogSize): boolean {
  const { operation, room } = shareRows(request, state, size);
  return room >= Math.min(operation.length, MIN_ROWS);
}

/** One line of the operation, and the note about the other lines. */
const MIN_ROWS = 2;
/** The choices share a line if a long operation would get fewer rows than this. */
const FEW_ROWS = 4;

/** Rows of the text field for feedback. */
const REASON_ROWS = 3;

/** Divides the rows. In a small window the choices share a line, and the lines above the operation scroll with it. */
function shareRows(request: ApprovalRequest, state: ApprovalState, size: DialogSize) {
  const { selected } = state;
  const lines = operationLines(request, size.width);
  const why = reasonLines(request, size.width);
  const place = locationLines(request, size.width);
  const location = [...why, ...place];
  const rows = buildApprovalRows(request);
  const labels = rows.map(each => ({ key: keyOfRow(each), label: rowLabel(each, request, state) }));
  const choices =
    state.reason === null
      ? optionLines(labels, selected, size.width)
      : renderTextInput(state.reason, size.width, REASON_ROWS);
  const room = size.rows - FRAME_ROWS - location.length - choices.length;
  if (why.length <= MAX_REASON_ROWS && place.length <= 1 && room >= Math.min(lines.length, FEW_ROWS)) {
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

function rowLabel(row: ApprovalRow, request: ApprovalRequest, state: ApprovalState): string {
  const { reach, label, commandLabel = label } = rowFacts(row);
  // The labels for commands name a single one.
  const shown = request.action === 'shell' && request.call === undefined ? commandLabel : label;
  return reach === 'prefix' ? `${shown} ${exact(selectedPrefix(request, state))} (←→)` : shown;
}

/** Rows of the reason that stay visible while the operation scrolls. */
const MAX_REASON_ROWS = 3;

/** The title and the line with the keys. */
const FRAME_ROWS = 2;

/** Names of sources come from outside, so they are shown exactly. */
const reasonLines = (request: ApprovalRequest, width: number): Line[] =>
  describeConsent(request).flatMap(each => wrapWords(line(exact(each)), width));

/** The sandbox comes before the directory, because the name of a directory may contain any text. */
function locationLines({ workdir, sandbox }: ApprovalRequest, width: number): Line[] {
  const parts = [describeSandbox(sandbox), workdir ? `in ${exact(workdir)}` : null].filter(Boolean);
  return parts.length > 0 ? wrapAnywhere(line(parts.join(', '), { dim: true }), width) : [];
}

/** Packs the choices into lines. A choice breaks only if it is wider than a line. */
function shortChoices(request: ApprovalRequest, state: ApprovalState, width: number): Line[] {
  const lines: Line[] = [];
  for (const [index, row] of buildApprovalRows(request).entries()) {
    const chosen = index === state.selected;
    const { reach, short } = rowFacts(row);
    const label = reach === 'prefix' ? `${selectedPrefix(request, state)} ${short} (←→)` : short;
    const choice = line(
      `${chosen ? '›' : ''}${keyOfRow(row)} ${exact(label)}`,
      chosen ? { bold: true, colour: 'cyan' } : {},
    );
    const extended = [...(lines.at(-1) ?? []), span('  '), ...choice];
    if (lines.length > 0 && lineWidth(extended) <= width) lines[lines.length - 1] = extended;
    else lines.push(choice);
  }
  return lines.flatMap(each => wrapWords(each, width));
}

/** Layouts by request: a timer redraws an open dialog, but the layout changes only with the width. */
const laidOut = new WeakMap<ApprovalRequest, { width: number; lines: Line[] }>();

function operationLines(request: ApprovalRequest, width: number): Line[] {
  const known = laidOut.get(request);
  if (known?.width === width) return known.lines;
  const lines = layOut(request, width);
  laidOut.set(request, { width, lines });
  return lines;
}

/** Lays out a command or a path, of which each line begins with a sign. */
const layOutText = (text: string, sign: string, width: number): Line[] =>
  text
    .split('\n')
    .flatMap((each, row) =>
      wrapAnywhere(
        [span(row === 0 ? sign : ' '.repeat(sign.length), { dim: true }), span(exact(each), { bold: true })],
        width,
      ),
    );

function layOut({ action, params, call, before, after, unreadable }: ApprovalRequest, width: number): Line[] {
  // The whole call, numbered: the decision covers all of its commands or paths.
  if (call !== undefined) return call.flatMap((each, index) => layOutText(each, `${index + 1}. `, width));
  // Only in shell commands, a newline starts a new line.
  if (action === 'shell' && typeof params.command === 'string')
    return layOutText(params.command, '$ ', width);
  const change = cachedFileChange(action, params);
  if (change !== null) {
    const note = change.whole ? fileNote(before, unreadable) : [];
    const shown = change.whole ? { ...change, before: before ?? null, after: after ?? change.after } : change;
    return [...note.flatMap(each => wrapWords(each, width)), ...diffLines(shown, width, null)];
  }
  return Object.entries(params).flatMap(([name, value]) =>
    wrapAnywhere(
      [span(`${exact(name)}: `, { dim: true }), span(exact(wholeValue(value)), { bold: true })],
      width,
    ),
  );
}

/** States what a diff does not show: the file is new, or its content is not known. */
function fileNote(before: string | null | undefined, unreadable: string | undefined): Line[] {
  if (before === null) return [line('New file.', { dim: true })];
  if (before !== undefined) return [];
  const why = unreadable === undefined ? '' : ` ${exact(unreadable)}`;
  return [line(`The current file can't be shown.${why} All of it would be replaced.`, { colour: 'yellow' })];
}

/** Returns the value with its newlines and control characters, for `exact` to show. */
const wholeValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the lines that fit, and a note about the others. */
function visiblePart(lines: readonly Line[], scrolled: number, room: number): Line[] {
  if (lines.length <= room) return [...lines];
  const visible = Math.max(1, room - 1);
  const from = Math.min(scrolled, lines.length - visible);
  const note = `${from + 1}–${from + visible} of ${lines.length} lines · PgUp PgDn to scroll`;
  return [...lines.slice(from, from + visible), line(note, { colour: 'yellow', bold: true })];
}
