/** Tests statements of the API document that no other test covers. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf } from '../harness/story.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const clock = new ManualClock();
const kernel = sharedKernel({ clock });

test('the registry has the built-in tools that the API document names', async () => {
  const { tools } = await kernel.client.listTools();
  const builtIn = tools.filter(({ source }) => source === 'builtin').map(({ name }) => name);
  expect(builtIn).toEqual(
    expect.arrayContaining([
      'read_file',
      'shell',
      'books_upload',
      'workdir',
      'think_harder',
      'ask_questions',
      'module_list',
      'module_approve',
    ]),
  );
});

test("computes the share of the window as the prompt without its prefix over the model's limit", async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [{ text: 'Hm.' }, { usage: { prompt: 60_000, completion: 1 } }] });
  const [usage] = eventsOf(await client.say(chat.id, 'Hi.'), 'usage');
  const { prefix_tokens } = await client.getSpend(chat.id);
  const { context_windows } = await client.listModels();
  const ceiling = context_windows[usage?.model as string] as number;
  expect([usage?.prompt_tokens, ceiling]).toEqual([60_000, 100_000]);
  // The prefix before any message is a part of the prompt, but not most of it.
  expect(prefix_tokens).toBeGreaterThan(0);
  expect(((usage?.prompt_tokens as number) - prefix_tokens) / ceiling).toBeGreaterThan(0.5);
});

test('reads bytes of machines over the API, and never writes them', async () => {
  const { json } = await kernel.api.document();
  const operations = Object.keys(json.paths).filter(path => path.includes('/ops/'));
  expect(operations.filter(path => path.endsWith('/ops/read_bytes'))).toHaveLength(2);
  expect(operations.filter(path => /write|shell|truncate/.test(path))).toEqual([]);
});

test('requests are operations and questions, and end for one of four reasons, without a permission kind', async () => {
  const { properties } = (await kernel.api.document()).schema('RequestResolvedEvent');
  expect(properties.kind.enum).toEqual(['op', 'question']);
  expect(properties.reason.enum).toEqual(['answered', 'expired', 'turn_ended', 'cancelled']);
});

test('shipped modules depend only on the API of the kernel, not on its store or core', () => {
  const packages = globSync('modules/*/package.json', { cwd: ROOT });
  expect(packages.length).toBeGreaterThan(1);
  const needed = packages.flatMap(file =>
    Object.keys(JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')).dependencies),
  );
  const own = new Set(needed.filter(name => name.startsWith('@chat-kernel/')));
  // `npm run check` rejects an import of a package that is not a dependency.
  expect([...own].toSorted()).toEqual([
    '@chat-kernel/base',
    '@chat-kernel/client',
    '@chat-kernel/module-sdk',
    '@chat-kernel/net',
    '@chat-kernel/protocol',
    '@chat-kernel/text',
  ]);
});

test('puts the API under /v1, except for files, images and monitoring', async () => {
  const { json } = await kernel.api.document();
  const outside = Object.keys(json.paths).filter(path => !path.startsWith('/v1/'));
  expect(outside.toSorted()).toEqual(['/files/{id}', '/healthz', '/images/{id}', '/metrics', '/readyz']);
});
