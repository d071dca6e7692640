/** Tests the example module with tools and stages: standalone, and in a real kernel. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testKernel } from '@chat-kernel/module-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { notesGuard } from '../../examples/modules/notes-guard/notes-guard.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';
import { exampleAt } from './program.ts';

function ownDirectory(): string {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return path;
}

test('[MOD-6] the module adds and lists notes, and rejects invalid ones', async () => {
  const kernel = await testKernel(
    notesGuard({ file: join(ownDirectory(), 'notes.txt'), forbidden: ['Hunter2'] }),
  );
  expect(await kernel.call('list')).toEqual({ output: 'There are no notes.' });
  expect(await kernel.call('add', { text: 'Buy milk', urgent: true })).toEqual({ output: 'Noted: Buy milk' });
  expect(await kernel.call('add', { text: 'a\nb' })).toMatchObject({ is_error: true });
  await expect(kernel.call('add', { urgent: true })).rejects.toMatchObject({ code: -32602 });
  expect(await kernel.call('list')).toEqual({ output: '! Buy milk\n' });
  const message = { text: 'my password is hunter2', sender: '', attachments: [] };
  expect(await kernel.stage('message', message)).toEqual({
    action: 'block',
    reason: '"Hunter2" stays out of here.',
  });
});

test('[MOD-6] [MOD-7] in a kernel, the model takes notes, reads input errors, and is guarded', async () => {
  const directory = ownDirectory();
  const file = join(directory, 'notes.txt');
  const config = join(directory, 'config.yaml');
  writeFileSync(config, JSON.stringify({ module: { file, forbidden: ['hunter2'] } }), { mode: 0o600 });
  const args = [exampleAt('notes-guard/main.ts'), '--stdio', '--config', config];
  const kernel = await kernelOf({
    settings: { modules: { servers: { notes: { command: process.execPath, args } } } },
  });
  const { api, upstream } = kernel;
  const up = async () => (await api.get('/v1/modules')).body.modules[0]?.status;
  await expect.poll(up, { timeout: 30_000 }).toBe('up');

  upstream.next(
    calls('c1', 'notes_add', { note: 'wrong' }),
    calls('c2', 'notes_add', { text: 'Buy milk' }),
    calls('c3', 'notes_add', { text: 'the password is hunter2' }),
    calls('c4', 'notes_list', {}),
    says('Done.'),
  );
  const chat = await api.newChat();
  const events = await api.say(chat.id, 'Note it.');
  expect(textOf(events)).toBe('Done.');
  const results = eventsOf(events, 'tool_result');
  expect(results.map(({ is_error }) => is_error)).toEqual([true, false, true, false]);
  expect(results[0]?.output).toContain('text');
  expect(results[2]?.output).toContain('"hunter2" stays out of here.');
  expect(results[3]?.output).toBe('Buy milk\n');
  expect(readFileSync(file, 'utf8')).toBe('Buy milk\n');

  const asked = upstream.requests.length;
  const blocked = await api.say(chat.id, 'It is Hunter2.');
  expect(eventsOf(blocked, 'error')).toMatchObject([{ code: 'blocked_by_module' }]);
  expect(upstream.requests.length).toBe(asked);
});
