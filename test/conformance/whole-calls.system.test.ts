/** Tests one decision about all commands of a call on the server (HANDS-7). */
import { expect, test } from 'vitest';
import { OFFERED } from '../harness/decision.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

test('[HANDS-7] [CONSENT-1] sends one request for all commands of a call, and lists them in the history', async () => {
  const { client, upstream } = await kernelOf();
  const fields = { workdir: directoryOfTest(), workdir_on: 'server', consent: 'ask' } as const;
  const chat = (await client.createChat(fields)).id;
  upstream.next(calls('c', 'shell', { commands: ['echo one', 'echo two'] }), says('Done.'));
  const stream = await client.begin(chat, { text: 'Go.', consents: true, whole_calls: true }, event => {
    if (event.type === 'consent_request')
      void client.answerRequest(chat, { id: event.id, decision: 'allow' });
  });
  expect(eventsOf(await stream.all(), 'consent_request')).toMatchObject([
    { command: 'echo one', call: ['echo one', 'echo two'], decisions: OFFERED },
  ]);
  expect(JSON.stringify(upstream.requests.at(-1)!.body.messages.at(-1))).toMatch(/one.*two/);
  const { decisions } = await client.listDecisions({ limit: 1 });
  expect(decisions).toMatchObject([{ chat_id: chat, call: ['echo one', 'echo two'] }]);
});
