/** Tests how long requests for consent wait. */
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { consentTimeouts } from '../src/client-machine/question.ts';

const { requests } = Settings.parse({});
const MAIL = { chat_id: 1, message_id: 2, module: 'mail' };

test.each([
  ['a client', {}, requests.client_op_timeout_secs],
  [
    'a client that shows where it answers',
    { anchor: { chat_id: 1, message_id: 2 } },
    requests.client_op_timeout_secs,
  ],
  ['a module such as mail', { anchor: MAIL }, requests.question_timeout_secs],
  [
    'a schedule',
    { schedule: { id: 'a', due_at: '2026-01-01T00:00:00.000Z' } },
    requests.question_timeout_secs,
  ],
])('[CONSENT-1] waits in a turn of %s as long as its people need', (_, parameters, timeout_secs) => {
  expect(consentTimeouts(requests, parameters as never)).toEqual({
    timeout_secs,
    unattended_timeout_secs: 30,
  });
  const own = { ...requests, consent_timeout_secs: 7 };
  expect(consentTimeouts(own, parameters as never).timeout_secs).toBe(7);
});
