/** Tests the AI SDK's own chat with a real kernel through the transport. */
import { KernelClient } from '@chat-kernel/client';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel } from '../../../test/harness/kernel.ts';
import { largePng } from '../../../test/harness/large-png.ts';
import { kernelOf, sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, held, says, stuck } from '../../../test/harness/story.ts';
import { startUpstream } from '../../../test/upstream/server.ts';
import { startCutter } from '../../client/test/cutter.ts';
import {
  KernelChatTransport,
  type KernelChatTransportOptions,
  type KernelPart,
  type KernelUIMessage,
  loadHistory,
} from '../src/index.ts';
import { Page } from './page.ts';

let client: KernelClient;
const kernel = sharedKernel();
beforeAll(() => {
  client = new KernelClient({ url: kernel.url });
});

const newPage = async (options: KernelChatTransportOptions = {}): Promise<Page> => {
  const { id } = await client.createChat({ title: 'Page' });
  return new Page(id, new KernelChatTransport(client, options));
};
/** The page after a reload: new objects, and the data of the kernel. */
const reloaded = async ({ id }: Page, options: KernelChatTransportOptions = {}): Promise<Page> =>
  new Page(id, new KernelChatTransport(client, options), await loadHistory(client, id));

/** Parts as in both history and a stream. */
const comparable = (parts: readonly KernelPart[]): object[] =>
  parts
    .filter(({ type }) => type !== 'data-usage')
    // JSON has no undefined fields.
    .map(part => JSON.parse(JSON.stringify({ ...part, id: undefined })));
const said = (messages: readonly KernelUIMessage[]) =>
  messages.map(({ role, parts }) => [
    role,
    parts.map(part => (part.type === 'text' ? part.text : '')).join(''),
  ]);
const isRunning = async ({ id }: Page) => (await client.getChat(id)).turn !== null;

it('streams a turn as a message: thinking, a tool with its output, text, and cost', async () => {
  kernel.upstream.next(
    {
      steps: [
        { thinking: 'Hm.' },
        { text: 'Let me see.' },
        { call: { id: 'n', name: 'notebook', input: { text: 'Tea.', mode: 'append' } } },
      ],
    },
    { steps: [{ text: ['It is ', 'green.'] }] },
  );
  const page = await newPage();
  await page.sendMessage({ text: 'Which tea?' });
  expect(page.status).toBe('ready');
  expect(comparable(page.parts)).toMatchObject([
    { type: 'reasoning', text: 'Hm.', state: 'done' },
    { type: 'text', text: 'Let me see.', state: 'done' },
    { type: 'dynamic-tool', toolName: 'notebook', state: 'output-available', input: { text: 'Tea.' } },
    { type: 'text', text: 'It is green.', state: 'done' },
  ]);
  const { metadata, parts } = page.lastMessage as KernelUIMessage;
  expect(metadata).toMatchObject({ status: 'completed', usage: { prompt_tokens: expect.any(Number) } });
  expect(parts.filter(({ type }) => type === 'data-usage')).toHaveLength(1);

  const opened = await reloaded(page);
  expect(opened.messages.map(({ id }) => id)).toEqual([expect.any(String), metadata?.turn_id]);
  expect(comparable(opened.parts)).toEqual(comparable(page.parts));
  expect(said(opened.messages)).toEqual(said(page.messages));
});

it('shows the error of a failed tool, and reports a failed turn as the error of the page', async () => {
  kernel.upstream.next(calls('r', 'no_such_tool', {}), {
    steps: [{ text: 'Well' }, { error: 'bad_request' }],
  });
  const page = await newPage();
  await page.sendMessage({ text: 'Go.' });
  expect(page.status).toBe('error');
  expect(page.error?.message).toMatch(/./);
  expect(page.parts[0]).toMatchObject({ state: 'output-error', errorText: expect.stringMatching(/./) });
  expect(page.lastMessage?.metadata?.status).toBe('failed');
  const missing = new Page(crypto.randomUUID(), new KernelChatTransport(client));
  await missing.sendMessage({ text: 'Go.' });
  expect(missing.error).toMatchObject({ name: 'KernelApiError', code: 'not_found' });
});

it('resumes the running turn on a page that opens during it, and ends like the history', async () => {
  const gate = held({ text: 'second half.' });
  kernel.upstream.next(calls('n', 'notebook', { text: 'Tea.', mode: 'append' }), {
    steps: [{ text: 'First half, ' }, ...(gate.reply.steps ?? [])],
  });
  const page = await newPage({ stop: 'leave' });
  const sending = page.sendMessage({ text: 'Go.' });
  await expect.poll(() => page.text).toBe('First half, ');
  const next = await reloaded(page);
  expect(next.messages).toHaveLength(2);
  const resuming = next.resumeStream();
  await expect.poll(() => next.text).toBe('First half, ');
  expect([next.status, next.messages.length]).toEqual(['streaming', 2]);
  gate.go();
  await Promise.all([sending, resuming]);
  expect(next.status).toBe('ready');
  expect(comparable(next.parts)).toEqual(comparable(page.parts));
  expect(said(next.messages)).toEqual([
    ['user', 'Go.'],
    ['assistant', 'First half, second half.'],
  ]);
  expect((await reloaded(page)).messages.map(({ id }) => id)).toEqual(next.messages.map(({ id }) => id));
  await next.resumeStream();
  expect([next.status, next.messages.length]).toEqual(['ready', 2]);
});

it('stop cancels the turn, and the next message starts its own turn', async () => {
  kernel.upstream.next({ steps: [{ text: 'I say' }, ...(held().reply.steps ?? [])] }, says('Fine.'));
  const page = await newPage();
  void page.sendMessage({ text: 'Go.' });
  await expect.poll(() => page.text).toBe('I say');
  const { turn } = await client.getChat(page.id);
  await page.stop();
  await page.sendMessage({ text: 'And now?' });
  // It has waited for the stop, and not in the queue behind the turn.
  expect(page.pauses).toEqual([]);
  expect((await client.getTurn(page.id, turn?.id ?? '')).status).toBe('cancelled');
  expect(said(page.messages).slice(1)).toEqual([
    ['assistant', 'I say'],
    ['user', 'And now?'],
    ['assistant', 'Fine.'],
  ]);
});

it('stop cancels a resumed turn, too', async () => {
  kernel.upstream.next(stuck({ text: 'I say' }));
  const first = await newPage();
  const sending = first.sendMessage({ text: 'Go.' });
  await expect.poll(() => first.text).toBe('I say');
  const page = await reloaded(first);
  const resuming = page.resumeStream();
  await expect.poll(() => page.status).toBe('streaming');
  await page.stop();
  // A stop by another client is a normal end.
  await Promise.all([resuming, sending]);
  expect([first.status, first.lastMessage?.metadata?.status]).toEqual(['ready', 'cancelled']);
  expect(await isRunning(page)).toBe(false);
});

it('does not treat a second resume in the same tick as a stop', async () => {
  const gate = held({ text: ' so.' });
  kernel.upstream.next({ steps: [{ text: 'I say' }, ...(gate.reply.steps ?? [])] });
  const first = await newPage();
  const sending = first.sendMessage({ text: 'Go.' });
  await expect.poll(() => first.text).toBe('I say');
  const page = await reloaded(first);
  const attempts = [page.resumeStream()];
  await expect.poll(() => page.status).toBe('streaming');
  // As React does in development: the effect runs, is undone, and runs again.
  attempts.push(page.stop(), page.resumeStream());
  // A cancel would have arrived during this many requests.
  for (let n = 0; n < 20; n++) expect(await isRunning(page)).toBe(true);
  gate.go();
  await Promise.all([...attempts, sending]);
  expect([page.status, page.text]).toEqual(['ready', 'I say so.']);
});

it('stop only disconnects if the page detaches, and the turn continues', async () => {
  const gate = held({ text: 'said.' });
  kernel.upstream.next({ steps: [{ text: 'All is ' }, ...(gate.reply.steps ?? [])] });
  const page = await newPage({ stop: 'leave' });
  void page.sendMessage({ text: 'Go.' });
  await expect.poll(() => page.text).toBe('All is ');
  await page.stop();
  gate.go();
  await expect.poll(() => isRunning(page)).toBe(false);
  expect((await reloaded(page)).text).toBe('All is said.');
});

it('stop removes a queued message, and does not affect the running turn', async () => {
  const gate = held({ text: 'one' });
  kernel.upstream.next(gate.reply);
  const page = await newPage();
  const first = client.turn(page.id, { text: '1' });
  await first.started;
  void page.sendMessage({ text: '2' });
  await expect.poll(() => page.pauses).toEqual([{ status: 'queued', position: 1 }]);
  await page.stop();
  await expect.poll(async () => said(await loadHistory(client, page.id))).toEqual([['user', '1']]);
  gate.go();
  expect(await first.result()).toMatchObject({ status: 'completed', text: 'one' });
});

it('stop before the message arrives leaves no turn behind', async () => {
  kernel.upstream.next(stuck({ text: 'Too late.' }), says('In time.'));
  const slow = new KernelClient({
    url: kernel.url,
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (String(input).endsWith('/messages')) await arrived.promise;
      return answer;
    },
  });
  const arrived = Promise.withResolvers<void>();
  const page = new Page((await client.createChat()).id, new KernelChatTransport(slow));
  const sending = page.sendMessage({ text: 'Go.' });
  await expect.poll(() => isRunning(page)).toBe(true);
  await page.stop();
  await sending;
  expect([page.status, page.error]).toEqual(['ready', undefined]);
  arrived.resolve();
  await expect.poll(() => isRunning(page)).toBe(false);
  await page.regenerate();
  expect(said(await loadHistory(client, page.id))).toEqual([
    ['user', 'Go.'],
    ['assistant', 'In time.'],
  ]);
});

it('shows queued messages on a page that opens before them, and follows each turn', async () => {
  const gates = [held({ text: 'one' }), held({ text: 'two' })];
  kernel.upstream.next(...gates.map(({ reply }) => reply));
  const first = await newPage();
  for (const text of ['1', '2']) await client.turn(first.id, { text }).started;
  const page = await reloaded(first);
  expect(page.messages.map(({ metadata }) => metadata?.waiting ?? false)).toEqual([false, true]);
  for (const gate of gates) {
    page.messages = await loadHistory(client, page.id);
    const resuming = page.resumeStream();
    await expect.poll(() => page.status).toBe('submitted');
    gate.go();
    await resuming;
  }
  const history = said(await loadHistory(client, page.id));
  expect(history.map(([, text]) => text)).toEqual(['1', 'one', '2', 'two']);
  expect(said(page.messages)).toEqual(history);
});

it('deletes the old messages from the kernel when an answer is regenerated or a message edited', async () => {
  kernel.upstream.next(says('One.'), says('Two.'), says('Three.'), says('Four.'), says('Five.'));
  const page = await newPage();
  await page.sendMessage({ text: 'Count.' });
  await page.regenerate();
  const counted = [
    ['user', 'Count.'],
    ['assistant', 'Two.'],
  ];
  expect(said(page.messages)).toEqual(counted);
  const opened = await reloaded(page);
  expect(said(opened.messages)).toEqual(counted);
  await opened.regenerate({ messageId: opened.messages[1]?.id ?? '' });
  expect(said(await loadHistory(client, page.id))).toEqual([counted[0], ['assistant', 'Three.']]);
  await opened.sendMessage({ text: 'Count on.', messageId: opened.messages[0]?.id ?? '' });
  expect(said(await loadHistory(client, page.id))).toEqual(said(opened.messages));
  expect(said(opened.messages)).toEqual([
    ['user', 'Count on.'],
    ['assistant', 'Four.'],
  ]);

  const [message] = await loadHistory(client, page.id);
  await client.rewind(page.id, message?.id ?? '');
  await opened.regenerate();
  expect(said(await loadHistory(client, page.id))).toEqual([
    ['user', 'Count on.'],
    ['assistant', 'Five.'],
  ]);
});

it('survives a dropped connection without an error or repeated text', async () => {
  const wire = await startCutter(kernel.url);
  const chat = await client.createChat({ title: 'Cut' });
  const cut = new KernelClient({ url: wire.url });
  const page = new Page(chat.id, new KernelChatTransport(cut, { stream: { retryMs: 5 } }));
  const gate = held({ text: 'two ' });
  kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? []), { text: 'three' }] });
  const sending = page.sendMessage({ text: 'Go.' });
  await expect.poll(() => page.text).toBe('one ');
  wire.cut();
  gate.go();
  await sending;
  expect([page.status, page.text]).toEqual(['ready', 'one two three']);
  await wire.close();
});

it('shows plans, images and compactions as parts', async () => {
  const tasks = [{ title: 'Brew', status: 'pending' }];
  const image = { media_type: 'image/png', bytes: largePng(2, 2) };
  kernel.upstream.next(calls('p', 'plan', { tasks }), { steps: [{ image }, { text: 'Drawn.' }] });
  const page = await newPage();
  await page.sendMessage({ text: 'Draw it.' });
  expect(page.parts).toContainEqual({ type: 'data-plan', id: 'plan', data: { tasks } });
  const opened = await reloaded(page);
  const inHistory = page.parts.filter(({ type }) => type !== 'data-plan');
  expect(comparable(opened.parts)).toEqual(comparable(inHistory));
  const file = opened.parts.find(part => part.type === 'file');
  expect(Buffer.from(await (await fetch(file?.url ?? '')).arrayBuffer()).equals(image.bytes)).toBe(true);
});

it('returns the history up to a limit, the newest messages last', async () => {
  const { id } = await client.createChat({ title: 'Long' });
  for (const text of ['1', '2', '3']) await kernel.api.say(id, text);
  const texts = async (limit: number) => (await loadHistory(client, id, { limit })).map(({ role }) => role);
  expect(await texts(3)).toEqual(['assistant', 'user', 'assistant']);
  expect(await texts(Infinity)).toHaveLength(6);
  expect(await loadHistory(client, (await client.createChat()).id)).toEqual([]);
});

it('shows a turn that ends during a resume with its final state', async () => {
  const gate = held({ text: 'in time.' });
  kernel.upstream.next({ steps: [{ text: 'Just ' }, ...(gate.reply.steps ?? [])] });
  const { id } = await client.createChat();
  const turn = client.turn(id, { text: 'Go.' });
  await turn.started;
  const late = new KernelClient({
    url: kernel.url,
    async fetch(input, init) {
      if (String(input).includes('/live')) {
        gate.go();
        await turn.result();
      }
      return fetch(input, init);
    },
  });
  const page = new Page(id, new KernelChatTransport(late), await loadHistory(client, id));
  await page.resumeStream();
  expect([page.status, page.text]).toEqual(['ready', 'Just in time.']);
  expect(page.lastMessage?.metadata?.status).toBe('completed');
  expect(page.messages).toHaveLength(2);
});

it('repeats no text after a kernel restart during a turn, and reports the failed turn', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const settings = { server: { shutdown_grace_secs: 0 } };
  const old = await startKernel({ upstream, dataDir: directory.path, settings });
  const wire = await startCutter(old.url);
  onTestFinished(() => wire.close());
  const calm = new KernelClient({ url: wire.url });
  upstream.next(calls('n', 'notebook', { text: 'Tea.', mode: 'append' }), stuck({ text: 'half' }));
  const { id } = await calm.createChat();
  const page = new Page(id, new KernelChatTransport(calm, { stream: { retryMs: 5 } }));
  const sending = page.sendMessage({ text: 'Go.' });
  await expect.poll(() => page.text).toBe('half');
  wire.refuse(true);
  wire.cut();
  await old.stop();
  const next = await kernelOf({ upstream, dataDir: directory.path, settings });
  wire.leadTo(next.url);
  wire.refuse(false);
  await sending;
  expect([page.status, page.text]).toEqual(['error', 'half']);
  expect(page.parts.filter(({ type }) => type === 'dynamic-tool')).toHaveLength(1);
  const live = page.parts.filter(({ type }) => type !== 'data-note');
  const stored = (await loadHistory(calm, id)).at(-1)?.parts.filter(({ type }) => type !== 'data-note') ?? [];
  expect(comparable(live)).toEqual(comparable(stored));
});
