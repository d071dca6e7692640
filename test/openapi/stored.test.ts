/** Checks that the stored document matches a running kernel. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { storedText } from '../../scripts/openapi.ts';
import { startKernel } from '../harness/kernel.ts';

const stored = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('[SVC-3] docs/openapi.json equals the response of a running kernel', async () => {
  const kernel = await startKernel();
  try {
    const { body } = await kernel.api.get('/v1/openapi.json');
    expect(storedText(body)).toBe(stored('docs/openapi.json'));
  } finally {
    await kernel.stop();
  }
});
