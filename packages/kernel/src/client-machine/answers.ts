/** Parses answers of clients: texts leniently, bytes strictly. */
import {
  type JsonObject,
  OP_RESULTS,
  type OpResult,
  type OpsResult,
  renderSections,
} from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { type CommandAnswer, OperationError } from '../ports/index.ts';

/** The answer to an action whose result is an object. @throws OperationError if the result has another shape */
export function shapedAnswer<Action extends keyof typeof OP_RESULTS>(
  action: Action,
  { result }: OpsResult,
): OpResult<Action> {
  const parsed = OP_RESULTS[action].safeParse(result);
  if (parsed.success) return parsed.data as OpResult<Action>;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'result';
  throw new OperationError(
    `The client returned an invalid result for ${action}: ${where}: ${issue?.message}.`,
  );
}

/** The text of an answer. Sections take precedence over a result (XT-3); an object becomes its JSON. */
export function answerText({ blocks = [], result = '' }: OpsResult): string {
  if (blocks.length > 0) return renderSections(blocks);
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** The answer to `shell`: a text is its output, an object may contain the exit code too. */
export function commandAnswer(answer: OpsResult): CommandAnswer {
  const { result, blocks = [] } = answer;
  if (blocks.length > 0 || !isCommandResult(result)) return { output: answerText(answer) };
  const { output, exit_code } = result;
  return { output, ...(typeof exit_code === 'number' && { exit_code }) };
}

/** An empty error would tell the model nothing, and a very long one would fill its window. */
const NO_WORDS = 'The client reported a failure without a reason.';
const MAX_ERROR_CHARS = 30_000;

/** The error text of a client, limited to a length that a model can read. */
export const errorWords = (error: string): string => cutText(error.trim() || NO_WORDS, MAX_ERROR_CHARS);

/** The text of a failed answer for the model: the error, and any output before it. */
export function failureText(answer: OpsResult & { error: string }): string {
  const { error, result = '', blocks = [] } = answer;
  // Any other object, such as one with bytes, would be unreadable for the model.
  const readable = blocks.length > 0 || typeof result === 'string' || isCommandResult(result);
  const output = readable ? commandAnswer(answer).output : '';
  return [errorWords(error), output].filter(text => text !== '').join('\n\n');
}

const isCommandResult = (result: unknown): result is JsonObject & { output: string } =>
  typeof result === 'object' && result !== null && 'output' in result && typeof result.output === 'string';

/** The output of an operation that the user denied (OP-5), with the reason that they gave (HANDS-7). */
export const declined = (reason = ''): string =>
  `The user declined this operation.${reason.trim() === '' ? '' : ` They said: ${errorWords(reason)}`}`;

/** The output of an operation that needs consent, in a turn whose earlier requests expired unseen (CONSENT-1). */
export const NOT_ASKED =
  'This needs the consent of the user, and no client is connected that could ask for it.';
