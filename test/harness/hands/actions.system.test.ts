/** Tests the commands of the test client on real processes. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../directory.ts';
import { perform } from './actions.ts';

let directory: string;
let remove: () => void;
beforeEach(() => {
  ({ path: directory, remove } = temporaryDirectory());
});
afterEach(() => remove());

const at = (name: string) => join(directory, name);

/** Returns the response of an action and the progress that it reported. */
async function act(action: string, params: object) {
  const shown: string[] = [];
  const { signal } = new AbortController();
  const progress = (output: string) => void shown.push(output);
  return { answer: await perform(action, { ...params }, { directory, signal, progress }), shown };
}
const answerTo = async (action: string, params: object) => (await act(action, params)).answer;

describe('a command', () => {
  test('runs in the given directory, and returns both outputs and its exit code', async () => {
    mkdirSync(at('sub'));
    const { answer, shown } = await act('shell', { command: 'echo one; echo two >&2; echo three; exit 3' });
    expect(answer).toEqual({ result: { output: 'one\ntwo\nthree\n', exit_code: 3 } });
    expect(shown.at(-1)).toBe('one\ntwo\nthree\n');
    const where = async (params: object) => answerTo('shell', { command: 'pwd -P', ...params });
    const real = realpathSync(directory);
    expect(await where({})).toEqual({ result: { output: `${real}\n`, exit_code: 0 } });
    expect(await where({ workdir: 'sub' })).toEqual({ result: { output: `${real}/sub\n`, exit_code: 0 } });
  });

  // Both processes hold the pipe of the command open: once it closes, both have exited.
  test.each([
    ['is killed with its child processes at the timeout', 'sleep 60 & echo on; wait', 124],
    ['leaves no background process after its end', 'sleep 60 & echo on', 0],
  ])('%s', async (_, command, exit_code) => {
    const answer = await answerTo('shell', { command, timeout_secs: 0.5 });
    expect(answer).toEqual({ result: { output: 'on\n', exit_code } });
  });

  test('is killed when the caller aborts, also before its start', async () => {
    const controller = new AbortController();
    const killed = { result: { exit_code: 137 } };
    const surroundings = { directory, signal: controller.signal, progress: () => controller.abort() };
    expect(await perform('shell', { command: 'echo on; sleep 60' }, surroundings)).toMatchObject(killed);
    expect(await perform('shell', { command: 'sleep 60' }, surroundings)).toMatchObject(killed);
  });
});
