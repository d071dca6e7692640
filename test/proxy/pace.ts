/** How long a word of the model is on its way, where it is said only once the one before has arrived. */
import { performance } from 'node:perf_hooks';
import { expect } from 'vitest';
import type { EventStream } from '../harness/event-stream.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { textOf } from '../harness/story.ts';

/** No delay of a proxy is near this; a buffer would never give the event out. */
const SLOW_MS = 250;

/** The opener posts a message to the chat, by whatever way. */
type Open = (chatId: string) => Promise<EventStream>;

/** Throws where the way of `open` is much slower than the kernel itself, and prints by how much it is. */
export async function expectOneByOne(kernel: TestKernel, name: string, open: Open): Promise<void> {
  const straight = () => pace(kernel, chatId => kernel.api.turn(chatId, { text: 'Hi.' }));
  // The first time, the program itself is still slow.
  await straight();
  const direct = await straight();
  const proxied = await pace(kernel, open);
  const [added, all] = [
    proxied - direct,
    `${proxied.toFixed(2)} ms an event, ${direct.toFixed(2)} ms without it`,
  ];
  process.stdout.write(`${name} adds ${added.toFixed(2)} ms: ${all}\n`);
  expect(added).toBeLessThan(SLOW_MS);
}

/** The median of ms between a word of the model and its arrival. */
async function pace({ api, upstream }: TestKernel, open: Open): Promise<number> {
  const words = Array.from({ length: 21 }, (_, index) => `word${index}. `);
  const gates = words.map(() => Promise.withResolvers<void>());
  upstream.next({ steps: words.flatMap((text, index) => [{ wait: gates[index]!.promise }, { text }]) });
  const stream = await open((await api.newChat()).id);
  expect(stream.headers['content-encoding']).toBeUndefined();
  const times: number[] = [];
  for (const [index, word] of words.entries()) {
    const spoken = performance.now();
    gates[index]!.resolve();
    await stream.until(event => event.type === 'text_delta' && event.text.includes(word));
    times.push(performance.now() - spoken);
  }
  expect(textOf(await stream.all(), 'text_delta')).toBe(words.join(''));
  return times.sort((a, b) => a - b)[10]!;
}
