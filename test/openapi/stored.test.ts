/** Checks that the stored document and the types of the client match a running kernel. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationsOf } from '../../packages/client/scripts/operations-of.ts';
import { typesOf } from '../../packages/client/scripts/types-of.ts';
import { storedText } from '../../scripts/openapi.ts';
import { startKernel } from '../harness/kernel.ts';

const stored = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('[SVC-3] docs/openapi.json equals the response of a running kernel and the source of the client types', async () => {
  const kernel = await startKernel();
  try {
    const { body } = await kernel.api.get('/v1/openapi.json');
    expect(storedText(body)).toBe(stored('docs/openapi.json'));
    expect(await typesOf(body)).toBe(stored('packages/client/src/api/openapi.ts'));
    expect(operationsOf(body)).toBe(stored('packages/client/src/api/operations.ts'));
  } finally {
    await kernel.stop();
  }
});
