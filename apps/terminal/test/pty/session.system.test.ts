/** A whole session at two sizes, every line that it leaves in the terminal, and the model's questions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls, says, stuck } from '../../../../test/harness/story.ts';
import { decide, idle, plainLine, READY, STATUS, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
const COLOUR = {
  question: 'Which colour?',
  header: 'Colour',
  options: [{ label: 'Red' }, { label: 'Blue' }],
};
const SIZE = { question: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multi_select: true };
/** Returns the result of the model's last call, as the model read it. */
const result = () => String(here.kernel.upstream.requests.at(-1)?.body.messages.at(-1)?.content);
const QUESTION = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] };

it.each([
  [80, 24],
  [200, 60],
])('runs a session of %i by %i: allowed, denied, asked, canceled', async (columns, rows) => {
  const terminal = await here.open({ columns, rows });
  const next = here.kernel.upstream.next;
  const shell = (name: string, command: string) =>
    calls(`${name}${columns}`, 'shell', { commands: [command] });

  next(shell('a', 'echo one > one.txt'), says('Made **one** file.'));
  await terminal.say('Make a file.');
  await terminal.sees('Esc deny');
  await decide(terminal, KEY.down);
  await terminal.sees('› y  Allow once');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('Made one file.') && idle(lines));

  next(shell('b', 'rm one.txt'), says('Kept.'));
  await terminal.say('Delete it.');
  await terminal.sees(/rm one\.txt[\s\S]*Esc deny/);
  terminal.write(KEY.escape);
  await terminal.sees(lines => lines.includes('Kept.') && idle(lines));

  next(calls(`c${columns}`, 'ask_questions', { questions: [QUESTION] }), says('Blue it is.'));
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?/m);
  await decide(terminal, '2');
  await terminal.sees(lines => lines.includes('Blue it is.') && idle(lines));

  next(stuck({ text: 'Once upon a time' }));
  await terminal.say('Tell me a story.');
  await terminal.sees(/Once upon a time[\s\S]*Esc to stop/);
  terminal.write(KEY.escape);
  await terminal.sees(lines => lines.some(line => line.startsWith('[cancelled]')) && idle(lines));

  expect(terminal.screen().length).toBeLessThanOrEqual(rows);
  expect(terminal.everything().map(line => plainLine(line, here.folder))).toEqual([
    '',
    '▌ Make a file.',
    '',
    '● 💻 shell echo one > one.txt',
    '  == echo one > one.txt',
    '  ↳ on this machine: shell echo one > one.txt  allow',
    '',
    'Made one file.',
    '',
    '▌ Delete it.',
    '',
    '✗ 💻 shell rm one.txt',
    '  == rm one.txt',
    '  The user declined this operation.',
    '  ↳ on this machine: shell rm one.txt  deny',
    '',
    'Kept.',
    '',
    '▌ Ask me.',
    '',
    '● ❓ ask_questions Which colour?',
    '  == Which colour?',
    '  Blue',
    '',
    'Blue it is.',
    '',
    '▌ Tell me a story.',
    '',
    'Once upon a time',
    '',
    '[cancelled] This turn was cancelled.',
    '─'.repeat(columns),
    `› ${READY}`,
    STATUS,
  ]);
  expect(readFileSync(join(here.folder, 'one.txt'), 'utf8')).toBe('one\n');
});

it('asks one question after the other', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(calls('q1', 'ask_questions', { questions: [COLOUR, SIZE] }), says('Blue it is.'));
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?[\s\S]*a number, or/m);
  await expect
    .poll(() => here.plain(terminal))
    .toEqual([
      '',
      '▌ Ask me.',
      '',
      '○ ❓ ask_questions Which colour? · Which sizes?',
      '⠋ waiting for your answer <n> s',
      '── Colour (1 of 2)',
      'Which colour?',
      '  1. Red',
      '  2. Blue',
      '  3. Other: type an answer',
      '  4. Discuss',
      '  5. Answer in text',
      'a number, or ↑↓ and Enter · Esc discuss',
      // Tokens and cost of the first trip may have come already, or one of them.
      expect.stringMatching(/^scripted\/plain · (.* · )?<folder>$/),
    ]);
  await decide(terminal, '2');
  await terminal.sees(/^Which sizes\?/m);
  await decide(terminal, '1');
  await terminal.sees('☑ S');
  terminal.write('2');
  await terminal.sees('☑ L');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('Blue it is.') && idle(lines));
  expect(result()).toMatch(/Blue[\s\S]*S, L/);
});

it('discusses a question on Esc, accepts a typed answer, and closes it if another client answers first', async () => {
  const terminal = await here.open();
  const ask = async (id: string, reply: string) => {
    here.kernel.upstream.next(calls(id, 'ask_questions', { questions: [COLOUR] }), says(reply));
    await terminal.say('Ask me.');
    await terminal.sees(/^Which colour\?/m);
    return () => terminal.sees(lines => lines.includes(reply) && idle(lines));
  };
  const discussed = await ask('q2', 'Why do you ask?');
  await decide(terminal, KEY.escape);
  await discussed();
  expect(result()).toContain('discuss');

  const typed = await ask('q4', 'Green then.');
  await decide(terminal, '3');
  await terminal.sees('Enter send');
  terminal.write('Green, if I may');
  await terminal.sees('Green, if I may');
  terminal.write(KEY.enter);
  await typed();
  expect(result()).toContain('Green, if I may');

  const answered = await ask('q3', 'Red, says the phone.');
  const { chats } = (await here.kernel.api.get('/v1/chats?limit=1')).body;
  const answer = { id: 'q3', question: 0, answer: 'Red' };
  await here.kernel.api.post(`/v1/chats/${chats[0].id}/ops/result`, answer);
  await answered();
});
