/** Converts the model's open question for its dialog. */
import type { ChatSnapshot, OpenRequest } from '@chat-kernel/client';
import type { QuestionRequest } from '../dialogs/question.ts';

/** Returns the first open question, or null; the same object for the same question. */
export function findOpenQuestion({ requests }: ChatSnapshot): QuestionRequest | null {
  const first = requests.find(({ kind }) => kind === 'question');
  return first === undefined ? null : remembered(first);
}

const questionCache = new WeakMap<OpenRequest, QuestionRequest>();

function remembered(open: OpenRequest): QuestionRequest {
  const known = questionCache.get(open) ?? toQuestionRequest(open);
  questionCache.set(open, known);
  return known;
}

/** The kernel has validated the model's input. Unknown fields of newer kernels are skipped. */
function toQuestionRequest({ id, question = 0, event }: OpenRequest): QuestionRequest {
  const input = event.type === 'tool_call' ? event.input : {};
  const questions = Array.isArray(input.questions) ? input.questions : [];
  const fields = toRecord(questions[question]);
  const options = Array.isArray(fields.options) ? fields.options.map(toRecord) : [];
  return {
    id,
    index: question,
    total: questions.length,
    question: String(fields.question ?? ''),
    ...(typeof fields.header === 'string' && { header: fields.header }),
    options: options.map(({ label, description }) => ({
      label: String(label),
      ...(typeof description === 'string' && { description }),
    })),
    multi_select: fields.multi_select === true,
    decisions: Object.fromEntries(
      Object.entries(toRecord(input.decisions)).map(([decision, label]) => [decision, String(label)]),
    ),
  };
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
