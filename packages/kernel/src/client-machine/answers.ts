/** What clients answer, read leniently where it is text and strictly where it is bytes. */
import {
  cutText,
  type JsonObject,
  OP_RESULTS,
  type OpResult,
  type OpsResult,
  renderSections,
} from '@chat-kernel/protocol';
import { type CommandAnswer, OperationError } from '../ports/index.ts';

/** The answer to an action whose result is an object. @throws OperationError where it is something else */
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

/** Sections are preferred to a result (XT-3). An object stands as its JSON. */
export function answerText({ blocks = [], result = '' }: OpsResult): string {
  if (blocks.length > 0) return renderSections(blocks);
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** The answer to `shell`: its output, or an object that holds it. */
export function commandAnswer(answer: OpsResult): CommandAnswer {
  const { result, blocks = [] } = answer;
  if (blocks.length > 0 || !isCommandResult(result)) return { output: answerText(answer) };
  const { output, exit_code } = result;
  return { output, ...(typeof exit_code === 'number' && { exit_code }) };
}

/** The model must read something, and no more than it can take. */
const NO_WORDS = 'The client could not do it, and did not say why.';
const MAX_ERROR_CHARS = 30_000;

/** What a client says went wrong. */
export const errorWords = (error: string): string => cutText(error.trim() || NO_WORDS, MAX_ERROR_CHARS);

/** What the model reads of an answer that is an error: its words, and with them what there was until then. */
export function failureText(answer: OpsResult & { error: string }): string {
  const { error, result = '', blocks = [] } = answer;
  // What else is an object, such as bytes, is not for reading.
  const readable = blocks.length > 0 || typeof result === 'string' || isCommandResult(result);
  const told = readable ? commandAnswer(answer).output : '';
  return [errorWords(error), told].filter(text => text !== '').join('\n\n');
}

const isCommandResult = (result: unknown): result is JsonObject & { output: string } =>
  typeof result === 'object' && result !== null && 'output' in result && typeof result.output === 'string';
