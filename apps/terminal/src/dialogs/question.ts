/** A question of the model: the user selects options, types an answer, or discusses it. */
import type { AskedQuestion } from '@chat-kernel/client';
import type { Press } from '../editor/press.ts';
import { createEditor, type EditorState } from '../editor/state.ts';
import { type Line, line } from '../text/line.ts';
import { wrapWords } from '../text/wrap.ts';
import { QUIET_MS } from './approval.ts';
import { type DialogOption, type DialogSize, digit, framed, keysLine, moved, optionLines } from './frame.ts';
import { pasteTextInput, reduceTextInput, renderTextInput } from './text-input.ts';

export interface QuestionRequest extends AskedQuestion {
  /** The id of the tool_call. */
  id: string;
}
export type QuestionAnswer = { answer: string } | { decision: string };
export interface QuestionState {
  readonly selected: number | null;
  readonly ticked: readonly number[];
  /** The answer being typed; null if the field is closed. */
  readonly words: EditorState | null;
  readonly quiet_since: number;
}
interface QuestionStep {
  readonly state: QuestionState;
  readonly answer: QuestionAnswer | null;
  readonly early: boolean;
}

/** The meta-decisions that this client knows. */
const KNOWN = ['discuss', 'answer_in_text'];

export const openQuestion = (now: number): QuestionState => ({
  selected: null,
  ticked: [],
  words: null,
  quiet_since: now,
});

/** Handles a key. Esc chooses "discuss" if it is offered: a question never closes without an answer. */
export function reduceQuestion(
  request: QuestionRequest,
  state: QuestionState,
  press: Press,
  now: number,
): QuestionStep {
  const answered = (answer: QuestionAnswer | null): QuestionStep => ({ state, answer, early: false });
  const stay = (changed: Partial<QuestionState>): QuestionStep => ({
    state: { ...state, ...changed },
    answer: null,
    early: false,
  });
  if (state.words !== null) {
    const { words, sent } = reduceTextInput(state.words, press);
    return { ...stay({ words }), answer: sent === null ? null : { answer: sent } };
  }
  if (press.name === 'escape')
    return answered('discuss' in request.decisions ? { decision: 'discuss' } : null);
  if (now - state.quiet_since < QUIET_MS) return { ...stay({ quiet_since: now }), early: true };
  const rows = buildRows(request);
  const take = (index: number | null): QuestionStep => {
    const row = index === null ? undefined : rows[index];
    if (row === undefined) return stay({});
    switch (row.kind) {
      case 'words':
        return stay({ selected: index, words: createEditor() });
      case 'decision':
        return answered({ decision: row.decision });
      case 'option':
        if (!request.multi_select) return answered({ answer: row.label });
        return stay({ selected: index, ticked: toggled(state.ticked, row.index) });
    }
  };
  switch (press.name) {
    case 'up':
    case 'down':
      return stay({ selected: moved(state.selected, press.name === 'up' ? -1 : 1, rows.length) });
    case 'enter': {
      const row = state.selected === null ? undefined : rows[state.selected];
      // With multi_select, Enter sends the ticked options.
      if (request.multi_select && row?.kind !== 'words' && row?.kind !== 'decision') {
        const labels = state.ticked.map(each => request.options[each]!.label);
        return answered(labels.length === 0 ? null : { answer: labels.join(', ') });
      }
      return take(state.selected);
    }
    case 'text':
      if (press.ctrl || press.alt) return stay({});
      return take(press.text === ' ' ? state.selected : digit(press.text, rows.length));
    default:
      return stay({});
  }
}

/** Adds pasted text to the typed answer, if its field is open. */
export const pasteIntoQuestion = (state: QuestionState, text: string): QuestionState =>
  state.words === null ? state : { ...state, words: pasteTextInput(state.words, text) };

const toggled = (ticked: readonly number[], index: number): number[] =>
  ticked.includes(index)
    ? ticked.filter(each => each !== index)
    : [...ticked, index].toSorted((a, b) => a - b);

/** Returns the lines that fit, including the one before `seen`, and a note about the others. */
function around(lines: readonly Line[], seen: number, room: number): Line[] {
  if (lines.length <= room || room < 2) return [...lines];
  const shown = room - 1;
  const from = Math.max(0, seen - shown);
  const note = `${from + 1}–${from + shown} of ${lines.length} lines · ↑↓ to scroll`;
  return [...lines.slice(from, from + shown), line(note, { colour: 'yellow' })];
}

type QuestionRow = DialogOption &
  ({ kind: 'option'; index: number } | { kind: 'words' } | { kind: 'decision'; decision: string });

function buildRows({ options, decisions }: QuestionRequest): QuestionRow[] {
  return [
    ...options.map((option, index): QuestionRow => ({ ...option, kind: 'option', index })),
    { kind: 'words', label: 'Other: type an answer' },
    ...Object.entries(decisions)
      .filter(([decision]) => KNOWN.includes(decision))
      .map(([decision, label]): QuestionRow => ({ kind: 'decision', decision, label })),
  ];
}

/** @param counts whether keys already count as answers; see `QUIET_MS` */
export function questionLines(
  request: QuestionRequest,
  state: QuestionState,
  size: DialogSize,
  counts = true,
): Line[] {
  const { header, index, total, question, multi_select } = request;
  const rows = buildRows(request).map(row =>
    multi_select && row.kind === 'option' ? { ...row, ticked: state.ticked.includes(row.index) } : row,
  );
  const title = `${header ?? 'Question'}${total > 1 ? ` (${index + 1} of ${total})` : ''}`;
  const questionText = wrapWords(line(question.replace(/\s+/g, ' '), { bold: true }), size.width);
  if (state.words === null) {
    const upTo = state.selected === null ? 0 : state.selected + 1;
    const options = optionLines(rows, state.selected, size.width);
    const seen = questionText.length + optionLines(rows.slice(0, upTo), null, size.width).length;
    const body = around([...questionText, ...options], state.selected === null ? 0 : seen, size.rows - 2);
    const answers = multi_select ? 'a number or Space to tick · Enter to send' : 'a number, or ↑↓ and Enter';
    return framed(title, body, keysLine(answers, 'Esc discuss', counts), size);
  }
  const written = renderTextInput(state.words, size.width, size.rows - 2 - questionText.length);
  return framed(title, [...questionText, ...written], 'Enter send · Esc back', size);
}
