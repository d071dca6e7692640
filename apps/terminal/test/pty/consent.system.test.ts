/** Approvals by prefix and denials with feedback, on every machine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StandingBy } from '../../../../test/harness/standing-by.ts';
import { calls, says } from '../../../../test/harness/story.ts';
import { confirm, decide, idle, sessions } from './sessions.ts';
import { KEY, type Terminal } from './terminal.ts';

const here = sessions();
const shell = (id: string, command: string) => calls(id, 'shell', { commands: [command] });
const newestChat = async () => (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
/** The result of the model's last call, as the model read it. */
const result = () => here.kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content;
const RIGHT = '\u001b[C';
const LEFT = '\u001b[D';

/** Types a reason into the open dialog, and sends it. */
async function refuse(terminal: Terminal, reason: string): Promise<void> {
  await terminal.sees('Deny with feedback');
  await decide(terminal, 'f');
  await terminal.sees('Enter deny and send');
  await terminal.say(reason);
}

it('selects with arrow keys how many words are always allowed, and allows no others', async () => {
  const terminal = await here.open({ columns: 120 });
  here.kernel.upstream.next(shell('p1', 'echo one two three'), says('First.'));
  await terminal.say('Go.');
  await terminal.sees('starting with: echo one (←→)');
  await decide(terminal, RIGHT);
  await terminal.sees('starting with: echo one two (←→)');
  terminal.write(LEFT);
  await terminal.sees('starting with: echo one (←→)');
  await confirm(terminal, 'p');
  await terminal.sees(lines => lines.includes('First.') && idle(lines));
  const given = (await here.kernel.api.get('/v1/approvals')).body.approvals;
  expect(given).toMatchObject([{ action: 'shell', decision: 'allow_prefix', prefix: 'echo one' }]);
  here.kernel.upstream.next(shell('p2', 'echo one four'), shell('p3', 'echo other'), says('Second.'));
  await terminal.say('Again.');
  // The one between them is not asked about.
  await terminal.sees(/── The model wants[\s\S]*\$ echo other/);
  expect(result()).toContain('one four');
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('Second.') && idle(lines));
});

it('selects the machine of a chat, and sends feedback with a denial there', async () => {
  const laptop = await StandingBy.open(here.kernel.api, 'laptop');
  void laptop.findNone().catch(() => undefined);
  const terminal = await here.open({ columns: 120 });
  await terminal.say('Hello.');
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  await terminal.say('/machines');
  await terminal.sees(/── Machines[\s\S]*› this machine[\s\S]*laptop {2}online since .* · linux/);
  terminal.write(KEY.down);
  await terminal.sees('› laptop');
  terminal.write(KEY.enter);
  await terminal.sees(lines => !lines.some(line => line.startsWith('── Machines')));
  await terminal.sees('laptop:~');
  expect(await newestChat()).toMatchObject({ hands: 'laptop', workdir_on: 'client' });
  here.kernel.upstream.next(shell('m1', 'touch made.txt'), says('I see.'));
  await terminal.say('Make a file.');
  await terminal.sees('wants to run a command on laptop');
  await refuse(terminal, 'It is on battery.');
  await terminal.sees(lines => lines.includes('I see.') && idle(lines));
  expect(result()).toContain('It is on battery.');
  expect(laptop.told).not.toContain('shell');
  await terminal.say('/workdir deeper');
  await terminal.sees('This chat uses laptop. Enter the absolute path of a folder there.');
  await terminal.say('/workdir /srv/deeper');
  await expect.poll(newestChat).toMatchObject({ hands: 'laptop', workdir: '/srv/deeper' });
  await terminal.say('/workdir');
  await terminal.sees('/srv/deeper (on laptop)');
  await terminal.say('/machines');
  await terminal.sees(/laptop .* · used by this chat/);
  terminal.write('this');
  await terminal.sees('search: this');
  terminal.write(KEY.enter);
  await expect.poll(newestChat).toMatchObject({ hands: null, workdir: here.folder });
  laptop.leave();
});

it('shows what a write changes on another machine and on the server [WEB-16]', async () => {
  const laptop = await StandingBy.open(here.kernel.api, 'laptop');
  void laptop.findNone().catch(() => undefined);
  const terminal = await here.open({ hands: 'kernel' });
  writeFileSync(join(here.folder, 'list.txt'), 'one\ntwo\n');
  const write = (id: string) => calls(id, 'write_file', { path: 'list.txt', content: 'one\nthree\n' });
  here.kernel.upstream.next(write('w1'), says('I see.'));
  await terminal.say('Write it.');
  await terminal.sees(
    /wants to write a file on the server[\s\S]*list\.txt {2}\+1 −1[\s\S]*-two[\s\S]*\+three/,
  );
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('I see.') && idle(lines));
  const { id } = await newestChat();
  await here.kernel.client.setWorkdir(id, { workdir: '/garden', workdir_on: 'client', hands: 'laptop' });
  here.kernel.upstream.next(write('w2'), says('I saw.'));
  await terminal.say('And there.');
  const read = await laptop.operation('read_bytes');
  expect(read).toMatchObject({ path: '/garden/list.txt' });
  const data = Buffer.from('one\nzwei\n').toString('base64');
  await laptop.answer(read, { result: { total: 9, data } });
  await terminal.sees(/wants to write a file on laptop[\s\S]*list\.txt {2}\+1 −1[\s\S]*-zwei[\s\S]*\+three/);
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('I saw.') && idle(lines));
  laptop.leave();
});
