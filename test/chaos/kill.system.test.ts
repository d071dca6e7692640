import type { Item, Turn } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import type { EventStream } from '../harness/event-stream.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { atScale } from '../harness/scale.ts';
import { eventsOf, textOf } from '../harness/story.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { startUpstream } from '../upstream/server.ts';

/** A machine on which kernels start slowly makes fewer kills, but at least this many. */
const FEWEST_KILLS = 5;
const KILLS = Number(process.env.KILLS ?? atScale(8, 60));
/** A requested number of kills is completed, however long it takes. */
const KILLING_MS = process.env.KILLS === undefined ? atScale(20_000, 150_000) : Number.POSITIVE_INFINITY;
const CHATS = 3;
const seed = Date.now() % 2 ** 31;
const random = fc.sample(fc.nat({ max: 999 }), { numRuns: 997, seed });
let rolled = 0;
const dice = (below: number): number => (random[rolled++ % random.length] as number) % below;

const directory = temporaryDirectory();
const upstream = await startUpstream(() => reply());
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

/** Thinks, writes slowly, calls tools concurrently; about every third answer is the last of its turn. */
function reply(): ScriptedReply {
  const words = Array.from({ length: 1 + dice(20) }, (_, n) => `word${n} `);
  const steps: ScriptedStep[] = [
    { thinking: ['hm ', 'so '], delay_ms: 2 },
    { text: words, delay_ms: 1 + dice(15) },
  ];
  for (let calls = dice(3); calls > 0; calls--) {
    steps.push({ call: { name: 'read_file', input: { files: [{ path: '/etc/hostname' }] } } });
  }
  return { steps };
}

/** An acknowledged message, and what its stream contained before the kernel died. */
interface Sent {
  chat: string;
  text: string;
  stream: EventStream;
}

describe('[TURN-11] [TURN-12] [SAFE-4] kill -9 at any moment', () => {
  it(`loses no acknowledged data and leaves no chat busy over up to ${KILLS} kills (seed ${seed})`, {
    timeout: Math.min(600_000 + KILLS * 10_000, 2 ** 31 - 1),
  }, async () => {
    const sent: Sent[] = [];
    let chats: string[] = [];
    const began = Date.now();
    let kill = 0;
    for (; kill < KILLS && (kill < FEWEST_KILLS || Date.now() - began < KILLING_MS); kill++) {
      const kernel = await startKernelProcess({ upstream, dataDir: directory.path });
      if (kill === 0) {
        chats = await Promise.all(Array.from({ length: CHATS }, async () => (await kernel.api.newChat()).id));
      }
      const posts = Promise.allSettled(
        chats.flatMap(chat => [1, 2].map(n => post(kernel, chat, `message ${kill}.${n}`, sent))),
      );
      // Every second kill comes after an acknowledgment, even on a slow machine.
      const before = sent.length;
      if (kill % 2 === 1) await expect.poll(() => sent.length).toBeGreaterThan(before + 2);
      await new Promise(resolve => setTimeout(resolve, dice(400)));
      await kernel.kill();
      await posts;
    }

    const kernel = await startKernelProcess({ upstream, dataDir: directory.path });
    for (const chat of chats) {
      await idle(kernel, chat);
      const items = await everyItem(kernel, chat);
      expect(items.filter(item => item.status === 'running')).toEqual([]);
      for (const { text, stream } of sent.filter(message => message.chat === chat)) {
        await checkKept(kernel, chat, items, text, stream);
      }
      // The chat still works: it accepts another message, with its whole history.
      const events = await kernel.api.say(chat, 'still there?');
      expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    }
    process.stdout.write(`${kill} kills, ${sent.length} messages acknowledged, none lost\n`);
    expect(sent.length).toBeGreaterThan(kill);
    expect(await kernel.stop()).toEqual({ code: 0, signal: null });
  });
});

/** A 200 acknowledges the message, regardless of its stream. */
async function post(kernel: KernelProcess, chat: string, text: string, sent: Sent[]): Promise<void> {
  const stream = await kernel.api.turn(chat, { text });
  sent.push({ chat, text, stream });
  await stream.closed();
}

async function idle(kernel: KernelProcess, chat: string): Promise<void> {
  const deadline = Date.now() + 300_000;
  while ((await kernel.api.get(`/v1/chats/${chat}`)).body.turn !== null) {
    if (Date.now() > deadline) throw new Error(`chat ${chat} stays busy`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function everyItem(kernel: KernelProcess, chat: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const { body } = await kernel.api.get(`/v1/chats/${chat}/items?limit=500${before}`);
    if (body.items.length === 0) return items;
    items.unshift(...body.items);
    before = `&before=${body.next_before}`;
  }
}

async function checkKept(
  kernel: KernelProcess,
  chat: string,
  items: Item[],
  text: string,
  stream: EventStream,
): Promise<void> {
  const own = items.filter(item => item.turn_id === stream.turnId);
  expect(own.filter(item => item.kind === 'user_message')).toMatchObject([
    { text, message_id: stream.messageId },
  ]);
  const turn: Turn = (await kernel.api.get(`/v1/chats/${chat}/turns/${stream.turnId}`)).body;
  expect(['completed', 'failed']).toContain(turn.status);

  const told = { answer: textOf(stream.events), thinking: textOf(stream.events, 'thinking_delta') };
  const kept = { answer: textIn(own, 'agent_message'), thinking: textIn(own, 'thinking') };
  const done = stream.events.find(event => event.type === 'done');
  if (done) {
    // A turn whose end was announced has ended, and its text is complete.
    expect(turn.status).toBe(done.status);
    expect(kept).toEqual(told);
  } else if (turn.status === 'failed') {
    expect(turn.error?.code).toBe('kernel_restarted');
    expect(own.at(-1)).toMatchObject({ kind: 'machine_note', note: 'kernel_restarted' });
  }
  // Everything that a client saw exists, to the last character and the last result; a little more may have been
  // written.
  expect(kept.answer.slice(0, told.answer.length)).toBe(told.answer);
  expect(kept.thinking.slice(0, told.thinking.length)).toBe(told.thinking);
  for (const { id, output } of eventsOf(stream.events, 'tool_result')) {
    expect(own).toContainEqual(expect.objectContaining({ call_id: id, output }));
  }
}

const textIn = (items: Item[], kind: 'agent_message' | 'thinking'): string =>
  items.flatMap(item => (item.kind === kind ? [item.text] : [])).join('');
