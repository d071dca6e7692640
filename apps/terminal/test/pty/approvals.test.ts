/** Approvals: operations that the model asks for, and the decisions of the owner. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls, held, says } from '../../../../test/harness/story.ts';
import { decide, idle, READY, RULE_80, STATUS, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
const shell = (id: string, command: string) => calls(id, 'shell', { commands: [command] });
const newestChat = async () => (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
/** Returns the result of the model's last call, as the model read it. */
const result = () => here.kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content;

it('runs a command once it is allowed, and shows what it printed', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('a1', 'echo made > made.txt; cat made.txt'), says('I made it.'));
  await terminal.say('Make a file.');
  await terminal.sees(/○ [\s\S]*a number, or/);
  expect(here.plain(terminal)).toEqual([
    '',
    '▌ Make a file.',
    '',
    '○ 💻 shell echo made > made.txt; cat made.txt',
    '  ↳ on this machine: shell echo made > made.txt; cat made.txt  waiting',
    '⠋ waiting for an answer <n> s',
    '── The model asks to run a command on this machine',
    'in <folder>',
    '$ echo made > made.txt; cat made.txt',
    '  1. Allow once',
    '  2. Allow exactly this command here until the kernel stops',
    '  3. Always allow exactly this command here, in this chat',
    '  4. Deny',
    '  5. No, and tell it why',
    'a number, or ↑↓ and Enter · Esc denies',
    // Tokens and cost of the first trip may have come already, or one of them.
    expect.stringMatching(/^scripted\/plain · (.* · )?<folder>$/),
  ]);
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
  await decide(terminal, '1');
  await terminal.sees(lines => lines.includes('I made it.') && idle(lines));
  expect(readFileSync(join(here.folder, 'made.txt'), 'utf8')).toBe('made\n');
  expect(here.plain(terminal)).toEqual([
    '',
    '▌ Make a file.',
    '',
    '● 💻 shell echo made > made.txt; cat made.txt',
    '  == echo made > made.txt; cat made.txt',
    '  made',
    '  ↳ on this machine: shell echo made > made.txt; cat made.txt  allow',
    '',
    'I made it.',
    RULE_80,
    `› ${READY}`,
    STATUS,
  ]);
});

it('takes neither Enter alone nor what was being typed as a yes, and Esc as a no [EV-8]', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('a2', 'touch made.txt'), says('As you like.'));
  await terminal.say('Make a file.');
  await terminal.sees('Esc denies');
  // A digit that comes right behind a letter is typing, however slow the machine is.
  terminal.write('x1');
  await decide(terminal, KEY.enter);
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('As you like.') && idle(lines));
  expect(result()).toContain('The user declined this operation.');
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
  expect(here.plain(terminal)).toEqual([
    '',
    '▌ Make a file.',
    '',
    '✗ 💻 shell touch made.txt',
    '  == touch made.txt',
    '  The user declined this operation.',
    '  ↳ on this machine: shell touch made.txt  deny',
    '',
    'As you like.',
    RULE_80,
    // Keys that came too early to be an answer.
    '› x1',
    STATUS,
  ]);
});

it('shows what a write changes, one dialog after the other', async () => {
  const terminal = await here.open();
  writeFileSync(join(here.folder, 'list.txt'), 'one\ntwo\n');
  here.kernel.upstream.next(
    {
      steps: [
        { call: { id: 'w1', name: 'write_file', input: { path: 'list.txt', content: 'one\nthree\n' } } },
        { call: { id: 'w2', name: 'write_file', input: { path: 'new.txt', content: 'fresh\n' } } },
      ],
    },
    says('Both written.'),
  );
  await terminal.say('Write.');
  await terminal.sees(/── The model asks[\s\S]*list\.txt[\s\S]*three[\s\S]*Esc denies/);
  await decide(terminal, '1');
  await terminal.sees(/── The model asks[\s\S]*new\.txt[\s\S]*fresh[\s\S]*Esc denies/);
  await decide(terminal, '1');
  await terminal.sees(lines => lines.includes('Both written.') && idle(lines));
  expect(readFileSync(join(here.folder, 'list.txt'), 'utf8')).toBe('one\nthree\n');
  expect(readFileSync(join(here.folder, 'new.txt'), 'utf8')).toBe('fresh\n');
});

it('asks no more about a command that is always allowed, until the approval is taken back', async () => {
  const terminal = await here.open({ columns: 100 });
  here.kernel.upstream.next(shell('g1', 'echo one'), says('First.'));
  await terminal.say('Go.');
  await terminal.sees('Always allow exactly this command');
  await decide(terminal, '3');
  await terminal.sees(lines => lines.includes('First.') && idle(lines));
  here.kernel.upstream.next(shell('g2', 'echo one'), says('Second.'));
  await terminal.say('Again.');
  await terminal.sees(lines => lines.includes('Second.') && idle(lines));
  await terminal.say('/approvals');
  await terminal.sees(/shell echo one {2}always · this chat/);
  terminal.write(KEY.enter);
  await terminal.sees('Take it back');
  terminal.write('y');
  await terminal.sees('Taken back.');
  expect((await here.kernel.api.get('/v1/approvals')).body.approvals).toEqual([]);
});

it('reads below the folder without asking with --hands reads', async () => {
  const terminal = await here.open({ hands: 'reads' });
  writeFileSync(join(here.folder, 'a.txt'), 'the content');
  here.kernel.upstream.next(calls('r1', 'read_file', { files: [{ path: 'a.txt' }] }), says('I read it.'));
  await terminal.say('Read.');
  await terminal.sees(lines => lines.includes('I read it.') && idle(lines));
  expect(result()).toContain('the content');
});

it('keeps the hands of a chat that was left, and says which chat asks', async () => {
  const terminal = await here.open();
  const later = held({ call: { id: 'l1', name: 'shell', input: { commands: ['touch made.txt'] } } });
  here.kernel.upstream.next(later.reply, says('Made.'));
  await terminal.say('/title Left alone');
  await terminal.say('Make a file.');
  await terminal.sees('Esc cancels');
  await terminal.say('/new');
  await terminal.sees(lines => lines.includes(`› ${READY}`) && !lines.includes('▌ Make a file.'));
  later.go();
  await terminal.sees(/Another chat asks: Left alone[\s\S]*touch made\.txt[\s\S]*Esc denies/);
  await decide(terminal, '1');
  await terminal.sees(lines => lines.includes(`› ${READY}`));
  await here.kernel.api.live((await newestChat()).id).then(
    stream => stream.all(),
    () => undefined,
  );
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(true);
});

it('says which sub-agent asks', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(
    calls('t1', 'agent', { agents: [{ name: 'scout', task: 'Look around.' }] }),
    shell('t2', 'echo found'),
    says('I found it.'),
    says('The scout found it.'),
  );
  await terminal.say('Send a scout.');
  await terminal.sees(/Sub-agent scout asks to run a command on this machine[\s\S]*Esc denies/);
  await decide(terminal, '1');
  await terminal.sees(lines => lines.includes('The scout found it.') && idle(lines));
});

it('denies open operations when the terminal is closed', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('h1', 'touch made.txt'), says('Nobody there?'));
  await terminal.say('Make a file.');
  await terminal.sees('Esc denies');
  terminal.signal('SIGHUP');
  expect(await terminal.exited).toBe(129);
  const { chats } = (await here.kernel.api.get('/v1/chats?limit=1')).body;
  const stream = await here.kernel.api.live(chats[0].id).catch(() => null);
  await stream?.all();
  const items = await here.kernel.api.items(chats[0].id);
  expect(items.find(item => item.kind === 'tool_call')).toMatchObject({
    output: expect.stringContaining('The user declined this operation.'),
  });
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
});

it('says of a command that was allowed that it runs', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('a9', 'until [ -e go ]; do sleep 0.1; done'), says('It went.'));
  await terminal.say('Wait for the file.');
  await terminal.sees(/done {2}waiting[\s\S]*Esc denies/);
  await decide(terminal, '1');
  await terminal.sees(/done {2}running/);
  writeFileSync(join(here.folder, 'go'), '');
  await terminal.sees(lines => lines.includes('It went.') && idle(lines));
});
