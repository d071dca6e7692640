/** A whole session at two sizes, and every line that it leaves in the terminal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls, says, stuck } from '../../../../test/harness/story.ts';
import { decide, idle, plainLine, READY, STATUS, sessions } from './sessions.ts';
import { KEY } from './terminal.ts';

const here = sessions();
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
