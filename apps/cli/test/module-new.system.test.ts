/** `chat-kernel module new`: the module that it writes works at once. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startKernel } from '../../../test/harness/kernel.ts';
// A module of a checkout names the checkout, so the program is not the bundle here.
import { SOURCES as PROGRAM } from '../../../test/harness/program.ts';
import { calls, eventsOf, says } from '../../../test/harness/story.ts';

const run = promisify(execFile);
const CHECKOUT = join(import.meta.dirname, '../../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'module-new-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const moduleNew = (...words: string[]) =>
  run(process.execPath, [PROGRAM, 'module', 'new', ...words], { cwd: folder });
/** Links the SDK as `npm install` does. */
function install(name: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'));
  const scope = join(folder, name, 'node_modules/@chat-kernel');
  mkdirSync(scope, { recursive: true });
  symlinkSync(dependencies['@chat-kernel/module-sdk'].replace(/^file:/, ''), join(scope, 'module-sdk'));
}

it('[MOD-6] creates a module whose test passes and which a kernel runs', async () => {
  const { stdout } = await moduleNew('wordy');
  expect(stdout).toContain('cd wordy && npm install && npm test\n  npm start\n');
  expect(readdirSync(join(folder, 'wordy')).sort()).toEqual([
    'README.md',
    'config.yaml',
    'module.test.ts',
    'module.ts',
    'package.json',
  ]);
  expect(statSync(join(folder, 'wordy/config.yaml')).mode & 0o777).toBe(0o600);
  const text = readFileSync(join(folder, 'wordy/README.md'), 'utf8');
  expect(text).toMatch(/^# wordy\n/);
  expect(text).not.toMatch(/\b(NAME|SDK|ROOT|HERE)\b/);
  install('wordy');
  const tested = await run(process.execPath, ['--test'], { cwd: join(folder, 'wordy') });
  expect(tested.stdout).toMatch(/pass 2\n/);

  const args = [join(folder, 'wordy/module.ts'), '--stdio'];
  const servers = { wordy: { command: process.execPath, args } };
  const kernel = await startKernel({ settings: { modules: { servers } } });
  onTestFinished(kernel.stop);
  const up = async () => (await kernel.api.get('/v1/modules')).body.modules[0]?.status;
  await expect.poll(up, { timeout: 30_000 }).toBe('up');
  kernel.upstream.next(calls('c1', 'wordy_count', { text: 'to be or not' }), says('Four.'));
  const chat = await kernel.api.newChat();
  const events = await kernel.api.say(chat.id, 'Count.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ output: '4 words', is_error: false }]);
});

it('uses Node and the packages of the checkout', async () => {
  await moduleNew('wordy', '--dir', 'deep/er');
  const written = JSON.parse(readFileSync(join(folder, 'deep/er/package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  expect(written.name).toBe('wordy');
  expect(written.optionalDependencies).toEqual(own.optionalDependencies);
  expect(written.dependencies).toEqual({ '@chat-kernel/module-sdk': `file:${CHECKOUT}/packages/module-sdk` });
});

it('rejects a name that the kernel does not accept, and a folder in use', async () => {
  for (const name of ['Wordy', '1st', 'a b', 'mcp_x', 'x'.repeat(33), '../up']) {
    await expect(moduleNew(name)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`"${name}" is not a valid module name`),
    });
  }
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(join(folder, 'used'));
  writeFileSync(join(folder, 'used/file'), 'mine');
  await expect(moduleNew('used')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  });
  await expect(moduleNew('wordy', '--dir', 'used/file')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a folder'),
  });
  expect(readdirSync(join(folder, 'used'))).toEqual(['file']);
});
