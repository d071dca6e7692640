/**
 * Tests a chat of 20,000 messages in the program as users start it: neither its import, nor its exports, nor a turn in
 * it blocks the event loop for long (SAFE-3). Prints the longest block of each in processor time.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMeasuredKernel } from '../harness/loop-blocks.ts';
import { PATIENT } from '../harness/patient.ts';
import type { KernelProcess } from '../harness/process.ts';

const MESSAGES = 20_000;
/**
 * Milliseconds of processor time: about twice what was measured on a busy machine. For an import, the rest is its body,
 * which is checked as a whole.
 */
const LONGEST_BLOCK_MS = { import: 300, export: 110, 'first turn': 120, 'second turn': 60 };

let blocks: Awaited<ReturnType<typeof startMeasuredKernel>>;
let kernel: KernelProcess;
beforeAll(async () => {
  blocks = await startMeasuredKernel();
  ({ kernel } = blocks);
});
afterAll(() => blocks.stop());

async function measured<Result>(
  bound: keyof typeof LONGEST_BLOCK_MS,
  run: () => Promise<Result>,
  work: string = bound,
): Promise<Result> {
  await blocks.longestBlock();
  const began = performance.now();
  const result = await run();
  const took = performance.now() - began;
  const block = await blocks.longestBlock();
  process.stdout.write(
    `${work}: computed at most ${block.toFixed(0)} ms in one piece, of ${took.toFixed(0)} ms\n`,
  );
  expect.soft(block, work).toBeLessThan(LONGEST_BLOCK_MS[bound]);
  return result;
}

test(
  '[SAFE-3] a chat of 20,000 messages is imported, exported and continued without a long block',
  PATIENT,
  async () => {
    const messages = Array.from({ length: MESSAGES }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      content: [
        { type: 'text', text: `Message ${n}: ${'the quick brown fox jumps over the lazy dog. '.repeat(4)}` },
      ],
    }));
    const body = {
      source: 'test',
      key: randomUUID(),
      created_at: messages[0]!.created_at,
      title: 'Long',
      messages,
    };
    const imported = await measured('import', () => kernel.api.post('/v1/import', body));
    expect(imported).toMatchObject({ status: 200, body: { status: 'created' } });
    const chat = imported.body.chat_id as string;
    for (const format of ['jsonl', 'md']) {
      const { status, body: text } = await measured(
        'export',
        () => kernel.api.get(`/v1/chats/${chat}/export?format=${format}`),
        `export ${format}`,
      );
      expect(status).toBe(200);
      expect(String(text)).toContain(`Message ${MESSAGES - 1}:`);
    }
    for (const turn of ['first turn', 'second turn'] as const) {
      const events = await measured(turn, () => kernel.api.say(chat, 'Hi.'));
      expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    }
    const again = await measured('import', () => kernel.api.post('/v1/import', body), 'import again');
    expect(again.status).toBe(200);
  },
);
