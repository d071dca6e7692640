/** The model's open question, as its dialog takes it. */
import type { ChatSnapshot, OpenRequest } from '@chat-kernel/client';
import type { QuestionRequest } from '../dialogs/question.ts';

/** Returns the first question that waits, or null; the same object as long as it is the same question. */
export function openQuestionOf({ requests }: ChatSnapshot): QuestionRequest | null {
  const first = requests.find(({ kind }) => kind === 'question');
  return first === undefined ? null : remembered(first);
}

const made = new WeakMap<OpenRequest, QuestionRequest>();

function remembered(open: OpenRequest): QuestionRequest {
  const known = made.get(open) ?? requestOf(open);
  made.set(open, known);
  return known;
}

/** The input is the model's and has passed the kernel's schema; fields that a newer kernel adds are skipped. */
function requestOf({ id, question = 0, event }: OpenRequest): QuestionRequest {
  const input = event.type === 'tool_call' ? event.input : {};
  const questions = Array.isArray(input.questions) ? input.questions : [];
  const asked = recordOf(questions[question]);
  const options = Array.isArray(asked.options) ? asked.options.map(recordOf) : [];
  return {
    id,
    index: question,
    total: questions.length,
    question: String(asked.question ?? ''),
    ...(typeof asked.header === 'string' && { header: asked.header }),
    options: options.map(({ label, description }) => ({
      label: String(label),
      ...(typeof description === 'string' && { description }),
    })),
    multi_select: asked.multi_select === true,
    decisions: Object.fromEntries(
      Object.entries(recordOf(input.decisions)).map(([decision, label]) => [decision, String(label)]),
    ),
  };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
