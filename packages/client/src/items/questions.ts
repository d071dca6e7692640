/** Reads the questions of a tool call. */
import type { JsonObject } from '../api/types.ts';

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

const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(toRecord) : [];

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
