/** Tests that programs which use the kernel through another API create chats that ask before they act. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { mcpClientOf } from '../harness/mcp.ts';
import { MODEL, openaiOf } from '../harness/openai.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, says } from '../harness/story.ts';

const interfaces: [name: string, ask: (kernel: TestKernel, text: string) => Promise<unknown>][] = [
  [
    'openai',
    (kernel, content) =>
      openaiOf(kernel).chat.completions.create({ model: MODEL, messages: [{ role: 'user', content }] }),
  ],
  [
    'mcp',
    async (kernel, text) =>
      (await mcpClientOf(kernel, 'auto')).callTool({ name: 'ask', arguments: { text } }),
  ],
];

const chatOn = async ({ client }: TestKernel, shelf: string) => (await client.listChats({ shelf })).chats[0];

test.each(
  interfaces,
)('[CONSENT-10] a change of the machine by the interface %s waits for the owner', async (shelf, ask) => {
  const kernel = await kernelOf();
  const path = join(directoryOfTest(), 'a.txt');
  kernel.upstream.next(calls('w', 'write_file', { path, content: 'a' }), says('Declined.'));
  const answer = ask(kernel, 'Write it.');
  const open = async () => (await kernel.client.listRequests()).requests;
  await vi.waitFor(async () => expect(await open()).toHaveLength(1), { timeout: 30_000, interval: 20 });
  const [request] = await open();
  await kernel.client.answerRequest(request!.chat_id, { id: request!.id, decision: 'deny' });
  await answer;
  expect(existsSync(path)).toBe(false);
  expect(await chatOn(kernel, shelf)).toMatchObject({ consent: 'ask' });
});

test.each(
  interfaces.flatMap(([shelf, ask]) =>
    (['auto', 'never'] as const).map(consent => [shelf, consent, ask] as const),
  ),
)('[CONSENT-10] the settings may let the interface %s act without asking: %s', async (shelf, consent, ask) => {
  const kernel = await kernelOf({ settings: { interfaces: { [shelf]: { consent } } } });
  kernel.upstream.next(says('Hello.'));
  await ask(kernel, 'Hello?');
  expect(await chatOn(kernel, shelf)).toMatchObject({ consent });
});
