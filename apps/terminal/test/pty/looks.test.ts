/** Commands that look at something or take it along, the lists of chats and results, and the way back into a chat. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { says } from '../../../../test/harness/story.ts';
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

it('asks the last message again once that is confirmed, and the old answer is gone', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(says('A first answer.'), says('A better answer.'));
  await terminal.say('What now?');
  await answered(terminal, 'A first answer.');
  await terminal.say('/retry');
  await terminal.sees(/── Ask again[\s\S]*› What now\?/);
  terminal.write(KEY.enter);
  await terminal.sees('Delete the answer for good, and ask again?');
  terminal.write('y');
  await answered(terminal, 'A better answer.');
  const items = await here.kernel.api.items((await newest()).id);
  expect(items).toMatchObject([{ text: 'What now?' }, { text: 'A better answer.' }]);
});

it("puts the last answer into the terminal's clipboard", async () => {
  const terminal = await here.open();
  await terminal.say('/copy');
  await terminal.sees('There is no answer yet.');
  here.kernel.upstream.next(says('Grüße!'));
  await terminal.say('Greet.');
  await answered(terminal, 'Grüße!');
  await terminal.say('/copy');
  await terminal.sees('6 characters in the clipboard');
  expect(terminal.bytes).toContain(`\u001b]52;c;${Buffer.from('Grüße!').toString('base64')}\u0007`);
});

it('shows what git says has changed, and runs no program that the repository names', async () => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: here.folder, stdio: 'pipe' });
  git('init', '-q');
  writeFileSync(join(here.folder, 'a.txt'), 'one\n');
  git('add', 'a.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
  git('config', 'diff.external', 'touch ran.txt; true');
  git('config', 'core.fsmonitor', 'touch watched.txt; true');
  writeFileSync(join(here.folder, 'a.txt'), 'two\n');
  const terminal = await here.open();
  await terminal.say('/diff');
  await terminal.sees(/── Changes[\s\S]*-one\n {2}\+two/);
  for (const made of ['ran.txt', 'watched.txt']) expect(existsSync(join(here.folder, made))).toBe(false);
  await closed(terminal);
});

it('says that a folder is none of git', async () => {
  const terminal = await here.open();
  await terminal.say('/diff');
  await terminal.sees(/not a git repository/i);
});

it('shows tokens and dollars with bars, and the modules', async () => {
  const terminal = await here.open({ columns: 120 });
  await terminal.say('Hello.');
  await answered(terminal, 'ok');
  await terminal.say('/usage');
  await terminal.sees(/all chats: \$0\.\d+ · [\s\S]*█{20} scripted\/plain: \$0\.\d+ · [\d.k]+ tokens/);
  await closed(terminal);
  await terminal.say('/modules');
  await terminal.sees(/── Modules[\s\S]*there is none/);
});

it('adds to what is remembered, shows, changes and forgets it', async () => {
  const terminal = await here.open({ columns: 120 });
  const entries = async () => (await here.kernel.api.get('/v1/memory')).body.entries;
  await terminal.say('/memory');
  await terminal.sees('nothing is remembered; /memory add TEXT');
  await closed(terminal);
  await terminal.say('/memory add Likes sencha.');
  await terminal.sees('Remembered: every chat is told it');
  const [{ id }] = await entries();
  await terminal.say('/memory');
  await terminal.sees(`${id.slice(0, 8)}  Likes sencha.`);
  await closed(terminal);
  await terminal.say(`/memory edit ${id.slice(0, 8)} Likes gyokuro.`);
  await terminal.sees('Changed.');
  expect(await entries()).toMatchObject([{ id, text: 'Likes gyokuro.' }]);
  await terminal.say(`/memory remove ${id}`);
  await terminal.sees('Forgotten.');
  expect(await entries()).toEqual([]);
  await terminal.say('/memory remove nothing');
  await terminal.sees('Which entry? /memory shows their ids.');
});

it('completes the name of a skill, and asks for it with what stands behind', async () => {
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

it("sends the text of a command of the owner's own folder", async () => {
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

it('says in its lists in which folder a chat works, and in which chat and when something was said', async () => {
  const { api } = here.kernel;
  const chat = await api.newChat({ title: 'About oolong', workdir: here.folder, workdir_on: 'client' });
  await api.say(chat.id, 'Is oolong blue?');
  const terminal = await here.open({ columns: 160 });
  await terminal.say('/chats');
  await terminal.sees(lines =>
    lines.some(line => line.includes('About oolong') && line.includes(`${here.folder} · `)),
  );
  // The last that was said stands behind.
  await terminal.sees(/About oolong.* · \d\d:\d\d · ok$/m);
  await closed(terminal);
  await terminal.say('/search oolong');
  await terminal.sees(/› Is \*\*oolong\*\* blue\? {2}About oolong · \d\d:\d\d/);
});

it('goes on in the newest chat of the folder, and where there is none in the newest of all', async () => {
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

it('stops by Ctrl-Z, gives the terminal back to the shell, and goes on where it was', async () => {
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

it('names a chat by @ and its title, so that the model can read it', async () => {
  const chat = await here.kernel.api.newChat({ title: 'About white tea' });
  const terminal = await here.open({ columns: 120 });
  terminal.write('Compare with @white');
  await terminal.sees(/^› About white tea +a chat, for the model to read/m);
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
