/**
 * Tests every operation of the document with requests from its schemas: valid, nearly valid and hostile. The kernel
 * must never fail internally, and every response has a documented status and shape. FUZZ_RUNS multiplies the runs,
 * FUZZ_SEED varies them.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { startHosted } from '../harness/hosted.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { started } from '../harness/modules.ts';
import { atScale } from '../harness/scale.ts';
import type { ContractDocument } from '../openapi/document.ts';
import { type Outcome, sendDrawn } from './fuzz/exchange.ts';
import {
  type Described,
  fittingRequest,
  hostileRequest,
  nearlyFitting,
  operationsOf,
} from './fuzz/requests.ts';

const document: ContractDocument = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
);
const TIMES = Number(process.env.FUZZ_RUNS ?? 1);
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
/** Timeouts of the tests must not end long runs. */
const timeout = 20_000 * Math.max(1, TIMES);

let kernel: TestKernel;
const stops: (() => unknown)[] = [];
const directory = temporaryDirectory();
beforeAll(async () => {
  const hosted = await startHosted({}, stop => stops.push(stop));
  kernel = await startKernel({
    settings: {
      push: { allow_private: true },
      mcp: { servers: { desk: { url: hosted.url } } },
      modules: { servers: { small: started({ name: 'small' }) } },
      voice: { transcription_model: 'scripted/hears', speech_model: 'scripted/speaks' },
    },
  });
});
afterAll(async () => {
  await kernel.stop();
  for (const stop of stops) await stop();
  directory.remove();
});

/** The kernel's error text for a rule that no schema can express → where the document states the rule. */
const UNSAID: Readonly<Record<string, string>> = {
  'expected text on one line': 'MachineName.',
  'expected the id of a request': 'OpsResult, OpsProgress: `id` or `op_id`.',
  'expected one of result': 'OpsResult: one of them.',
  'expected base64': 'Said by contentEncoding, which a validator only notes.',
  'expected a pattern of at most 48 KiB': 'FindBytes: data.',
  'at most 16 KiB of JSON': 'MarkVideo, SubscribeToChannel: metadata.',
};
/** Operation → how often it succeeded. */
const successes = new Map<string, number>();

// In this order: one operation creates what another one names, and the last test examines the results of all.
describe('each operation', { shuffle: false }, () => {
  describe.each(operationsOf(document))('$method $template', described => {
    const { operationId } = described;
    const send = (drawn: Parameters<typeof sendDrawn>[3]) =>
      sendDrawn(kernel, directory.path, described, drawn);
    const runs = (count: number) => ({ seed: SEED, numRuns: count * TIMES });

    test('accepts valid requests', { timeout }, async () => {
      await fc.assert(
        forAsLong(
          30_000,
          fc.asyncProperty(fittingRequest(document, described), async drawn => {
            const outcome = await send(drawn);
            if (outcome.status < 300) successes.set(operationId, (successes.get(operationId) ?? 0) + 1);
            expectNoMismatch(outcome);
          }),
        ),
        runs(atScale(6, 20)),
      );
    });

    if (takesJson(described)) {
      test('rejects invalid requests, and only those', { timeout }, async () => {
        const fits = validatorOf(described);
        await fc.assert(
          forAsLong(
            5_000,
            fc.asyncProperty(nearlyFitting(document, described), async drawn => {
              const outcome = await send(drawn);
              const right = fits(outcome);
              if (right) expectNoMismatch(outcome);
              else expect(outcome.status).toBeGreaterThanOrEqual(400);
            }),
          ),
          runs(atScale(5, 20)),
        );
      });
    }

    test('survives any request', { timeout }, async () => {
      await fc.assert(
        forAsLong(
          5_000,
          fc.asyncProperty(hostileRequest(document, described), async drawn => {
            await send(drawn);
          }),
        ),
        runs(atScale(5, 20)),
      );
    });
  });

  test('has succeeded at least once, and the kernel is healthy', async () => {
    const never = operationsOf(document).filter(({ operationId }) => !successes.has(operationId));
    expect(never.map(({ operationId }) => operationId)).toEqual([]);
    expect((await kernel.api.get('/readyz')).status).toBe(200);
    expect((await kernel.api.newChat()).id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

function expectNoMismatch({ code, detail = '' }: Outcome): void {
  const isUnsaid = Object.keys(UNSAID).some(reason => detail.includes(reason));
  if (!isUnsaid) expect(code, detail).not.toBe('schema_mismatch');
}

const takesJson = ({ operation }: Described) =>
  operation.requestBody?.content['application/json'] !== undefined;

/** Whether a body as sent matches the schema of the document. */
function validatorOf({ method, template }: Described): (outcome: Outcome) => boolean {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const pointer = [
    'paths',
    template,
    method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  ]
    .map(key => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.compile({ $ref: `api#/${pointer}` });
  return ({ sent }) => validate(JSON.parse(String(sent)));
}
