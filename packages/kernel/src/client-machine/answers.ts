/** Answers of clients: texts are read leniently, bytes strictly. */
import {
  cutText,
  type JsonObject,
  OP_RESULTS,
  type OpResult,
  type OpsResult,
  renderSections,
} from '@chat-kernel/protocol';
import { type CommandAnswer, OperationError } from '../ports/index.ts';

/** The answer to an action whose result is an object. @throws OperationError where the result has another shape */
export function shapedAnswer<Action extends keyof typeof OP_RESULTS>(
  action: Action,
  { result }: OpsResult,
): OpResult<Action> {
  const parsed = OP_RESULTS[action].safeParse(result);
  if (parsed.success) return parsed.data as OpResult<Action>;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'result';
  throw new OperationError(
    `The client's answer to ${action} is not what it should be: ${where}: ${issue?.message}.`,
  );
}

/** The text of an answer. Sections are preferred to a result (XT-3); an object stands as its JSON. */
export function answerText({ blocks = [], result = '' }: OpsResult): string {
  if (blocks.length > 0) return renderSections(blocks);
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** The answer to `shell`: a text is its output, an object may hold the exit code too. */
export function commandAnswer(answer: OpsResult): CommandAnswer {
  const { result, blocks = [] } = answer;
  if (blocks.length > 0 || !isCommandResult(result)) return { output: answerText(answer) };
  const { output, exit_code } = result;
  return { output, ...(typeof exit_code === 'number' && { exit_code }) };
}

/** An error without words would tell the model nothing, and one that is too long would fill its window. */
const NO_WORDS = 'The client could not do it, and did not say why.';
const MAX_ERROR_CHARS = 30_000;

/** The words of a client about what went wrong, of a length that a model can read. */
export const errorWords = (error: string): string => cutText(error.trim() || NO_WORDS, MAX_ERROR_CHARS);

/** The text of a failed answer for the model: the words of the error, and the output that there was before it. */
export function failureText(answer: OpsResult & { error: string }): string {
  const { error, result = '', blocks = [] } = answer;
  // Any other object, such as one with bytes, would mean nothing to the model.
  const readable = blocks.length > 0 || typeof result === 'string' || isCommandResult(result);
  const told = readable ? commandAnswer(answer).output : '';
  return [errorWords(error), told].filter(text => text !== '').join('\n\n');
}

const isCommandResult = (result: unknown): result is JsonObject & { output: string } =>
  typeof result === 'object' && result !== null && 'output' in result && typeof result.output === 'string';
