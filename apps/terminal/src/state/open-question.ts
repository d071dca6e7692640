/** Converts the model's open question for its dialog. */
import { type ChatSnapshot, type OpenRequest, readQuestions } from '@chat-kernel/client';
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

function toQuestionRequest({ id, question: index = 0, event }: OpenRequest): QuestionRequest {
  const questions = event.type === 'tool_call' ? readQuestions(event.input) : [];
  return { id, index, total: questions.length, ...(questions[index] ?? NO_QUESTION) };
}

const NO_QUESTION = { question: '', options: [], decisions: {} };
