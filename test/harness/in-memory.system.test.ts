/** Tests the folder in memory where tests store databases. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inMemory } from './in-memory.ts';

const SETUP = new URL('../../scripts/test/memory.ts', import.meta.url).href;
const RUN = `
  import open from ${JSON.stringify(SETUP)};
  const close = await open();
  process.stdout.write(process.env.TEST_MEMORY);
  process.on('SIGTERM', async () => { await close(); process.exit(0); });
  setInterval(() => {}, 1000);
`;

test.each(['SIGTERM', 'SIGKILL'] as const)('is removed after a run ended by %s', async signal => {
  const run = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  const folder = String((await once(run.stdout, 'data'))[0]);
  writeFileSync(join(folder, 'database'), 'rows');
  run.kill(signal);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

test('is the temporary folder if the system has no memory for files, or too little', () => {
  const folder = inMemory();
  expect(inMemory(folder, 1)).toBe(folder);
  expect(inMemory(join(folder, 'missing'))).toBe(tmpdir());
  expect(inMemory(folder, Number.POSITIVE_INFINITY)).toBe(tmpdir());
});
