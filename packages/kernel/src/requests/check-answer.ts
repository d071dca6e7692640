/** Checks an answer against its request. An invalid answer leaves the request open. */
import { factsOfDecision, invalidValue, isPrefix, type OpsResult } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import type { NewRequest, RequestEnding, RequestHandle } from '../ports/index.ts';

/** The maximum length of an unknown decision in an error, in characters. */
const MAX_SHOWN_CHARS = 200;

/**
 * Checks an answer.
 * @throws KernelError invalid_value if the decision was not offered, or the answer lacks what this kind of request
 * needs
 */
export function checkAnswer(answer: OpsResult, { kind, event, decisions = [] }: NewRequest): void {
  const { decision, result, error, blocks } = answer;
  if (decision !== undefined && !decisions.includes(decision)) {
    const offered = decisions.length > 0 ? `Offered: ${decisions.join(', ')}.` : 'None is offered.';
    throw invalidValue(
      '/decision',
      `The decision ${cutText(decision, MAX_SHOWN_CHARS)} was not offered. ${offered}`,
    );
  }
  if (decision !== undefined && factsOfDecision(decision)?.reach === 'prefix') {
    checkPrefix(answer, event, decision);
  }
  if (decision === undefined && decisions.length > 0 && isElsewhere(event)) {
    throw invalidValue('/decision', 'This operation runs on another machine. Send only a decision.');
  }
  if (decision !== undefined || error !== undefined) return;
  if (kind === 'question') {
    if (answer.answer === undefined)
      throw invalidValue('/answer', 'A question needs an answer or a decision.');
  } else if (event.type === 'consent_request') {
    // The kernel executes it: a result would come from another machine.
    throw invalidValue('/decision', "This operation runs on the kernel's machine. Send only a decision.");
  } else if (result === undefined && blocks === undefined) {
    throw invalidValue('/result', 'An operation needs a result, blocks or an error.');
  }
}

const isElsewhere = (event: NewRequest['event']): boolean =>
  event.type === 'consent_request' && typeof event.hands === 'string';

/** @throws KernelError invalid_value */
function checkPrefix({ prefix }: OpsResult, event: NewRequest['event'], decision: string): void {
  const { command } = event as { command?: unknown };
  if (prefix !== undefined && typeof command === 'string' && isPrefix(prefix, command)) return;
  const detail =
    prefix === undefined
      ? `${decision} needs the words that commands may start with.`
      : 'The prefix must be whole words, without quotes, from the start of the command.';
  throw invalidValue('/prefix', detail);
}

/** The outcome of a request that is not sent, because no client could show it. */
export const NOT_ASKED: RequestHandle = {
  ending: Promise.resolve({ reason: 'expired', isUnsent: true }),
  end() {},
};

/** Whether the operation was performed. */
export const wasDone = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' && ending.answer.error === undefined && ending.answer.decision !== 'deny';
