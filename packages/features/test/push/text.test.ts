/** Tests the texts of notifications about requests. */
import type { PendingRequest } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { decidedBy } from '../../src/push/decisions.ts';
import { requestText } from '../../src/push/text.ts';

const request = (changes: object): PendingRequest => ({
  id: 'o',
  kind: 'op',
  chat_id: 'c',
  turn_id: 't',
  opened_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:10:00.000Z',
  event: {
    type: 'consent_request',
    id: 'o',
    op_id: 'o',
    action: 'shell',
    command: 'make',
    workdir: '/srv',
    decisions: ['allow', 'deny'],
    reason: `mail sends\n${'x'.repeat(300)}`,
    outside: [],
    ...changes,
  },
});

test('names all commands that a decision covers, and offers no button that allows them [HANDS-7] [PUSH-2]', () => {
  const whole = request({ call: ['make', 'rm -rf build'] });
  expect(requestText(whole)).toBe('shell (2): make · rm -rf build');
  expect(decidedBy(whole).decisions).toEqual(['deny']);
  expect(decidedBy(request({})).decisions).toEqual(['allow', 'deny']);
});

test('has the reason on one line, cut to the length of a text [CONSENT-1]', () => {
  const { reason = '' } = decidedBy(request({}));
  expect(reason).toMatch(/^mail sends x+…$/);
  expect(reason).toHaveLength(200);
});
