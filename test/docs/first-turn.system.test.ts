import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startKernel } from '../harness/kernel.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = promisify(execFile);

/** Ids differ in every run; tokens grow with every offered tool. */
const comparable = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/"prompt_tokens":\d+/g, '"prompt_tokens":<n>')
    .trim();

it('examples/01-first-turn.sh prints the transcript of docs/api.md', async () => {
  const [, transcript = ''] =
    /\n```\n(--- the turn\n.*?)```/s.exec(readFileSync(at('docs/api.md'), 'utf8')) ?? [];
  const demo = { providers: { demo: { kind: 'demo' as const } }, models: [], default_model: null };
  const kernel = await startKernel({ settings: { llm: demo } });
  try {
    const { stdout } = await run(at('examples/01-first-turn.sh'), [kernel.url]);
    expect(comparable(stdout)).toBe(comparable(transcript));
  } finally {
    await kernel.stop();
  }
});
