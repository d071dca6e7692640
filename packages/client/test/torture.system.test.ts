/**
 * Tests a turn whose connection is cut after every single byte, and one whose kernel is killed: both arrive complete,
 * with an end.
 */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { startKernelProcess } from '../../../test/harness/process.ts';
import { atScale } from '../../../test/harness/scale.ts';
import { SILENCE } from '../../../test/harness/story.ts';
import { startUpstream } from '../../../test/upstream/server.ts';
import { applyEvents, ChatView, KernelClient, newTurn, type TurnEvent } from '../src/index.ts';
import { startCutter } from './cutter.ts';

let kernel: TestKernel;
beforeAll(async () => {
  // On this clock no time passes: an ended turn is stored for a minute, and reading it this often may take longer.
  kernel = await startKernel({ clock: new ManualClock() });
});
afterAll(() => kernel.stop());

const bare = (event: TurnEvent) => ({ ...event, replayed: undefined });
const sinceReset = (events: TurnEvent[]) =>
  events.slice(events.findLastIndex(({ type }) => type === 'reset') + 1);

it('[TURN-11] [TURN-12] delivers a turn unchanged for a cut anywhere in its stream (after every byte at scale)', async () => {
  const wire = await startCutter(kernel.url);
  onTestFinished(wire.close);
  kernel.upstream.next({ steps: [{ text: ['Hé', 'llo ', '🙂'], delay_ms: 2 }] });
  const chat = await kernel.api.newChat({ title: 'Torture' });
  const key = { 'idempotency-key': 'torture' };
  const request = { text: 'Go.' };
  const stream = await kernel.api.turn(chat.id, request, key);
  const whole: TurnEvent[] = await stream.all();
  const bytes = Buffer.byteLength(stream.raw) + 400;
  const spoken = kernel.upstream.requests.length;
  // Every connection of a client is cut at the same position, so that none gets further than that.
  const client = new KernelClient({ url: wire.url });
  const step = atScale(11, 1);
  const positions = Array.from({ length: Math.floor(bytes / step) }, (_, index) => 1 + index * step);
  const readCutAt = async (position: number) => {
    wire.cutAfter(position, position + 200);
    const options = { idempotencyKey: 'torture', retryMs: 0 };
    const events = await Array.fromAsync(client.turn(chat.id, request, options));
    expect([position, events.filter(({ type }) => type === 'done').length]).toEqual([position, 1]);
    expect([position, sinceReset(events).map(bare)]).toEqual([position, whole.map(bare)]);
    expect(applyEvents(newTurn(), events).items).toEqual(applyEvents(newTurn(), whole).items);
  };
  for (const position of positions) await readCutAt(position);
  expect(wire.connections).toBeGreaterThan(positions.length);
  expect(kernel.upstream.requests.length).toBe(spoken);
}, 300_000);

it('[TURN-11] shows two clients the end of a turn whose kernel was killed', async () => {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const start = () => startKernelProcess({ upstream, dataDir: directory.path });
  const old = await start();
  const wire = await startCutter(old.url);
  onTestFinished(wire.close);
  const client = new KernelClient({ url: wire.url });
  const chat = await client.createChat({ title: 'Killed' });
  upstream.next({ steps: [{ text: 'half' }, SILENCE] });
  const heard = Promise.withResolvers<void>();
  const read = async (
    events: AsyncIterable<TurnEvent>,
    onText: () => void,
    enough: (event: TurnEvent) => boolean,
  ) => {
    const read: TurnEvent[] = [];
    for await (const event of events) {
      read.push(event);
      if (event.type === 'text_delta') onText();
      if (enough(event)) break;
    }
    return read;
  };
  const options = { retryMs: 20 };
  const view = new ChatView(client, chat.id, options);
  onTestFinished(() => view.close());
  const starter = client.turn(chat.id, { text: 'Go.' }, options);
  const watching = read(
    client.live(chat.id, { follow: true, ...options }),
    heard.resolve,
    ({ type }) => type === 'reset',
  );
  const starting = read(
    starter,
    () => {},
    () => false,
  );
  await heard.promise;
  await view.until(({ items }) => items.some(item => item.kind === 'agent_message' && item.text === 'half'));
  await old.kill();
  const next = await start();
  onTestFinished(async () => void (await next.stop()));
  wire.leadTo(next.url);
  const [told, watched] = await Promise.all([starting, watching]);
  const end = sinceReset(told);
  expect(end.find(({ type }) => type === 'error')).toMatchObject({ code: 'kernel_restarted' });
  expect(end.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  const turn = applyEvents(newTurn(), told);
  expect(turn).toMatchObject({ status: 'failed', error: { code: 'kernel_restarted' } });
  // Text since the last checkpoint may be lost; the note that the turn was cut off is not.
  expect(turn.items.at(-1)).toMatchObject({ kind: 'machine_note', note: 'kernel_restarted' });
  expect(turn.items.some(({ status }) => status === 'running')).toBe(false);
  // The other client only watched: no turn is running, and a reset makes it read the history.
  expect(watched.at(-1)).toEqual({ type: 'reset' });
  const shown = await view.until(({ busy, items }) => !busy && items.at(-1)?.kind === 'machine_note');
  expect(shown.items).toEqual(await next.api.items(chat.id));
});
