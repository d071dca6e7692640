/** Approvals: operations that the model asks for, and the decisions of the owner. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls, held, says } from '../../../../test/harness/story.ts';
import { confirm, decide, idle, READY, RULE_80, STATUS, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
const shell = (id: string, command: string) => calls(id, 'shell', { commands: [command] });
const newestChat = async () => (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
/** Returns the result of the model's last call, as the model read it. */
const result = () => here.kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content;

it('runs an allowed command, and shows its output', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('a1', 'echo made > made.txt; cat made.txt'), says('I made it.'));
  await terminal.say('Make a file.');
  await terminal.sees(/○ [\s\S]*a letter, or/);
  await expect
    .poll(() => here.plain(terminal))
    .toEqual([
      '',
      '▌ Make a file.',
      '',
      '○ 💻 shell echo made > made.txt; cat made.txt',
      '  ↳ on this machine: shell echo made > made.txt; cat made.txt  waiting',
      '⠋ waiting for your answer <n> s',
      '── The model wants to run a command on this machine',
      'not sandboxed, in <folder>',
      '$ echo made > made.txt; cat made.txt',
      '  y  Allow once',
      '  n  Deny',
      '  f  Deny with feedback',
      '  s  Allow this exact command for this session',
      '  a  Always allow this exact command in this chat',
      'a letter, or ↑↓ and Enter · Esc deny',
      // Tokens and cost of the first trip may have come already, or one of them.
      expect.stringMatching(/^scripted\/plain · (.* · )?<folder>$/),
    ]);
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
  await decide(terminal, 'y');
  await terminal.sees(lines => lines.includes('I made it.') && idle(lines));
  expect(readFileSync(join(here.folder, 'made.txt'), 'utf8')).toBe('made\n');
  await expect
    .poll(() => here.plain(terminal))
    .toEqual([
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

it('shows the changes of a write, one dialog after the other', async () => {
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
  const list = /── The model wants[\s\S]*list\.txt[\s\S]*three[\s\S]*Esc deny/;
  const fresh = /── The model wants[\s\S]*new\.txt[\s\S]*fresh[\s\S]*Esc deny/;
  // The calls run side by side, so either may ask first.
  const first = (await terminal.sees(new RegExp(`${list.source}|${fresh.source}`))).join('\n');
  await decide(terminal, 'y');
  await terminal.sees(list.test(first) ? fresh : list);
  await decide(terminal, 'y');
  await terminal.sees(lines => lines.includes('Both written.') && idle(lines));
  expect(readFileSync(join(here.folder, 'list.txt'), 'utf8')).toBe('one\nthree\n');
  expect(readFileSync(join(here.folder, 'new.txt'), 'utf8')).toBe('fresh\n');
});

it('asks once about all commands of a call, and runs no others', async () => {
  const terminal = await here.open();
  const commands = ['echo one > one.txt', 'echo two > two.txt'];
  here.kernel.upstream.next(calls('m1', 'shell', { commands }), says('Both made.'));
  await terminal.say('Make two files.');
  await terminal.sees(/run 2 commands[\s\S]*1\. echo one > one\.txt[\s\S]*2\. echo two > two\.txt/);
  expect(existsSync(join(here.folder, 'one.txt'))).toBe(false);
  await decide(terminal, 'y');
  await terminal.sees(lines => lines.includes('Both made.') && idle(lines));
  expect(readFileSync(join(here.folder, 'two.txt'), 'utf8')).toBe('two\n');
  // The same command again needs another decision.
  here.kernel.upstream.next(shell('m2', 'echo two > two.txt'), says('No.'));
  await terminal.say('Again.');
  await terminal.sees(/run a command on[\s\S]*echo two/);
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('No.') && idle(lines));
});

it('asks no more about a command that is always allowed, until the approval is revoked', async () => {
  const terminal = await here.open({ columns: 100 });
  here.kernel.upstream.next(shell('g1', 'echo one'), says('First.'));
  await terminal.say('Go.');
  await terminal.sees('Always allow this exact command');
  await confirm(terminal, 'a');
  await terminal.sees(lines => lines.includes('First.') && idle(lines));
  here.kernel.upstream.next(shell('g2', 'echo one'), says('Second.'));
  await terminal.say('Again.');
  await terminal.sees(lines => lines.includes('Second.') && idle(lines));
  await terminal.say('/approvals');
  await terminal.sees(/shell echo one {2}always · this chat .* Runs exactly this command/);
  terminal.write(KEY.enter);
  await terminal.sees('Revoke this approval?');
  terminal.write('y');
  await terminal.sees('Revoked.');
  expect((await here.kernel.api.get('/v1/approvals')).body.approvals).toEqual([]);
  await terminal.say('/decisions');
  await terminal.sees(/always allowed: run a command echo one .* · in terminal/);
});

it('reads below the folder without asking with --hands reads', async () => {
  const terminal = await here.open({ hands: 'reads' });
  writeFileSync(join(here.folder, 'a.txt'), 'the content');
  here.kernel.upstream.next(calls('r1', 'read_file', { files: [{ path: 'a.txt' }] }), says('I read it.'));
  await terminal.say('Read.');
  await terminal.sees(lines => lines.includes('I read it.') && idle(lines));
  expect(result()).toContain('the content');
});

it('keeps approving operations of a chat in the background, and names the chat that asks', async () => {
  const terminal = await here.open();
  const later = held({ call: { id: 'l1', name: 'shell', input: { commands: ['touch made.txt'] } } });
  here.kernel.upstream.next(later.reply, says('Made.'));
  await terminal.say('/title Left alone');
  await terminal.say('Make a file.');
  await terminal.sees('Esc to stop');
  await terminal.say('/new');
  await terminal.sees(lines => lines.includes(`› ${READY}`) && !lines.includes('▌ Make a file.'));
  later.go();
  await terminal.sees(/Approval needed in another chat: Left alone[\s\S]*touch made\.txt[\s\S]*Esc deny/);
  await decide(terminal, 'y');
  await terminal.sees(lines => lines.includes(`› ${READY}`));
  await here.kernel.api.live((await newestChat()).id).then(
    stream => stream.all(),
    () => undefined,
  );
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(true);
});

it('denies open operations when the terminal is closed', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('h1', 'touch made.txt'), says('Nobody there?'));
  await terminal.say('Make a file.');
  await terminal.sees('Esc deny');
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
