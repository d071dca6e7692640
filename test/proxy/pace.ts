/** Measures the delay of each token, if each is sent only after the previous one has arrived. */
import { performance } from 'node:perf_hooks';
import { expect } from 'vitest';
import type { EventStream } from '../harness/event-stream.ts';
import type { TestKernel } from '../harness/kernel.ts';
import { textOf } from '../harness/story.ts';

/** No delay of a proxy is near this; a buffering proxy would never forward the event. */
const SLOW_MS = 250;

/** Posts a message to the chat over the tested route. */
type Open = (chatId: string) => Promise<EventStream>;

/** Throws if the route of `open` is much slower than the kernel itself, and prints the difference. */
export async function expectOneByOne(kernel: TestKernel, name: string, open: Open): Promise<void> {
  const straight = () => pace(kernel, chatId => kernel.api.turn(chatId, { text: 'Hi.' }));
  // The program itself is slow the first time.
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

/** The median time in milliseconds until a token arrives after the model sent it. */
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
