/** The check of an answer against its request. An answer that does not fit leaves the request open. */
import { cutText, isPrefix, KernelError, type OpsResult } from '@chat-kernel/protocol';
import type { NewRequest } from '../ports/index.ts';

/** The longest unknown decision that an error repeats, in characters. */
const MAX_SHOWN_CHARS = 200;

/**
 * Checks an answer.
 * @throws KernelError invalid_value where the decision was not offered, or the answer has nothing that this kind of
 *   request needs
 */
export function checkAnswer(answer: OpsResult, { kind, event, decisions = [] }: NewRequest): void {
  const { decision, result, error, blocks } = answer;
  if (decision !== undefined && !decisions.includes(decision)) {
    const offered = decisions.length > 0 ? `Offered are: ${decisions.join(', ')}.` : 'None is offered.';
    throw wrong(
      '/decision',
      `The decision ${cutText(decision, MAX_SHOWN_CHARS)} was not offered. ${offered}`,
    );
  }
  if (decision === 'allow_prefix') checkPrefix(answer, event);
  if (decision === undefined && decisions.length > 0 && isElsewhere(event)) {
    throw wrong('/decision', 'This operation is done by another machine: it needs a decision alone.');
  }
  if (decision !== undefined || error !== undefined) return;
  if (kind === 'question') {
    if (answer.answer === undefined) throw wrong('/answer', 'A question needs an answer or a decision.');
  } else if (event.type === 'client_op' && event.hands === null) {
    // The kernel executes it itself: a result would be that of another machine.
    throw wrong('/decision', "This operation is the kernel's own: it needs a decision alone.");
  } else if (result === undefined && blocks === undefined) {
    throw wrong('/result', 'An operation needs a result, blocks or an error.');
  }
}

const isElsewhere = (event: NewRequest['event']): boolean =>
  event.type === 'client_op' && typeof event.hands === 'string';

/** @throws KernelError invalid_value */
function checkPrefix({ prefix }: OpsResult, event: NewRequest['event']): void {
  const { command } = event as { command?: unknown };
  if (prefix !== undefined && typeof command === 'string' && isPrefix(prefix, command)) return;
  const detail =
    prefix === undefined
      ? 'allow_prefix needs the words with which commands may begin.'
      : 'These are no whole words, without quotes, from the beginning of the command.';
  throw wrong('/prefix', detail);
}

const wrong = (pointer: string, detail: string): KernelError =>
  new KernelError('invalid_value', detail, { errors: [{ pointer, detail }] });
