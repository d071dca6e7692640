/** Slash commands, pickers and the input, by keyboard. */
import { randomBytes } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PNG } from '../../../../test/harness/pictures.ts';
import { calls, held, says } from '../../../../test/harness/story.ts';
import { decide, idle, READY, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const BIG = { id: 'scripted/big', context_window: 200_000, efforts: ['off', 'high'] as const };
const here = sessions({
  settings: {
    llm: {
      models: [
        {
          id: 'scripted/plain',
          context_window: 100_000,
          efforts: ['off', 'low', 'mid', 'high'],
          price: { input: 1, output: 10 },
        },
        { ...BIG, efforts: [...BIG.efforts], price: { input: 2, output: 20 } },
      ],
    },
  },
});
const lastRequest = () => here.kernel.upstream.requests.at(-1)!;
const newest = async () => (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];

/** Expects that the second exchange is gone and its question is in the input again. */
const shortened =
  (notice: string) =>
  (lines: string[]): boolean =>
    lines.includes('First answer.') &&
    !lines.includes('Second answer.') &&
    lines.includes('› Second question?') &&
    lines.some(line => line.startsWith(notice));

it('completes commands, and suggests the closest match for an unknown one', async () => {
  const terminal = await here.open();
  terminal.write('/eff');
  await terminal.sees(/› \/effort <level> +set effort/);
  terminal.write('\t');
  await terminal.sees(lines => lines.includes('› /effort'));
  terminal.write(`${KEY.backspace.repeat(9)}/modle x`);
  await terminal.sees('› /modle x');
  terminal.write(KEY.enter);
  await terminal.sees(/Unknown command: \/modle\. Did you mean \/model\?[\s\S]*› \/modle x/);
});

it('sets model and effort before the first message and after it', async () => {
  const terminal = await here.open();
  await terminal.say('/model');
  await terminal.sees('scripted/plain ✓');
  terminal.write('big');
  await terminal.sees('search: big');
  terminal.write(KEY.enter);
  await terminal.sees(/^scripted\/big · /m);
  await terminal.say('/effort high');
  await terminal.sees('scripted/big · effort high');
  await terminal.say('Hello.');
  await terminal.sees(idle);
  expect(lastRequest()).toMatchObject({ model: 'big', body: { reasoning_effort: 'high' } });
  await terminal.say('/model scripted/plain');
  await terminal.sees(/^scripted\/plain · effort high/m);
  await terminal.say('Hello again.');
  await terminal.sees(lines => lines.filter(line => line === 'ok').length === 2 && idle(lines));
  expect(lastRequest().model).toBe('plain');
});

it('forks before a message, and keeps the parent', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(says('First answer.'), says('Second answer.'));
  await terminal.say('First question?');
  await terminal.sees(lines => lines.includes('First answer.') && idle(lines));
  await terminal.say('Second question?');
  await terminal.sees(lines => lines.includes('Second answer.') && idle(lines));
  const parent = await newest();
  await terminal.say('/fork');
  await terminal.sees(/› Second question\?[\s\S]* {2}First question\?/);
  terminal.write(KEY.enter);
  await terminal.sees(shortened('Forked.'));
  const branch = (await here.kernel.api.get('/v1/chats')).body.chats.find(
    (chat: { forked_from: string | null }) => chat.forked_from === parent.id,
  );
  const said = (items: { kind: string; text?: string }[]) =>
    items.filter(({ kind }) => kind === 'agent_message').map(({ text }) => text);
  expect(said(await here.kernel.api.items(branch.id))).toEqual(['First answer.']);
  expect(said(await here.kernel.api.items(parent.id))).toEqual(['First answer.', 'Second answer.']);
});

it('rewinds to before a message after confirmation', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(says('First answer.'), says('Second answer.'));
  await terminal.say('First question?');
  await terminal.sees(lines => lines.includes('First answer.') && idle(lines));
  await terminal.say('Second question?');
  await terminal.sees(lines => lines.includes('Second answer.') && idle(lines));
  const { id } = await newest();
  await terminal.say('/rewind');
  await terminal.sees('› Second question?');
  terminal.write(KEY.enter);
  await terminal.sees('Permanently delete this message and everything after it?');
  expect(await here.kernel.api.items(id)).toHaveLength(4);
  terminal.write('y');
  await terminal.sees(shortened('Rewound.'));
  expect(await here.kernel.api.items(id)).toHaveLength(2);
});

it('rewinds the files that the model changed, and shows them first', async () => {
  writeFileSync(join(here.folder, 'tea.txt'), 'green');
  const terminal = await here.open({ columns: 160, hands: 'all' });
  here.kernel.upstream.next(
    calls('f1', 'write_file', { path: 'tea.txt', content: 'black' }),
    calls('f2', 'write_file', { path: 'cup.txt', content: 'new' }),
    says('Both are written.'),
  );
  await terminal.say('Write them.');
  await terminal.sees(lines => lines.includes('Both are written.') && idle(lines));
  expect(readFileSync(join(here.folder, 'tea.txt'), 'utf8')).toBe('black');
  await terminal.say('/rewind');
  await terminal.sees('› Write them.');
  terminal.write(KEY.enter);
  await terminal.sees('Permanently delete');
  terminal.write('y');
  await terminal.sees(/Rewind and revert 2 files[\s\S]*tea\.txt +restored[\s\S]*cup\.txt +deleted/);
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.some(line => line.startsWith('Rewound.')));
  expect(readFileSync(join(here.folder, 'tea.txt'), 'utf8')).toBe('green');
  expect(globSync('*.txt', { cwd: here.folder })).toEqual(['tea.txt']);
});

it('finds a chat by its title, and a message by its text', async () => {
  const { api } = here.kernel;
  const tea = await api.newChat({ title: 'About tea' });
  await api.newChat({ title: 'About coffee' });
  await api.say(tea.id, 'Is sencha green?');
  const terminal = await here.open();
  await terminal.say('/chats');
  await terminal.sees(/About coffee[\s\S]*About tea|About tea[\s\S]*About coffee/);
  terminal.write('tea');
  await terminal.sees(
    lines => lines.some(l => l.includes('About tea')) && !lines.some(l => l.includes('coffee')),
  );
  terminal.write(KEY.enter);
  await terminal.sees(/▌ Is sencha green\?[\s\S]*About tea/);
  expect(terminal.bytes).toContain('\u001b]0;About tea\u0007');
  await terminal.say('/new');
  await terminal.sees(lines => !lines.some(line => line.includes('sencha')));
  await terminal.say('/search sencha');
  await terminal.sees(/› Is \*\*sencha\*\* green\?/);
  terminal.write(KEY.enter);
  await terminal.sees('▌ Is sencha green?');
});

it('sends a file and an image with a message', async () => {
  writeFileSync(join(here.folder, 'notes.txt'), 'what the file says');
  writeFileSync(join(here.folder, 'dot.png'), PNG);
  const terminal = await here.open({ hands: 'none' });
  terminal.write('/attach @no');
  await terminal.sees(/^› notes\.txt/m);
  terminal.write('\t');
  await terminal.sees('/attach @notes.txt');
  terminal.write(KEY.enter);
  await terminal.sees('[file notes.txt]');
  terminal.write(`\u001b[200~${join(here.folder, 'dot.png')}\u001b[201~`);
  await terminal.sees('[image dot.png]');
  terminal.write('Look.');
  await terminal.sees('Look.');
  terminal.write(KEY.enter);
  await terminal.sees(idle);
  const [said] = (await here.kernel.api.items((await newest()).id)).filter(
    each => each.kind === 'user_message',
  );
  expect(said).toMatchObject({
    text: 'Look.',
    attachments: expect.arrayContaining([
      expect.objectContaining({ kind: 'file', name: 'notes.txt' }),
      expect.objectContaining({ kind: 'image', media_type: 'image/png' }),
    ]),
  });
});

it('sets a title, exports, shows the cost, and shows an error as a line', async () => {
  const terminal = await here.open({ columns: 120 });
  await terminal.say('/plan');
  await terminal.sees('No chat yet. Send a message first.');
  await terminal.say('Hello.');
  await terminal.sees(idle);
  await terminal.say('/title My \u00e4 title');
  await terminal.sees(/ · My ä title$/m);
  await terminal.say('/export out.md');
  await terminal.sees('Exported to ');
  expect(readFileSync(join(here.folder, 'out.md'), 'utf8')).toContain('Hello.');
  await terminal.say('/export out.md');
  await terminal.sees('already exists; choose another name');
  await terminal.say('/cost');
  await terminal.sees(/all: \$0\.\d+ · [\s\S]*scripted\/plain: /);
  terminal.write(KEY.escape);
  await terminal.sees(READY);
});

it('puts the kernel to sleep, shows it, and wakes the kernel', async () => {
  const terminal = await here.open();
  await terminal.say('/sleep');
  await terminal.sees('☾ asleep since');
  await terminal.say('Anybody awake?');
  await terminal.sees('▌ Anybody awake?');
  await terminal.say('/wake');
  await terminal.sees(lines => lines.includes('ok') && idle(lines) && !lines.join('').includes('☾'));
});

it('restores dropped messages to the input in order while the running turn continues', async () => {
  const terminal = await here.open();
  const first = held({ text: 'First answer.' });
  here.kernel.upstream.next({ steps: [{ text: 'Begun. ' }, ...first.reply.steps!] });
  await terminal.say('One?');
  await terminal.sees('Begun.');
  await terminal.say('Two?');
  await terminal.sees('1 queued');
  await terminal.say('Three?');
  await terminal.sees('2 queued');
  await terminal.say('/queue drop');
  await terminal.sees(lines => inInput(lines) && !lines.some(line => line.includes('queued')));
  first.go();
  await terminal.sees(lines => lines.includes('Begun. First answer.') && idle(lines));
  // The screen no longer shows them above.
  expect(terminal.everything().filter(line => /[▌›]|Begun|Three/.test(line))).toEqual([
    '▌ One?',
    'Begun. First answer.',
    '› Two?',
    '  Three?',
  ]);
});
const inInput = (lines: string[]): boolean => lines.includes('› Two?') && lines.includes('  Three?');

it('moves one queued message back to the input; the others stay queued', async () => {
  const terminal = await here.open();
  const first = held({ text: 'First answer.' });
  here.kernel.upstream.next(first.reply, says('Third answer.'), says('Second answer.'));
  await terminal.say('One?');
  await terminal.sees('Esc to stop');
  await terminal.say('Two?');
  await terminal.sees('1 queued');
  await terminal.say('Three?');
  await terminal.sees('2 queued');
  await terminal.say('/queue');
  await terminal.sees('Queued: edit');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('› Two?') && lines.some(line => line.includes('1 queued')));
  terminal.write(' Really?');
  await terminal.sees('› Two? Really?');
  terminal.write(KEY.enter);
  await terminal.sees('2 queued');
  first.go();
  await terminal.sees(lines => lines.includes('Second answer.') && idle(lines));
  expect(terminal.everything().filter(line => line.startsWith('▌'))).toEqual([
    '▌ One?',
    '▌ Three?',
    '▌ Two? Really?',
  ]);
});

it('moves the last queued message back on ↑ in an empty input, and the next one on another ↑', async () => {
  const terminal = await here.open();
  const first = held({ text: 'First answer.' });
  here.kernel.upstream.next(first.reply);
  await terminal.say('One?');
  await terminal.sees('Esc to stop');
  await terminal.say('Two?');
  await terminal.sees('1 queued');
  await terminal.say('Three?');
  await terminal.sees('2 queued');
  terminal.write(KEY.up);
  await terminal.sees(lines => lines.includes('› Three?') && lines.some(line => line.includes('1 queued')));
  terminal.write('\u0015');
  await terminal.sees(`› ${READY}`);
  terminal.write(KEY.up);
  await terminal.sees(lines => lines.includes('› Two?') && !lines.some(line => line.includes('queued')));
  terminal.write('\u0015');
  await terminal.sees(`› ${READY}`);
  // Where nothing waits, it is what was sent before.
  terminal.write(KEY.up);
  await terminal.sees('› Three?');
  first.go();
  await terminal.sees(lines => lines.includes('First answer.') && idle(lines));
});

it('clears a plan that is newer than the rewind point', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(
    calls('p7', 'plan', { tasks: [{ title: 'look around', status: 'in_progress' }] }),
    says('Planned.'),
  );
  await terminal.say('Plan it.');
  await terminal.sees(lines => lines.some(line => line.includes('▸ look around')) && idle(lines));
  await terminal.say('/rewind');
  await terminal.sees('› Plan it.');
  terminal.write(KEY.enter);
  await terminal.sees('Permanently delete');
  terminal.write('y');
  await terminal.sees(
    lines => lines.includes('› Plan it.') && !lines.some(line => line.includes('look around')),
  );
  const { id } = await newest();
  expect((await here.kernel.api.get(`/v1/chats/${id}/plan`)).body).toEqual({ tasks: [] });
});

it('copies an attached file back without asking, in one line, ignored by Git', async () => {
  const bytes = randomBytes(1_200_000);
  writeFileSync(join(here.folder, 'own.bin'), bytes);
  const terminal = await here.open({ columns: 200 });
  terminal.write('/attach @own');
  await terminal.sees(/^› own\.bin/m);
  terminal.write('\t');
  await terminal.sees('/attach @own.bin');
  terminal.write(KEY.enter);
  await terminal.sees('[file own.bin]');
  terminal.write('Look.');
  await terminal.sees('Look.');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  expect(terminal.bytes).not.toContain('wants to');
  expect(terminal.everything().filter(line => line.includes('write_bytes'))).toHaveLength(1);
  const [file] = globSync('.service/files/*/own.bin', { cwd: here.folder });
  expect(readFileSync(join(here.folder, file!)).equals(bytes)).toBe(true);
  expect(readFileSync(join(here.folder, '.service/.gitignore'), 'utf8')).toBe('*\n');
});

it('shows the plan, the notebook and the books', async () => {
  const { api } = here.kernel;
  const chat = await api.newChat({ title: 'Kept' });
  await api.put(`/v1/chats/${chat.id}/notes`, { text: '# Notes\nbuy milk' });
  here.kernel.upstream.next(
    calls('p1', 'plan', { tasks: [{ title: 'look around', status: 'in_progress' }] }),
    says('Planned.'),
  );
  await api.say(chat.id, 'Plan it.');
  const terminal = await here.open({ chat: chat.id });
  await terminal.sees(/Plan 0\/1\n▸ look around/);
  await terminal.say('/notes');
  await terminal.sees(/Notebook[\s\S]*buy milk/);
  terminal.write(KEY.escape);
  await terminal.sees(READY);
  await terminal.say('/books');
  await terminal.sees(/Books on shelf main[\s\S]*no books on this shelf/);
  terminal.write(KEY.escape);
  await terminal.sees(READY);
  await terminal.say('/plan clear');
  await terminal.sees(lines => !lines.some(line => line.includes('look around')));
});

it('loads older messages on request', async () => {
  const { api } = here.kernel;
  const chat = await api.newChat();
  for (let index = 0; index < 30; index++) await api.say(chat.id, `Message ${index}.`);
  const terminal = await here.open({ chat: chat.id });
  await terminal.sees('▌ Message 29.');
  expect(terminal.everything()).not.toContain('▌ Message 0.');
  await terminal.say('/older');
  await terminal.sees(() => terminal.everything().includes('▌ Message 0.'));
  await terminal.sees('▌ Message 29.');
});

it('moves a chat and its machine to another folder', async () => {
  mkdirSync(join(here.folder, 'deeper'));
  const terminal = await here.open({ columns: 120 });
  await terminal.say('Hello.');
  await terminal.sees(idle);
  await terminal.say('/workdir deeper');
  await terminal.sees(/\/deeper$/m);
  expect(await newest()).toMatchObject({ workdir: join(here.folder, 'deeper'), workdir_on: 'client' });
  here.kernel.upstream.next(calls('d1', 'write_file', { path: 'a.txt', content: 'here' }), says('Written.'));
  await terminal.say('Write.');
  await terminal.sees('Esc deny');
  await decide(terminal, 'y');
  await terminal.sees(lines => lines.includes('Written.') && idle(lines));
  expect(readFileSync(join(here.folder, 'deeper', 'a.txt'), 'utf8')).toBe('here');
});
