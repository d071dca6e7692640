/** Tests that a surface from `chat-kernel module new NAME --surface` answers each message once, wherever it is killed. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { startCutProxy } from '../../../test/harness/cut-proxy.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { calls, held, says } from '../../../test/harness/story.ts';
import { WrittenSurface } from '../../../test/harness/written-surface.ts';

const HELLO = { id: '1', conversation: 'ann', from: 'ann', text: 'Hello.' };
const AGAIN = { ...HELLO, id: '2', text: 'And again.' };

let kernel: TestKernel;
beforeEach(async () => {
  kernel = await startKernel();
  onTestFinished(() => kernel.stop());
});

/** Waits for this number of answers. */
const sends = (surface: WrittenSurface, count: number) =>
  expect.poll(() => surface.sent().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);

it('creates a surface whose test passes and whose readme is correct', async () => {
  const { folder } = await WrittenSurface.write('pager', kernel.url);
  expect(readdirSync(folder).sort()).toEqual([
    'README.md',
    'config.yaml',
    'messenger.test.ts',
    'messenger.ts',
    'module.ts',
    'node_modules',
    'package.json',
    'requests.ts',
  ]);
  for (const file of ['README.md', 'config.yaml', 'module.ts', 'package.json']) {
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/\b(NAME|SDK|ROOT|HERE)\b/);
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(scripts).toEqual({ start: 'exec node module.ts', test: 'node --test' });
  const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: folder });
  expect(stdout).toMatch(/pass 2\n/);
});

it('answers a message after a kill immediately after its confirmation', async () => {
  const proxy = await startCutProxy(kernel.url);
  onTestFinished(() => proxy.close());
  const surface = await WrittenSurface.write('pager', proxy.url);
  kernel.upstream.next(says('One.'), says('Two.'));
  surface.start();
  await surface.post(HELLO);
  await sends(surface, 1);
  // Without a kernel, only the confirmation can happen before the kill.
  proxy.cut();
  await surface.post(AGAIN);
  await surface.kill();
  proxy.restore();
  expect(kernel.upstream.requests).toHaveLength(1);
  surface.start();
  await sends(surface, 2);
  expect(surface.sent()).toEqual(['ann: One.', 'ann: Two.']);
  expect((await kernel.client.listChats({ shelf: 'pager' })).chats).toHaveLength(1);
});

it('answers a message once after a kill while its turn runs', async () => {
  const surface = await WrittenSurface.write('pager', kernel.url);
  const { reply, go } = held({ text: 'Slowly.' });
  kernel.upstream.next(reply);
  surface.start();
  await surface.post(HELLO);
  await expect.poll(() => kernel.upstream.requests.length).toBe(1);
  await surface.kill();
  go();
  surface.start();
  await sends(surface, 1);
  await surface.post(AGAIN);
  await sends(surface, 2);
  expect(surface.sent()).toEqual(['ann: Slowly.', 'ann: ok']);
  expect(kernel.upstream.requests).toHaveLength(2);
});

it('delivers an answer once after a kill between the answer and its delivery', async () => {
  const surface = await WrittenSurface.write('pager', kernel.url);
  // The messenger rejects everything, because its file is a directory.
  mkdirSync(surface.sentFile, { recursive: true });
  kernel.upstream.next(says('One.'), says('Two.'));
  surface.start();
  await surface.post(HELLO);
  const problems = () => surface.rows('SELECT problem FROM outgoing').map(({ problem }) => problem);
  await expect.poll(problems, { timeout: 60_000 }).toEqual([expect.stringContaining('EISDIR')]);
  await surface.kill();
  rmdirSync(surface.sentFile);
  surface.start();
  await sends(surface, 1);
  await surface.post(AGAIN);
  await sends(surface, 2);
  expect(surface.sent()).toEqual(['ann: One.', 'ann: Two.']);
  expect(kernel.upstream.requests).toHaveLength(2);
});

it('does not resend an answer that arrived just before a kill', async () => {
  const surface = await WrittenSurface.write('pager', kernel.url);
  kernel.upstream.next(says('One.'), says('Two.'));
  surface.start();
  await surface.post(HELLO);
  await sends(surface, 1);
  await surface.kill();
  // The state after a kill before the module has stored the messenger's confirmation.
  surface.rows("UPDATE outgoing SET state = 'sending'");
  surface.start();
  await surface.post(AGAIN);
  await sends(surface, 2);
  expect(surface.sent()).toEqual(['ann: One.', 'ann: Two.']);
  // The line is in the file before the module stores its state.
  const states = () => surface.rows('SELECT state FROM outgoing').map(({ state }) => state);
  await expect.poll(states).toEqual(['sent', 'sent']);
});

it('shows a question of the kernel to the owner once, and accepts no answer of others', async () => {
  const surface = await WrittenSurface.write('pager', kernel.url, 'ann');
  const questions = [{ question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] }];
  kernel.upstream.next(calls('q', 'ask_questions', { questions }), says('Red it is.'), says('No, Ben.'));
  surface.start();
  await surface.post(HELLO);
  await sends(surface, 1);
  await surface.kill();
  surface.start();
  await surface.post({ ...HELLO, id: 'b', from: 'ben', text: '#1 Blue' });
  await surface.post({ ...HELLO, id: 'a', text: '#1 Red' });
  await sends(surface, 4);
  const [question, ...rest] = surface.sent();
  expect(question).toBe('ann: #1 Which color?\n- Red\n- Blue\n\nTo answer, write #1 and your answer.');
  expect(rest.toSorted()).toEqual(['ann: #1: answered', 'ann: No, Ben.', 'ann: Red it is.']);
});

it('shows the owner the exact operation', async () => {
  const surface = await WrittenSurface.write('pager', kernel.url, 'ann');
  surface.start();
  await surface.post(HELLO);
  await sends(surface, 1);
  const [chat] = (await kernel.client.listChats({ shelf: 'pager' })).chats;
  await kernel.api.put(`/v1/chats/${chat?.id}/workdir`, { workdir: surface.folder, workdir_on: 'server' });
  kernel.upstream.next(calls('s', 'shell', { commands: ['touch \u200bx'] }), says('So be it.'));
  await surface.post(AGAIN);
  await sends(surface, 2);
  // The kernel offers this decision, the message does not.
  await surface.post({ ...HELLO, id: 'c', text: '#1 allow_always' });
  await sends(surface, 3);
  await surface.post({ ...HELLO, id: 'd', text: '#1 Deny' });
  await sends(surface, 5);
  const [, operation, refusal, ...rest] = surface.sent();
  expect(refusal).toBe('ann: #1: This is not one of the answers.');
  expect(operation).toContain('ann: #1 May this run: shell?\n');
  expect(operation).toContain('command: "touch \\u200bx"\n');
  expect(operation).toContain('\nAnswers: allow, deny\n');
  expect(rest.toSorted()).toEqual(['ann: #1: deny', 'ann: So be it.']);
  expect(existsSync(join(surface.folder, '\u200bx'))).toBe(false);
});
