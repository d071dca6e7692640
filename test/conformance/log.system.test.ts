/** Tests the log of the real process at level info: what it contains, and what it never contains. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, says } from '../harness/story.ts';

let kernel: KernelProcess;
beforeAll(async () => {
  kernel = await startKernelProcess({ settings: { log: { level: 'info' } } });
});
afterAll(() => kernel.kill());

test('[API-8] logs each request as one line with its id, without secrets and message text', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat({ title: 'TITLE-WORD' });
  upstream.next(calls('c', 'no_such_tool', { input: 'INPUT-WORD' }), says('ANSWER-WORD'));
  await api.say(chat.id, 'MESSAGE-WORD', { context: 'CONTEXT-WORD' });
  upstream.next({ error: 'unauthorized' });
  await api.say(chat.id, 'MESSAGE-WORD');
  await api.get('/v1/chats?q=QUERY-WORD');
  const { headers } = await api.post(`/v1/chats/${chat.id}/messages`, { text: 7, images: 'BODY-WORD' });

  const asked = expect.objectContaining({
    method: 'POST',
    route: '/v1/chats/:id/messages',
    status: 422,
    request_id: headers['x-request-id'],
  });
  // The line is written after the response is sent.
  await vi.waitFor(() => expect(linesOf(kernel.log())).toContainEqual(asked));
  expect(kernel.log()).not.toMatch(/-WORD/);
});

const linesOf = (log: string): unknown[] =>
  log
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
