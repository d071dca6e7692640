/** The model's questions: answered here, talked over, answered by another client. */
import { expect, it } from 'vitest';
import { calls, says } from '../../../../test/harness/story.ts';
import { decide, idle, sessions } from './sessions.ts';
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

it('asks one question after the other', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(calls('q1', 'ask_questions', { questions: [COLOUR, SIZE] }), says('Blue it is.'));
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?[\s\S]*a number, or/m);
  expect(here.plain(terminal)).toEqual([
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

it('continues the conversation in text after Esc', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(calls('q2', 'ask_questions', { questions: [COLOUR] }), says('Why do you ask?'));
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?/m);
  await decide(terminal, KEY.escape);
  await terminal.sees(lines => lines.includes('Why do you ask?') && idle(lines));
  expect(result()).toContain('discuss');
});

it('accepts a typed answer', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(calls('q4', 'ask_questions', { questions: [COLOUR] }), says('Green then.'));
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?/m);
  await decide(terminal, '3');
  await terminal.sees('Enter send');
  terminal.write('Green, if I may');
  await terminal.sees('Green, if I may');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('Green then.') && idle(lines));
  expect(result()).toContain('Green, if I may');
});

it('closes when another client answers first', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(
    calls('q3', 'ask_questions', { questions: [COLOUR] }),
    says('Red, says the phone.'),
  );
  await terminal.say('Ask me.');
  await terminal.sees(/^Which colour\?/m);
  const { chats } = (await here.kernel.api.get('/v1/chats?limit=1')).body;
  const answer = { id: 'q3', question: 0, answer: 'Red' };
  await here.kernel.api.post(`/v1/chats/${chats[0].id}/ops/result`, answer);
  await terminal.sees(lines => lines.includes('Red, says the phone.') && idle(lines));
});
