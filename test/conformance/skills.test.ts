/** Tests skills: found in three locations, named in the prompt, opened by a tool. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHands } from '@chat-kernel/hands';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HandsRunner, KernelClient } from '../../packages/client/src/index.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const data = temporaryDirectory();
const own = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  // The tests never read the home of the user who runs them.
  const paths = [join(data.path, 'skills'), own.path, '.agents/skills'];
  kernel = await startKernel({ dataDir: data.path, settings: { skills: { paths } } });
});
afterAll(async () => {
  await kernel.stop();
  own.remove();
  data.remove();
});

function write(
  folder: string,
  name: string,
  { description = `About ${name}.`, body = 'Do it.' } = {},
): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`);
  return path;
}
const clear = () => {
  for (const folder of [join(data.path, 'skills'), own.path]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
};
const systemOf = (fromLast = 1): string => kernel.upstream.requests.at(-fromLast)?.body.messages[0].content;
const listed = async (query = '') => (await kernel.api.get(`/v1/skills${query}`)).body;

test('[SKILL-1] adds no block without skills', async () => {
  clear();
  const chat = await kernel.client.createChat();
  await kernel.client.say(chat.id, 'Hi.');
  expect(systemOf()).not.toContain('[skills]');
  expect(await listed()).toEqual({ skills: [], broken: [] });
});

test('[SKILL-1] reads skills at each turn, prefers the nearest of a name, and keeps the prompt unchanged if they are unchanged', async () => {
  clear();
  const { client } = kernel;
  const workdir = directoryOfTest();
  write(join(data.path, 'skills'), 'brew', { description: 'Far.' });
  write(join(data.path, 'skills'), 'sail');
  write(own.path, 'brew', { description: 'Near.' });
  const nearest = write(join(workdir, '.agents/skills'), 'sail', { description: 'Nearest.' });
  const chat = await client.createChat({ workdir, workdir_on: 'server' });
  await client.say(chat.id, '1');
  expect(systemOf()).toContain('\n- brew: Near.\n- sail: Nearest.');
  expect(systemOf()).not.toContain('Far.');
  await client.say(chat.id, '2');
  expect(systemOf(1)).toBe(systemOf(2));
  expect(await listed()).toMatchObject({
    skills: [{ name: 'brew' }, { name: 'sail', description: 'About sail.' }],
  });
  expect(await listed(`?chat_id=${chat.id}`)).toEqual({
    skills: [
      { name: 'brew', description: 'Near.', path: join(own.path, 'brew'), on: 'server' },
      { name: 'sail', description: 'Nearest.', path: nearest, on: 'server' },
    ],
    broken: [],
  });
  write(join(workdir, '.agents/skills'), 'sail', { description: 'Another one.' });
  await client.say(chat.id, '3');
  expect(systemOf()).toContain('- sail: Another one.');
  expect(systemOf()).toMatch(/ \[from the project, replaces the user's own skill\]$/m);
  rmSync(nearest, { recursive: true });
  await client.say(chat.id, '4');
  expect(systemOf()).toContain('- sail: About sail.');
  // A turn that may not use a machine does not search the working directory.
  write(join(workdir, '.agents/skills'), 'hidden');
  await client.say(chat.id, 'Which?');
  expect(systemOf()).toMatch(
    /^- brew: Near\.$\n^- hidden: .* \[from the project\]$\n^- sail: About sail\.$/m,
  );
  await client.say(chat.id, '5', { machine: 'none' });
  expect(systemOf()).not.toContain('hidden');
  expect((await kernel.api.get('/v1/skills?chat_id=01900000-0000-7000-8000-000000000000')).status).toBe(404);
});

test('[SKILL-1] returns the text and the files, which read_file reads, also in data_dir', async () => {
  clear();
  const { client, upstream } = kernel;
  const path = write(join(data.path, 'skills'), 'brew', { body: '# Tea\n\nSee [times](more/times.md).' });
  mkdirSync(join(path, 'more'));
  writeFileSync(join(path, 'more/times.md'), 'Three minutes.');
  const chat = await client.createChat();
  upstream.next(
    calls('s', 'skill', { name: 'brew' }),
    calls('r', 'read_file', { files: [{ path: join(path, 'more/times.md') }] }),
    calls('d', 'read_file', { files: [{ path: join(data.path, 'chat-kernel.db') }] }),
    calls('x', 'skill', { name: 'none' }),
    says('Brewed.'),
  );
  const results = eventsOf(await client.say(chat.id, 'Tea.'), 'tool_result');
  expect(results.map(({ is_error }) => is_error)).toEqual([false, false, true, true]);
  expect(results[0]?.output).toBe(
    `The skill brew, in ${path} on the kernel's machine:\n\n# Tea\n\nSee [times](more/times.md).\n\nIts files:\n- ${path}/more/times.md`,
  );
  expect(results[1]?.output).toContain('Three minutes.');
  expect(results[3]?.output).toBe('skill failed: there is no skill none. Skills: brew');
});

test('[SKILL-1] names a malformed skill and skips it', async () => {
  clear();
  write(own.path, 'good');
  const broken = (name: string, text: string) => {
    mkdirSync(join(own.path, name));
    writeFileSync(join(own.path, name, 'SKILL.md'), text);
  };
  broken('a', 'No front matter.');
  broken('b', '---\nname: [\n---\n');
  broken('c', '---\nname: two words\ndescription: x\n---\n');
  broken('d', '---\nname: d\n---\n');
  broken('e', '---\nname: good\ndescription: Once more.\n---\n');
  broken('f', `---\nname: f\ndescription: Long.\n---\n${'x'.repeat(70_000)}`);
  broken('z', '---\nname: z\ndescription: |\n  Two\n  lines.\n---\n');
  mkdirSync(join(own.path, 'empty'));
  writeFileSync(join(own.path, 'README.md'), 'No skill.');
  const { skills, broken: named } = await listed();
  expect(skills.map(({ name, description }: Record<string, string>) => [name, description])).toEqual([
    ['good', 'Once more.'],
    ['z', 'Two lines.'],
  ]);
  const reasons = named.map(({ path, reason }: Record<string, string>) => [
    path?.slice(own.path.length + 1, own.path.length + 2),
    reason,
  ]);
  expect(reasons).toEqual([
    ['a', expect.stringContaining('no front matter')],
    ['b', expect.stringContaining('not valid YAML')],
    ['c', expect.stringContaining('its name')],
    ['d', expect.stringContaining('its description')],
    ['f', expect.stringContaining('65536 bytes')],
    ['g', expect.stringContaining('also has the name good')],
  ]);
});

test('[SKILL-1] [WHO-3] hides skills from strangers, and opens none for them', async () => {
  clear();
  write(own.path, 'brew', { body: 'SECRET' });
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('s', 'skill', { name: 'brew' }), says('Well.'));
  const events = await client.say(chat.id, 'Tea.', { sender: 'Ann' });
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ is_error: true }]);
  expect(JSON.stringify(upstream.requests.slice(-2))).not.toMatch(/brew:|SECRET|\[skills\]/);
});

test('[SKILL-1] ignores skills that a link leads to outside the working directory', async () => {
  clear();
  const workdir = directoryOfTest();
  const outside = directoryOfTest();
  write(outside, 'evil');
  mkdirSync(join(workdir, '.agents/skills'), { recursive: true });
  symlinkSync(join(outside, 'evil'), join(workdir, '.agents/skills/evil'));
  const chat = await kernel.client.createChat({ workdir, workdir_on: 'server' });
  const { skills, broken } = await listed(`?chat_id=${chat.id}`);
  expect(skills).toEqual([]);
  expect(broken).toMatchObject([{ reason: 'it is outside of the working directory.' }]);
});

test("[SKILL-1] [HANDS-6] finds skills on the client's machine by list_dir without a question, and opens them without another operation", async () => {
  clear();
  const { upstream } = kernel;
  const workdir = directoryOfTest();
  const path = write(join(workdir, '.agents/skills'), 'brew', { body: 'Hot water.' });
  writeFileSync(join(path, 'times.md'), 'Three minutes.');
  write(own.path, 'brew', { description: 'Far.' });
  const client = new KernelClient({ url: kernel.url });
  const chat = await client.createChat({ workdir, workdir_on: 'client' });
  const asked: string[] = [];
  const runner = new HandsRunner(client, {
    hands: nodeHands({ workdir }),
    approve: operation => {
      asked.push(operation.action);
      return 'deny';
    },
  });
  upstream.next(calls('s', 'skill', { name: 'brew' }), says('Brewed.'));
  const actions: string[] = [];
  const outputs: string[] = [];
  const stream = await client.turn(chat.id, { text: 'Tea.', ...runner.turnFields });
  for await (const event of stream) {
    runner.take(chat.id, event);
    if (event.type === 'client_op') actions.push(event.action);
    if (event.type === 'tool_result') outputs.push(event.output);
  }
  expect(asked).toEqual([]);
  expect(actions).toEqual(['list_up', 'list_dir', 'read']);
  expect(systemOf()).toContain('- brew: About brew.');
  expect(outputs).toEqual([
    `The skill brew, in ${path} on the user's machine:\n\nHot water.\n\nIts files:\n- ${path}/times.md`,
  ]);
  // It has not changed, so it is not read again; a turn without hands has the last known version.
  const again = await client.turn(chat.id, { text: 'More.', ...runner.turnFields });
  actions.length = 0;
  for await (const event of again) {
    runner.take(chat.id, event);
    if (event.type === 'client_op') actions.push(event.action);
  }
  expect(actions).toEqual(['list_up', 'list_dir']);
  expect((await listed(`?chat_id=${chat.id}`)).skills).toMatchObject([{ name: 'brew', on: 'client', path }]);
  runner.close();
});
