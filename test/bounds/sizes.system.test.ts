/**
 * Sends large bodies of many shapes to every operation of a kernel process, and to the other APIs: none blocks the event
 * loop for 50 ms (SAFE-7). Prints the longest block of each operation in processor time of the main thread, garbage
 * collection included: on a busy machine, elapsed time says little. A usual run sends a few shapes to each operation, and
 * `npm run test:heavy` one for each field and size.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, exchange } from '../harness/http.ts';
import { startMeasuredKernel } from '../harness/loop-blocks.ts';
import { PNG } from '../harness/pictures.ts';
import type { KernelProcess } from '../harness/process.ts';
import { AT_SCALE, atScale } from '../harness/scale.ts';
import type { ContractDocument, ContractSchema } from '../openapi/document.ts';
import { filledShapes, type Shape, shapesOf } from './shapes.ts';

/** With SIZES_BYTES, each field gets every shape in this size. This takes many minutes, so no suite does it. */
const IS_WHOLE = process.env.SIZES_BYTES !== undefined;
const BYTES = Number(process.env.SIZES_BYTES ?? atScale(1_000_000, 2_000_000));
/** Milliseconds of processor time. */
const LONGEST_BLOCK_MS = 50 * Math.max(1, Number(process.env.TEST_SLOWNESS ?? 1));
/** A shape that blocks for longer is sent again: a block that it causes comes back, one by chance does not. */
const ATTEMPTS = 3;

const document: ContractDocument = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** Operation → a body that succeeds; the rest need only their optional fields. */
const VALID: Readonly<Record<string, object>> = {
  startTurn: { text: 'Hello.', images: [{ media_type: 'image/png', data: PNG.toString('base64') }] },
  complete: { prompt: 'Hello.' },
  createSchedule: { text: 'Hello.', cron: '0 0 29 2 *' },
  answerRequest: { id: 'none', result: 'Done.' },
  answerOperation: { id: 'none', result: 'Done.' },
  importChat: {
    source: 'elsewhere',
    key: 'key',
    title: 'Herons',
    created_at: '2026-01-01T00:00:00.000Z',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hello.' }], created_at: '2026-01-01T00:00:00.000Z' },
    ],
  },
};
/** Sizes of the largest bodies, in bytes. */
const SIZES = AT_SCALE ? [8_000_000, 16_000_000, 60_000_000] : [4_000_000];

const image = (bytes: number) => {
  const data = Buffer.concat([PNG, Buffer.alloc((bytes / 4) * 3 - PNG.length)]).toString('base64');
  return JSON.stringify({ type: 'image', media_type: 'image/png', data });
};
/** Content that is valid, in parts of the size that one may have. */
const OF_CONTENT: Readonly<Record<string, (bytes: number) => Shape[]>> = {
  startTurn: bytes => [
    { name: `images of ${bytes}`, body: () => `{"text":"x","images":[${parts(bytes, image)}]}` },
  ],
  importChat: bytes => [
    { name: `images of ${bytes}`, body: () => importOf(parts(bytes, image)) },
    {
      name: `texts of ${bytes}`,
      body: () => importOf(parts(bytes, size => `{"type":"text","text":"${'word '.repeat(size / 8)}"}`)),
    },
  ],
};

const parts = (bytes: number, part: (bytes: number) => string): string =>
  Array(Math.ceil(bytes / 30_000_000))
    .fill(part(Math.min(bytes, 30_000_000)))
    .join();

const importOf = (content: string): string =>
  JSON.stringify({ ...VALID.importChat, key: randomUUID(), messages: '@' }).replace(
    '"@"',
    `[{"role":"user","created_at":"2026-01-01T00:00:00.000Z","content":[${content}]}]`,
  );

/** The field that gets the largest texts, of operations that accept one. */
const LARGE: Readonly<Record<string, RegExp>> = {
  startTurn: /^(text|reply_to_text): text/,
  complete: /^prompt: text/,
  answerRequest: /^result: text/,
  importChat: /^unknown: text/,
};

const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  .flatMap(({ path, method, operation: { operationId = '', requestBody } }) => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema ? [{ operationId, method: method.toUpperCase(), path, schema }] : [];
  });

let measured: Awaited<ReturnType<typeof startMeasuredKernel>>;
let kernel: KernelProcess;
beforeAll(async () => {
  measured = await startMeasuredKernel();
  ({ kernel } = measured);
});
afterAll(() => measured.stop());

async function send(method: string, path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const answer = await exchange(kernel.url + path, { method, headers, body });
  await bytesOf(answer);
  return answer.statusCode ?? 0;
}

/** Sends each shape, and returns the block of each that is too long. @param first loads the code of the operation */
async function tooLong(name: string, method: string, path: string, shapes: readonly Shape[], first = '{}') {
  const found: string[] = [];
  let [longest, of] = [0, ''];
  await send(method, await filled(path), first);
  for (const shape of shapes) {
    const body = shape.body();
    let [status, least] = [0, Number.POSITIVE_INFINITY];
    for (let attempt = 0; attempt < ATTEMPTS && least > LONGEST_BLOCK_MS; attempt++) {
      const address = await filled(path);
      await measured.longestBlock();
      const began = performance.now();
      status = await send(method, address, body);
      // The stream of a turn can end before its work does.
      await sleep(20);
      const ms = await measured.longestBlock();
      least = Math.min(least, ms);
      const took = Math.round(performance.now() - began);
      if (process.env.SIZES_VERBOSE)
        process.stdout.write(`${name}, ${shape.name}: ${status}, ${ms} of ${took} ms\n`);
    }
    if (least > longest) [longest, of] = [least, shape.name];
    if (least > LONGEST_BLOCK_MS || status >= 500) found.push(`${shape.name}: status ${status}, ${least} ms`);
  }
  process.stdout.write(`${name}: computed at most ${longest.toFixed(0)} ms in one piece (${of})\n`);
  return found;
}

/** Chats exist; other resources do not. */
async function filled(path: string): Promise<string> {
  if (!path.includes('{')) return path;
  const { id } = path.startsWith('/v1/chats/{id}') ? await kernel.api.newChat() : { id: randomUUID() };
  return path.replace('{id}', id).replace(/\{\w+\}/g, randomUUID());
}

const timeout = IS_WHOLE ? 1_200_000 : 300_000;

describe('[SAFE-7] no size of a body blocks the event loop', { timeout, shuffle: false }, () => {
  test.each(operations)('$operationId', async ({ operationId, method, path, schema }) => {
    const valid = VALID[operationId] ?? {};
    const each = (bytes: number) => shapesOf(document, schema, valid, bytes);
    const shapes = IS_WHOLE
      ? each(BYTES)
      : [
          ...filledShapes(document, schema, valid, BYTES),
          ...each(BYTES).filter(({ name }) => AT_SCALE && name.endsWith(': text with escapes')),
          ...SIZES.flatMap(each).filter(({ name }) => LARGE[operationId]?.test(name)),
          ...SIZES.flatMap(bytes => OF_CONTENT[operationId]?.(bytes) ?? []),
        ];
    expect(await tooLong(operationId, method, path, shapes, JSON.stringify(valid))).toEqual([]);
  });

  test('POST /openai/v1/chat/completions', async () => {
    const message = '{"role":"user","content":"x"}';
    const valid = { model: 'scripted/plain', messages: [{ role: 'user', content: 'Hello.' }] };
    const many = (count: number): Shape => ({
      name: `${count} messages`,
      body: () => `{"model":"scripted/plain","messages":[${Array(count).fill(message).join()}]}`,
    });
    const properties: Record<string, ContractSchema> = IS_WHOLE
      ? { messages: {}, tools: {}, metadata: {}, model: {} }
      : { messages: {} };
    const shapes = [...shapesOf(document, { properties }, valid, BYTES), many(400_000), many(9000)];
    expect(await tooLong('openai', 'POST', '/openai/v1/chat/completions', shapes)).toEqual([]);
  });

  test('POST /mcp', async () => {
    const call = (fields: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{${fields}}}}`;
    const names = (count: number): Shape => ({
      name: `${count} arguments`,
      body: () => call(Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join()),
    });
    const text = { name: 'text', body: () => call(`"text":"${'word '.repeat(BYTES / 5)}"`) };
    expect(await tooLong('mcp', 'POST', '/mcp', [names(300_000), names(1900), text])).toEqual([]);
  });
});
