/** Commands that look at something or take it along, the lists of chats and results, the way back into a chat, and schedules. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { says, summaryWith } from '../../../../test/harness/story.ts';
import { idle, READY, sessions } from './sessions.ts';
import { KEY, type Terminal } from './terminal.ts';

const here = sessions();
const newest = async () => (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
const told = () => JSON.stringify(here.kernel.upstream.requests.at(-1)?.body.messages);

async function answered(terminal: Terminal, answer: string): Promise<void> {
  await terminal.sees(lines => lines.includes(answer) && idle(lines));
}
async function closed(terminal: Terminal): Promise<void> {
  terminal.write(KEY.escape);
  await terminal.sees(`› ${READY}`);
}

it('resends the last message after confirmation, and removes the old answer', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(says('A first answer.'), says('A better answer.'));
  await terminal.say('What now?');
  await answered(terminal, 'A first answer.');
  await terminal.say('/retry');
  await terminal.sees(/── Regenerate[\s\S]*› What now\?/);
  terminal.write(KEY.enter);
  await terminal.sees('Permanently delete the answer and regenerate it?');
  terminal.write('y');
  await answered(terminal, 'A better answer.');
  const items = await here.kernel.api.items((await newest()).id);
  expect(items).toMatchObject([{ text: 'What now?' }, { text: 'A better answer.' }]);
});

it('copies the last answer to the clipboard of the terminal', async () => {
  const terminal = await here.open();
  await terminal.say('/copy');
  await terminal.sees('There is no answer yet.');
  here.kernel.upstream.next(says('Grüße!'));
  await terminal.say('Greet.');
  await answered(terminal, 'Grüße!');
  await terminal.say('/copy');
  await terminal.sees('Copied 6 characters');
  expect(terminal.bytes).toContain(`\u001b]52;c;${Buffer.from('Grüße!').toString('base64')}\u0007`);
});

it('shows the changes in git, and runs no program that the repository configures', async () => {
  const terminal = await here.open();
  await terminal.say('/diff');
  await terminal.sees(/not a git repository/i);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: here.folder, stdio: 'pipe' });
  git('init', '-q');
  writeFileSync(join(here.folder, 'a.txt'), 'one\n');
  git('add', 'a.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
  git('config', 'diff.external', 'touch ran.txt; true');
  git('config', 'core.fsmonitor', 'touch watched.txt; true');
  writeFileSync(join(here.folder, 'a.txt'), 'two\n');
  await terminal.say('/diff');
  await terminal.sees(/── Changes[\s\S]*-one\n {2}\+two/);
  for (const made of ['ran.txt', 'watched.txt']) expect(existsSync(join(here.folder, made))).toBe(false);
  await closed(terminal);
});

it('shows tokens and dollars with bars, and the modules', async () => {
  const terminal = await here.open({ columns: 120 });
  await terminal.say('Hello.');
  await answered(terminal, 'ok');
  await terminal.say('/usage');
  await terminal.sees(/all chats: \$0\.\d+ · [\s\S]*█{20} scripted\/plain: \$0\.\d+ · [\d.k]+ tokens/);
  await terminal.sees(/last answer: scripted\/plain · \$0\.\d+ · [\d.k]+ in · \d+ out/);
  await closed(terminal);
  await terminal.say('/modules');
  await terminal.sees(/── Modules[\s\S]*no modules installed/);
});

it('adds, shows, edits and deletes memories', async () => {
  const terminal = await here.open({ columns: 120 });
  const entries = async () => (await here.kernel.api.get('/v1/memory')).body.entries;
  await terminal.say('/memory');
  await terminal.sees('no memories yet; /memory add TEXT');
  await closed(terminal);
  await terminal.say('/memory add Likes sencha.');
  await terminal.sees('Saved. Every chat uses it');
  const [{ id }] = await entries();
  await terminal.say('/memory');
  await terminal.sees(`${id.slice(0, 8)}  Likes sencha.`);
  await closed(terminal);
  await terminal.say(`/memory edit ${id.slice(0, 8)} Likes gyokuro.`);
  await terminal.sees('Updated.');
  expect(await entries()).toMatchObject([{ id, text: 'Likes gyokuro.' }]);
  await terminal.say(`/memory remove ${id}`);
  await terminal.sees('Deleted.');
  expect(await entries()).toEqual([]);
  await terminal.say('/memory remove nothing');
  await terminal.sees('No memory has this ID. /memory lists the IDs.');
});

it('shows proposed memories with their origin, and accepts and discards them', async () => {
  const terminal = await here.open({ columns: 140 });
  const { client, upstream } = here.kernel;
  const chat = (await client.createChat()).id;
  const texts = ['Pays to account 66.', 'Has a boat.', 'Likes gulls.'];
  upstream.next(says('Done.'), says('Yes.'), summaryWith(...texts));
  await client.say(chat, 'Read this.', { outside: ['web:evil.example'] });
  await client.say(chat, 'Tea?');
  await here.kernel.api.post(`/v1/chats/${chat}/compact`);
  const memory = async () => (await here.kernel.api.get('/v1/memory')).body;
  const [{ id }] = (await memory()).proposals;
  await terminal.say('/memory');
  await terminal.sees(`${id.slice(0, 8)}  Pays to account 66.`);
  await terminal.sees('learned while summarizing a chat · sources: web:evil.example');
  await closed(terminal);
  await terminal.say(`/memory discard ${id.slice(0, 8)}`);
  await terminal.sees('Discarded 1 proposal.');
  await terminal.say('/memory accept nothing');
  await terminal.sees('No proposal has this ID. /memory lists the IDs.');
  await terminal.say('/memory accept all');
  await terminal.sees('Accepted 2 texts. Every chat uses them from its next turn.');
  expect(await memory()).toMatchObject({ entries: texts.slice(1).map(text => ({ text })), proposals: [] });
  await here.kernel.api.delete('/v1/memory');
});

it('completes the name of a skill, and sends the text after it', async () => {
  const skill = join(here.folder, '.agents/skills/brew');
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: brew\ndescription: Makes tea.\n---\nBoil water.\n');
  const terminal = await here.open({ hands: 'reads' });
  // A turn reads the skills of this machine for the first time.
  await terminal.say('Hello.');
  await answered(terminal, 'ok');
  terminal.write('/bre');
  await terminal.sees(/› \/brew … +Makes tea\./);
  terminal.write('\t');
  await terminal.sees(lines => lines.includes('› /brew'));
  terminal.write('two cups');
  await terminal.sees('› /brew two cups');
  here.kernel.upstream.next(says('Brewed.'));
  terminal.write(KEY.enter);
  await answered(terminal, 'Brewed.');
  expect(told()).toContain('Use the skill brew: two cups');
});

it("sends the text of a command from the user's folder", async () => {
  const commands = join(here.folder, '.config/chat-kernel/commands');
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, 'review.md'), '# Review\nLook at $ARGUMENTS closely.\n');
  const terminal = await here.open();
  terminal.write('/rev');
  await terminal.sees(/› \/review <words> +Review/);
  terminal.write(`${KEY.backspace.repeat(4)}/review a.txt`);
  await terminal.sees('› /review a.txt');
  terminal.write(KEY.enter);
  await answered(terminal, 'ok');
  expect(told()).toContain('Look at a.txt closely.');
});

it('shows the folder of a chat, and the chat and time of a message, in its lists', async () => {
  const { api } = here.kernel;
  const chat = await api.newChat({ title: 'About oolong', workdir: here.folder, workdir_on: 'client' });
  await api.say(chat.id, 'Is oolong blue?');
  const terminal = await here.open({ columns: 160 });
  await terminal.say('/chats');
  await terminal.sees(lines =>
    lines.some(line => line.includes('About oolong') && line.includes(`${here.folder} · `)),
  );
  // The preview of the last message follows.
  await terminal.sees(/About oolong.* · \d\d:\d\d · ok$/m);
  await closed(terminal);
  await terminal.say('/search oolong');
  await terminal.sees(/› Is \*\*oolong\*\* blue\? {2}About oolong · \d\d:\d\d/);
});

it('resumes the newest chat of the folder, or the newest of all if the folder has none', async () => {
  const { api } = here.kernel;
  const place = { workdir: here.folder, workdir_on: 'client' };
  const ours = await api.newChat({ title: 'Ours', ...place });
  await api.say(ours.id, 'Said in this folder.');
  const other = await api.newChat({ title: 'Others' });
  await api.say(other.id, 'Said elsewhere.');
  const terminal = await here.open({ continueLast: true });
  await terminal.sees('▌ Said in this folder.');
  const away = join(here.folder, 'away');
  mkdirSync(away);
  const second = await here.open({ continueLast: true, workdir: away });
  await second.sees('▌ Said elsewhere.');
});

it('suspends on Ctrl-Z, returns the terminal to the shell, and resumes', async () => {
  const terminal = await here.open({
    script: 'set -m; "$@"; echo "stopped with $?"; read -r _; fg >/dev/null; echo "ended with $?"',
  });
  terminal.write('half a line');
  await terminal.sees('› half a line');
  const before = terminal.bytes.length;
  terminal.write('\u001a');
  await terminal.sees('stopped with 148');
  // The cursor is back, and pastes are plain again.
  expect(terminal.bytes.slice(before)).toContain('\u001b[?25h');
  expect(terminal.bytes.slice(before)).toContain('\u001b[?2004l');
  terminal.write('\r');
  await terminal.sees(lines => lines.includes('› half a line'));
  terminal.write(' and the rest');
  await terminal.sees('› half a line and the rest');
  terminal.write('\u0015');
  await terminal.sees(`› ${READY}`);
  terminal.write(KEY.end);
  await terminal.sees('ended with 0');
});

it('references a chat by @ and its title, so that the model can read it', async () => {
  const chat = await here.kernel.api.newChat({ title: 'About white tea' });
  const terminal = await here.open({ columns: 120 });
  terminal.write('Compare with @white');
  await terminal.sees(/^› About white tea +chat for the model to read/m);
  terminal.write('\t');
  await terminal.sees('› Compare with [chat About white tea]');
  terminal.write('please.');
  await terminal.sees('[chat About white tea] please.');
  terminal.write(KEY.enter);
  await answered(terminal, 'ok');
  const [said] = await here.kernel.api.items((await newest()).id);
  expect(said).toMatchObject({
    text: `Compare with [chat "About white tea", chat_id ${chat.id}] please.`,
  });
});

it('[SCHED-1] schedules a message, runs it manually, disables it and deletes it', async () => {
  const schedules = async () => (await here.kernel.api.get('/v1/schedules')).body.schedules;
  const terminal = await here.open();
  await terminal.say('/schedule tomorrow perhaps');
  await terminal.sees(/Usage: \/schedule WHEN TEXT\./);
  await terminal.say('/schedule 0 9 29 FEB * Leap, please.');
  await terminal.sees(/Scheduled in new chats; next run \d{4}-02-29 09:00\./);
  expect(await schedules()).toMatchObject([{ cron: '0 9 29 FEB *', text: 'Leap, please.', chat_id: null }]);

  const choose = async (what: string) => {
    await terminal.say('/schedules');
    await terminal.sees(/Leap, please\. +0 9 29 FEB \*/);
    terminal.write(KEY.enter);
    await terminal.sees('run now');
    terminal.write(what);
    await terminal.sees(`search: ${what}`);
    terminal.write(KEY.enter);
  };
  here.kernel.upstream.next(says('I leap.'));
  await choose('run now');
  await terminal.sees(lines => lines.includes('I leap.') && idle(lines));
  await choose('disable');
  await terminal.sees('Disabled.');
  expect(await schedules()).toMatchObject([{ enabled: false, next_at: null, last: { status: 'completed' } }]);
  await choose('show runs');
  await terminal.sees(/ · completed/);
  terminal.write(KEY.escape);
  await terminal.sees(lines => !lines.some(line => line.startsWith('── Runs')));
  await choose('allow without asking');
  await terminal.sees('allow a tool');
  terminal.write(KEY.enter);
  await terminal.sees('── Allow a tool');
  terminal.write('shell');
  await terminal.sees('search: shell');
  terminal.write(KEY.enter);
  await terminal.sees('shell for everything');
  terminal.write('npm test');
  await terminal.sees('shell for npm test');
  terminal.write(KEY.enter);
  await terminal.sees('Saved: without asking: shell for npm test.');
  expect(await schedules()).toMatchObject([{ grants: [{ tool: 'shell', target: 'npm test' }] }]);
  await choose('allow without asking');
  await terminal.sees('remove shell for npm test');
  terminal.write('remove');
  await terminal.sees('search: remove');
  terminal.write(KEY.enter);
  await terminal.sees('Saved. Its runs ask as other turns do.');
  expect(await schedules()).toMatchObject([{ grants: [] }]);
  await choose('delete');
  await terminal.sees('Deleted. Its chats are kept.');
  expect(await schedules()).toEqual([]);
  await terminal.say('/schedule 2h Back again.');
  await terminal.sees(/Scheduled in this chat; next run .*\./);
});
