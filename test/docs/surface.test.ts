/** The surface of docs/surface.md is made as the page says, and runs against a real kernel. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KernelClient } from '@chat-kernel/client';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel } from '../harness/kernel.ts';
import { says } from '../harness/story.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PAGE = readFileSync(at('docs/surface.md'), 'utf8');

/** What the page leaves to its reader: a pager that has three messages, and keeps what it is sent in a file. */
const readerOf = (sent: string) => `
  import { appendFileSync } from 'node:fs';
  import { once } from 'node:events';
  async function* received(signal: AbortSignal) {
    yield { id: 1, from: 'ann', text: 'Who is there?' };
    yield { id: 2, from: 'ben', text: 'And who am I?' };
    yield { id: 2, from: 'ben', text: 'And who am I?' };
    yield { id: 3, from: 'ann', text: 'Still?' };
    if (!signal.aborted) await once(signal, 'abort');
  }
  const chats = new Map<string, string>();
  async function chatOf(from: string, make: () => Promise<{ id: string }>): Promise<string> {
    const chat = chats.get(from) ?? (await make()).id;
    chats.set(from, chat);
    return chat;
  }
  const send = (to: string, text: string) => appendFileSync(${JSON.stringify(sent)}, to + ': ' + text + '\\n');
`;

it('the pager of the page answers its people, each in a chat of their own, and nobody twice', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const [, command = '', name = ''] = /`chat-kernel (module new (\w+))`, and in `module.ts`/.exec(PAGE) ?? [];
  await promisify(execFile)(
    process.execPath,
    [at('packages/server/bin/chat-kernel.js'), ...command.split(' ')],
    { cwd: directory.path },
  );
  const folder = join(directory.path, name);
  // As `npm install` links it.
  mkdirSync(join(folder, 'node_modules/@chat-kernel'), { recursive: true });
  symlinkSync(at('packages/module-sdk'), join(folder, 'node_modules/@chat-kernel/module-sdk'));
  const [block = '', ...others] = [...PAGE.matchAll(/\n```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(others).toEqual([]);
  const sent = join(directory.path, 'sent');
  writeFileSync(join(folder, 'module.ts'), readerOf(sent) + block);

  const args = [join(folder, 'module.ts'), '--stdio'];
  const kernel = await startKernel({
    settings: { modules: { servers: { [name]: { command: process.execPath, args } } } },
  });
  onTestFinished(kernel.stop);
  kernel.upstream.next(says('The kernel.'), says('Ben.'), says('Always.'));
  const lines = () => (existsSync(sent) ? readFileSync(sent, 'utf8').trim().split('\n') : []);
  await expect.poll(() => lines().length, { timeout: 60_000 }).toBe(4);
  // A repeat attaches to the turn that there is: its answer is sent again, and no model is asked.
  expect(lines()).toEqual(['ann: The kernel.', 'ben: Ben.', 'ben: Ben.', 'ann: Always.']);
  expect(kernel.upstream.requests).toHaveLength(3);
  const { chats } = await kernel.client.listChats({ shelf: name });
  expect(chats).toHaveLength(2);
  const { persons } = (await kernel.api.get('/v1/persons')).body;
  expect(persons.flatMap(({ external_ids }: { external_ids: object[] }) => external_ids)).toEqual(
    expect.arrayContaining([
      { surface: name, external_id: 'ann' },
      { surface: name, external_id: 'ben' },
    ]),
  );
  const items = await Promise.all(chats.map(async ({ id }) => (await kernel.client.listItems(id)).items));
  const said = items.flat().filter(item => item.kind === 'user_message');
  expect(said.map(({ sender, master }) => [sender, master]).sort()).toEqual([
    ['ann', false],
    ['ann', false],
    ['ben', false],
  ]);
});

it('what the page calls is in the client', () => {
  const named = new Set([...PAGE.matchAll(/`kernel\.(\w+)/g)].map(([, method = '']) => method));
  expect(named.size).toBeGreaterThan(4);
  const client = new KernelClient({ url: 'http://127.0.0.1:9' });
  const missing = [...named].filter(method => !(method in client));
  expect(missing).toEqual([]);
});
