/** `chat-kernel module new`: the module that it writes works at once. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
// A module of a checkout names the checkout, so the program is not the bundle here.
import { SOURCES as PROGRAM } from '../../../test/harness/program.ts';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../../../test/harness/story.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'module-new-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Links the SDK as `npm install` does. */
function install(name: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
  const scope = join(folder, name, 'node_modules/@chat-kernel');
  mkdirSync(scope, { recursive: true });
  symlinkSync(dependencies['@chat-kernel/module-sdk'].replace(/^file:/, ''), join(scope, 'module-sdk'));
}

it('[MOD-6] creates a module whose test passes and which a kernel runs', async () => {
  await run(process.execPath, [PROGRAM, 'module', 'new', 'wordy'], { cwd: folder });
  install('wordy');
  const tested = await run(process.execPath, ['--test'], { cwd: join(folder, 'wordy') });
  expect(tested.stdout).toMatch(/pass 2\n/);

  const args = [join(folder, 'wordy/module.ts'), '--stdio'];
  const servers = { wordy: { command: process.execPath, args } };
  const kernel = await kernelOf({ settings: { modules: { servers } } });
  const up = async () => (await kernel.api.get('/v1/modules')).body.modules[0]?.status;
  await expect.poll(up, { timeout: 30_000 }).toBe('up');
  kernel.upstream.next(calls('c1', 'wordy_count', { text: 'to be or not' }), says('Four.'));
  const chat = await kernel.api.newChat();
  const events = await kernel.api.say(chat.id, 'Count.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ output: '4 words', is_error: false }]);
});
