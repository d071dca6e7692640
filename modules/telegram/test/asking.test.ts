/** The buttons under a request, and the fields that its text shows. */
import { DECISION_FACTS, type PendingRequest } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { addAllowToday } from '../../../test/harness/decision.ts';
import { renderRequest } from '../src/render-request.ts';

const event = {
  type: 'consent_request',
  id: 'o',
  op_id: 'o',
  action: 'shell',
  command: 'make',
  hands: null,
  reason: 'Because.',
  outside: ['web:example.org', 'mcp:github'],
  decisions: ['allow', 'allow_session', 'allow_today', 'allow_always', 'allow_prefix', 'allow_later', 'deny'],
};

test('shows a labeled button for each known decision about the operation', () => {
  addAllowToday(DECISION_FACTS);
  const shown = renderRequest({ event } as unknown as PendingRequest);
  expect(shown?.choices.map(({ label }) => label)).toEqual([
    'Allow once',
    'Deny',
    'Allow for this session',
    'Always allow',
    'Allow for today',
  ]);
  expect(shown?.text).toBe(
    'The model wants to run a command on the server:\nBecause.\nThis turn has read: web:example.org, mcp:github\n\ncommand: make',
  );
});

test('shows all commands that the decision covers, to the character [HANDS-7]', () => {
  const call = ['make', 'echo \u202ea\nls'];
  const shown = renderRequest({ event: { ...event, call, timeout_secs: 9 } } as unknown as PendingRequest);
  expect(shown?.text).toBe(
    'The model wants to run 2 commands on the server:\nBecause.\nThis turn has read: web:example.org, mcp:github\n\n1. make\n2. echo <U+202E>a\nls\ntimeout_secs: 9',
  );
});
