/** Tests which answers a request to a client accepts. */
import type { OpsResult } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import type { NewRequest } from '../src/index.ts';
import { checkAnswer } from '../src/requests/check-answer.ts';

/** Where the answer is wrong; undefined if it is accepted. */
function mistake(answer: Partial<OpsResult>, request: object): string | undefined {
  try {
    checkAnswer(answer as OpsResult, request as NewRequest);
  } catch (error) {
    return (error as { errors: { pointer: string }[] }).errors[0]?.pointer;
  }
  return undefined;
}
const operation = (hands?: string | null, decisions: string[] = []) => ({
  kind: 'op',
  event: hands === undefined ? { type: 'client_op' } : { type: 'consent_request', hands },
  decisions,
});

it('accepts only decisions that were offered', () => {
  expect(mistake({ decision: 'allow_once' }, operation(undefined, ['allow_once', 'deny']))).toBeUndefined();
  expect(mistake({ decision: 'allow_always' }, operation(undefined, ['allow_once']))).toBe('/decision');
  expect(mistake({ decision: 'allow_once' }, operation())).toBe('/decision');
});

it('accepts a result only from the client that executes the operation', () => {
  const result = { result: 'done' };
  expect(mistake(result, operation())).toBeUndefined();
  expect(mistake(result, operation(undefined, ['allow_once']))).toBeUndefined();
  // On a stand-by machine, and on that of the kernel.
  expect(mistake(result, operation('attic', ['allow_once']))).toBe('/decision');
  expect(mistake(result, operation(null, ['allow_once']))).toBe('/decision');
  expect(mistake({ error: 'no' }, operation('attic', ['allow_once']))).toBe('/decision');
});

it('needs an answer to a question, and a result, blocks or an error of an operation', () => {
  const question = { kind: 'question', event: { type: 'tool_call' } };
  expect(mistake({ answer: 'yes' }, question)).toBeUndefined();
  expect(mistake({}, question)).toBe('/answer');
  expect(mistake({}, operation())).toBe('/result');
  expect(mistake({ error: 'no' }, operation())).toBeUndefined();
  expect(mistake({ blocks: [] }, operation())).toBeUndefined();
});
