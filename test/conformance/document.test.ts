/** Tests statements of the API document that no other test covers. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ApiClient } from '../harness/client.ts';
import { ManualClock } from '../harness/clock.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { KINDS } from '../harness/settings.ts';
import { calls, eventsOf } from '../harness/story.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const clock = new ManualClock();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ clock });
});
afterAll(() => kernel.stop());

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

test('returns the same shelf of videos and subscriptions to every client', async () => {
  const [one, other] = [kernel.api, new ApiClient(kernel.url)];
  await one.put('/v1/video/history/shared', { duration_s: 100, position_s: 50 });
  await other.put('/v1/video/subscriptions/channel', { title: 'A channel' });
  onTestFinished(async () => {
    await one.delete('/v1/video/history');
    await one.delete('/v1/video/subscriptions/channel');
  });
  for (const path of ['/v1/video/history', '/v1/video/subscriptions']) {
    const { body } = await one.get(path);
    expect(JSON.stringify(body)).toMatch(/shared|A channel/);
    expect((await other.get(path)).body).toEqual(body);
  }
});

test('counts reasoning as part of the completion tokens, whichever provider counted it', async () => {
  for (const kind of KINDS) {
    const own = await startKernel({ kind });
    onTestFinished(own.stop);
    own.upstream.next({
      steps: [{ text: 'Hm.' }, { usage: { prompt: 100, completion: 50, reasoning: 20, cached: 0 } }],
    });
    const events = await own.client.say((await own.client.createChat()).id, 'Hi.');
    expect([kind, eventsOf(events, 'usage')]).toMatchObject([
      kind,
      [{ prompt_tokens: 100, completion_tokens: 50, reasoning_tokens: 20 }],
    ]);
  }
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

test('expires a replayed request without an answer, and gives the model an error', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('late', 'scan', {}));
  const scan = { name: 'scan', description: 'Scans.' };
  const lost = await client.begin(chat.id, { text: 'Go.', extra_tools: [scan] });
  await lost.until('extra_tool_call');
  lost.hangUp();
  const back = await api.live(chat.id);
  expect(await back.until('extra_tool_call')).toMatchObject({ id: 'late', replayed: true });
  const [pending] = (await client.listRequests()).requests;
  clock.advance(Date.parse(pending!.expires_at) - clock.now());
  const events = await back.all();
  const [resolved] = eventsOf(events, 'request_resolved');
  expect(resolved).toEqual({ type: 'request_resolved', id: 'late', kind: 'op', reason: 'expired' });
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ id: 'late', is_error: true }]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(upstream.requests.at(-1)?.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    tool_call_id: 'late',
  });
});

test('requires a message for a fork, and accepts a title', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat({ title: 'Trip' });
  const { messageId } = await client.begin(chat.id, { text: 'Hi.' }).then(async turn => {
    await turn.all();
    return turn;
  });
  const fork = (body: object) => api.post(`/v1/chats/${chat.id}/fork`, body);
  expect(await fork({ title: 'Branch' })).toMatchObject({
    status: 422,
    body: { code: 'schema_mismatch', errors: [{ pointer: '/before_message' }] },
  });
  expect((await fork({ before_message: messageId })).body).toMatchObject({ title: 'Trip' });
  expect((await fork({ before_message: messageId, title: 'Branch' })).body).toMatchObject({
    title: 'Branch',
    forked_from: chat.id,
    forked_at_message: messageId,
  });
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
