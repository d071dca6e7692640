/** What the owner says in the dialog beyond yes and no: how much of a command, and why not; whichever machine it is about. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StandingBy } from '../../../../test/harness/standing-by.ts';
import { calls, says } from '../../../../test/harness/story.ts';
import { decide, idle, sessions } from './sessions.ts';
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
  await terminal.sees('No, and tell it why');
  const row = terminal.screen().find(line => line.includes('No, and tell it why'))!;
  await decide(terminal, /\d/.exec(row)![0]);
  await terminal.sees('Enter says no, with this');
  await terminal.say(reason);
}

it('picks by arrows how many words are always allowed, and only those are', async () => {
  const terminal = await here.open({ columns: 120 });
  here.kernel.upstream.next(shell('p1', 'echo one two three'), says('First.'));
  await terminal.say('Go.');
  await terminal.sees('begin with: echo one (←→)');
  await decide(terminal, RIGHT);
  await terminal.sees('begin with: echo one two (←→)');
  terminal.write(LEFT);
  await terminal.sees('begin with: echo one (←→)');
  const row = terminal.screen().find(line => line.includes('begin with:'))!;
  await decide(terminal, /\d/.exec(row)![0]);
  await terminal.sees(lines => lines.includes('First.') && idle(lines));
  const given = (await here.kernel.api.get('/v1/approvals')).body.approvals;
  expect(given).toMatchObject([{ action: 'shell', decision: 'allow_prefix', prefix: 'echo one' }]);
  here.kernel.upstream.next(shell('p2', 'echo one four'), shell('p3', 'echo other'), says('Second.'));
  await terminal.say('Again.');
  // The one between them is not asked about.
  await terminal.sees(/── The model asks[\s\S]*\$ echo other/);
  expect(result()).toContain('one four');
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('Second.') && idle(lines));
});

it('says no, and tells the model why', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(shell('n1', 'touch made.txt'), says('I see.'));
  await terminal.say('Make a file.');
  await refuse(terminal, 'Call it other.txt instead.');
  await terminal.sees(lines => lines.includes('I see.') && idle(lines));
  expect(result()).toContain('Call it other.txt instead.');
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
});

it("says why not about the kernel's own machine, too", async () => {
  const terminal = await here.open({ hands: 'kernel' });
  here.kernel.upstream.next(shell('k1', 'touch made.txt'), says('I see.'));
  await terminal.say('Make a file.');
  await terminal.sees("asks to run a command on the kernel's machine");
  await refuse(terminal, 'Not on this server.');
  await terminal.sees(lines => lines.includes('I see.') && idle(lines));
  expect(result()).toContain('Not on this server.');
  expect(existsSync(join(here.folder, 'made.txt'))).toBe(false);
});

it('chooses the machine of a chat, and says why not about what it would do there', async () => {
  const laptop = await StandingBy.open(here.kernel.api, 'laptop');
  void laptop.findNone().catch(() => undefined);
  const terminal = await here.open({ columns: 120 });
  await terminal.say('Hello.');
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  await terminal.say('/machines');
  await terminal.sees(/── Machines[\s\S]*› this machine[\s\S]*laptop {2}here since .* · linux/);
  terminal.write(KEY.down);
  await terminal.sees('› laptop');
  terminal.write(KEY.enter);
  await terminal.sees(lines => !lines.some(line => line.startsWith('── Machines')));
  await expect.poll(newestChat).toMatchObject({ hands: 'laptop', workdir_on: 'client' });
  here.kernel.upstream.next(shell('m1', 'touch made.txt'), says('I see.'));
  await terminal.say('Make a file.');
  await terminal.sees('asks to run a command on laptop');
  await refuse(terminal, 'It is on battery.');
  await terminal.sees(lines => lines.includes('I see.') && idle(lines));
  expect(result()).toContain('It is on battery.');
  expect(laptop.told).not.toContain('shell');
  await terminal.say('/workdir deeper');
  await terminal.sees('This chat acts on laptop: name the whole path of a folder there.');
  await terminal.say('/workdir /srv/deeper');
  await expect.poll(newestChat).toMatchObject({ hands: 'laptop', workdir: '/srv/deeper' });
  await terminal.say('/workdir');
  await terminal.sees('/srv/deeper (on laptop)');
  await terminal.say('/machines');
  await terminal.sees(/laptop .* · this chat acts there/);
  terminal.write('this');
  await terminal.sees('search: this');
  terminal.write(KEY.enter);
  await expect.poll(newestChat).toMatchObject({ hands: null, workdir: here.folder });
  laptop.leave();
});
