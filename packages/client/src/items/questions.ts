/** Reads the questions of a tool call. */
import type { JsonObject, TurnEvent } from '../api/types.ts';

export interface Question {
  question: string;
  header?: string;
  options: readonly { label: string; description?: string }[];
  multi_select?: boolean;
  /** Decision → label. Clients skip unknown ones. */
  decisions: Readonly<Record<string, string>>;
}

/** The input comes from the model, so its types are not trusted. Unknown fields of newer kernels are skipped. */
export function readQuestions({ questions, decisions }: JsonObject): Question[] {
  const labels = Object.entries(toRecord(decisions)).map(([decision, label]) => [decision, String(label)]);
  return records(questions).map(({ question, header, options, multi_select }) => ({
    question: String(question ?? ''),
    ...(typeof header === 'string' && { header }),
    options: records(options).map(({ label, description }) => ({
      label: String(label),
      ...(typeof description === 'string' && { description }),
    })),
    multi_select: multi_select === true,
    decisions: Object.fromEntries(labels),
  }));
}

/** A question with its place among those of its call. */
export interface AskedQuestion extends Question {
  index: number;
  total: number;
}

interface Asking {
  event: TurnEvent;
  question?: number | undefined;
}

/** Returns the question of a request; an empty one if its event asks none. */
export function questionOf({ event, question: index = 0 }: Asking): AskedQuestion {
  const questions = event.type === 'tool_call' ? readQuestions(event.input) : [];
  return { question: '', options: [], decisions: {}, ...questions[index], index, total: questions.length };
}

const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(toRecord) : [];

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
