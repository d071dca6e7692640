/** Builds the surface of docs/surface.md as the page says, and runs it against a real kernel. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelClient } from '@chat-kernel/client';
import { expect, it } from 'vitest';
import { kernelOf } from '../harness/shared-kernel.ts';
import { says } from '../harness/story.ts';
import { WrittenSurface } from '../harness/written-surface.ts';

const PAGE = readFileSync(new URL('../../docs/surface.md', import.meta.url), 'utf8');

it('the example surface answers each person once, each in a separate chat', async () => {
  const [, name = ''] = /^chat-kernel module new (\w+) --surface$/m.exec(PAGE) ?? [];
  const [, body = ''] =
    /^curl -H 'content-type: application\/json' -d '(.*)' http:\/\/127.0.0.1:8790$/m.exec(PAGE) ?? [];
  const [, file = ''] = /^cat (\S+)$/m.exec(PAGE) ?? [];
  const kernel = await kernelOf();
  const hello = JSON.parse(body);
  const pager = await WrittenSurface.write(name, kernel.url, hello.from);
  expect(pager.sentFile).toBe(join(pager.folder, file));
  pager.start();
  const answered = (count: number) => expect.poll(() => pager.sent().length, { timeout: 60_000 }).toBe(count);
  kernel.upstream.next(says('The kernel.'), says('Ben.'), says('Always.'));
  await pager.post(hello);
  await answered(1);
  const ben = { ...hello, conversation: 'ben', from: 'ben', text: 'And who am I?' };
  await pager.post(ben);
  await answered(2);
  await pager.post(ben);
  await pager.post({ ...hello, id: '2', text: 'Still?' });
  await answered(3);
  expect(pager.sent()).toEqual(['ann: The kernel.', 'ben: Ben.', 'ann: Always.']);
  expect(kernel.upstream.requests).toHaveLength(3);
  const { chats } = await kernel.client.listChats({ shelf: name });
  expect(chats).toHaveLength(2);
  const { persons } = (await kernel.api.get('/v1/persons')).body;
  expect(persons.flatMap(({ external_ids }: { external_ids: object[] }) => external_ids)).toEqual([
    { surface: name, external_id: 'ben' },
  ]);
  const items = await Promise.all(chats.map(async ({ id }) => (await kernel.client.listItems(id)).items));
  const said = items.flat().filter(item => item.kind === 'user_message');
  expect(said.map(({ sender, master }) => [sender ?? null, master]).sort()).toEqual([
    [null, true],
    [null, true],
    ['ben', false],
  ]);
});

it('the client has every method that the page calls', () => {
  const named = new Set([...PAGE.matchAll(/`kernel\.(\w+)/g)].map(([, method = '']) => method));
  expect(named.size).toBeGreaterThan(4);
  const client = new KernelClient({ url: 'http://127.0.0.1:9' });
  const missing = [...named].filter(method => !(method in client));
  expect(missing).toEqual([]);
});
