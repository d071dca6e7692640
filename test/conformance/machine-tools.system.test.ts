/** Tests the tools that act on the kernel's machine: files, commands, the working directory, and who may use them. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const directory = temporaryDirectory();
const dataDir = temporaryDirectory();
const workdir = realpathSync(directory.path);
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: dataDir.path });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
  dataDir.remove();
});

const newChat = ({ client }: Pick<TestKernel, 'client'> = kernel) =>
  client.createChat({ workdir, workdir_on: 'server' });

/** Sends a message, after which the model makes these calls in order; returns the results that it read. */
async function outputs(chatId: string, ...made: [name: string, input: Record<string, unknown>][]) {
  const { client, upstream } = kernel;
  upstream.next(...made.map(([name, input], index) => calls(`c${index}`, name, input)), says('Done.'));
  const events = await client.say(chatId, 'Go.');
  return eventsOf(events, 'tool_result').map(({ output }) => output);
}

/** A zombie process counts as exited. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(so: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !so(); ) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${so}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

test('[BT-1] writes, edits and reads files and runs commands, with results in one format of sections', async () => {
  const chat = await newChat();
  const read = await outputs(
    chat.id,
    ['write_file', { path: 'src/a.txt', content: 'one\ntwo\n' }],
    ['edit_file', { path: 'src/a.txt', old: 'two', new: '2' }],
    ['read_file', { files: [{ path: 'src/a.txt' }, { path: 'src' }] }],
    ['shell', { commands: ['cat src/a.txt', 'false'] }],
  );
  expect(read).toEqual([
    'Created src/a.txt (8 bytes).',
    'Edited src/a.txt, line 2.',
    '== src/a.txt\none\n2\n\n== src\n[a directory]\na.txt',
    '== cat src/a.txt\none\n2\n\n== false\n[exit code 1]',
  ]);
  expect((await kernel.client.items(chat.id)).filter(item => item.kind === 'tool_call').at(-1)).toMatchObject(
    {
      status: 'failed',
      is_error: true,
    },
  );
});

test('[BT-1] [FILE-4] reads only uploads for a chat whose client is not connected', async () => {
  const { client } = kernel;
  const chat = await client.createChat({ workdir, workdir_on: 'client' });
  writeFileSync(join(workdir, 'secret.txt'), "the kernel's");
  const upload = await client.uploadFile({
    name: 'sent.txt',
    media_type: 'text/plain',
    bytes: Buffer.from('sent'),
  });
  const here = join(workdir, 'secret.txt');
  const read = await outputs(
    chat.id,
    ['read_file', { files: [{ path: here }, { path: 'secret.txt' }, { path: `file:${upload.id}` }] }],
    ['read_file', { files: [{ path: join(workdir, 'missing.txt') }] }],
    ['load_tools', { group: 'books' }],
    ['books_upload', { path: here }],
  );
  const away =
    "The working directory of this chat is on a client's machine, which is not connected in this turn.";
  expect(read).toEqual([
    `== ${here}\n${away}\n\n== secret.txt\n${away}\n\n== file:${upload.id}\nsent`,
    `== ${join(workdir, 'missing.txt')}\n${away}`,
    expect.stringContaining('books'),
    away,
  ]);
});

test('[EV-3] shows the output of a command while it runs', async () => {
  const { client, upstream } = kernel;
  const chat = await newChat();
  const commands = ['echo begun; until [ -e go ]; do sleep 0.02; done; echo over'];
  upstream.next(calls('c', 'shell', { commands }), says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const progress = await stream.until('tool_progress');
  expect(progress).toMatchObject({ id: 'c', output: expect.stringMatching(/^== echo begun;.*\nbegun$/) });
  writeFileSync(join(workdir, 'go'), '');
  const events = await stream.all();
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { output: expect.stringMatching(/\nbegun\nover$/) },
  ]);
});

test('[CONSENT-8] gives a chat without a working directory one of its own, which ends with the chat', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const read = await outputs(
    chat.id,
    ['shell', { commands: ['pwd'] }],
    ['write_file', { path: 'a.txt', content: 'x' }],
    ['read_file', { files: [{ path: 'a.txt' }] }],
    ['workdir', { path: '.' }],
    ['workdir', { path: null }],
  );
  const own = read[0]!.split('\n')[1]!;
  expect(own).toMatch(new RegExp(`/scratch/${chat.id}$`));
  expect(read.slice(1)).toEqual([
    'Created a.txt (1 byte).',
    '== a.txt\nx',
    `The working directory is now ${own}.`,
    'This chat no longer has a working directory.',
  ]);
  expect((await client.getChat(chat.id)).workdir).toBeNull();
  expect(readFileSync(join(own, 'a.txt'), 'utf8')).toBe('x');
  await client.deleteChat(chat.id);
  expect(existsSync(own)).toBe(false);
});

test('[BT-3] sets the working directory by the model, also for its next calls', async () => {
  const { client } = kernel;
  const chat = await client.createChat({ consent: 'never' });
  const read = await outputs(
    chat.id,
    ['workdir', { path: 'relative' }],
    ['workdir', { path: join(workdir, 'none') }],
    ['workdir', { path: workdir }],
    ['write_file', { path: 'sub/b.txt', content: '' }],
    ['workdir', { path: 'sub/b.txt' }],
    ['workdir', { path: 'sub' }],
    ['shell', { commands: ['pwd'] }],
  );
  expect(read).toEqual([
    'There is no directory relative.',
    `There is no directory ${join(workdir, 'none')}.`,
    `The working directory is now ${workdir}.`,
    'Created sub/b.txt (0 bytes).',
    'sub/b.txt is not a directory.',
    `The working directory is now ${join(workdir, 'sub')}.`,
    `== pwd\n${join(workdir, 'sub')}`,
  ]);
  const shown = async () => await client.getChat(chat.id);
  expect(await shown()).toMatchObject({ workdir: join(workdir, 'sub'), workdir_on: 'server' });
  await outputs(chat.id, ['workdir', { path: null }]);
  expect(await shown()).toMatchObject({ workdir: null });
});

test("[BT-1] keeps file tools out of the kernel's own files", async () => {
  const chat = await newChat();
  const data = realpathSync(dataDir.path);
  const read = await outputs(
    chat.id,
    ['read_file', { files: [{ path: data }] }],
    ['write_file', { path: join(data, 'x'), content: '' }],
    ['edit_file', { path: join(data, 'kernel.db'), old: 'a', new: 'b' }],
    ['workdir', { path: data }],
  );
  expect(read).toEqual([
    `== ${data}\nThis path is not allowed: it belongs to the kernel.`,
    'This path is not allowed: it belongs to the kernel.',
    expect.stringMatching(/not allowed|There is no file/),
    'This path is not allowed: it belongs to the kernel.',
  ]);
  expect(existsSync(join(data, 'x'))).toBe(false);
});

test('[BT-1] leaves no command running after a kill of the kernel', async () => {
  const program = await startKernelProcess();
  const { client, upstream } = program;
  const chat = await newChat(program);
  // In the background, in its own group, ignoring SIGTERM.
  const hidden = 'trap "" TERM; echo $$ > killed.tmp; mv killed.tmp killed; while :; do sleep 1; done';
  upstream.next(calls('c', 'shell', { commands: [`timeout 600 bash -c '${hidden}' & wait`] }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  stream.closed().catch(() => {});
  await until(() => existsSync(join(workdir, 'killed')));
  const pid = Number(readFileSync(join(workdir, 'killed'), 'utf8'));
  expect(runs(pid)).toBe(true);
  await program.kill();
  await until(() => !runs(pid));
});

test('[BT-1] runs commands in a sandbox if the settings require it, or refuses to start', async () => {
  const { upstream } = kernel;
  const start = () => startKernel({ upstream, settings: { tools: { shell: { sandbox: 'bwrap' } } } });
  const path = process.env.PATH;
  process.env.PATH = workdir;
  await expect(
    start().finally(() => {
      process.env.PATH = path;
    }),
  ).rejects.toThrow(/^tools\.shell\.sandbox: bubblewrap is not installed/);

  const own = await start().catch(error => {
    // Some systems do not allow bubblewrap.
    expect(String(error)).toMatch(/tools\.shell\.sandbox: bubblewrap /);
  });
  if (own === undefined) return;
  onTestFinished(() => own.stop());
  const chat = await newChat(own);
  const commands = ['echo x > /etc/x', 'echo inside > sandboxed'];
  upstream.next(calls('c', 'shell', { commands }), says('Done.'));
  const events = await own.client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')[0]?.output).toContain('Read-only file system');
  expect(readFileSync(join(workdir, 'sandboxed'), 'utf8')).toBe('inside\n');
});
