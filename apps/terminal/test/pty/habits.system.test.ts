/** Habits of other terminals: modes, the owner's own commands, a message in mid-turn, going back, the history. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls, says, stuck } from '../../../../test/harness/story.ts';
import type { UpstreamScript } from '../../../../test/upstream/server.ts';
import { decide, idle, READY, sessions } from './sessions.ts';
import { KEY, type Terminal } from './terminal.ts';

const here = sessions();
const SHIFT_TAB = '\u001b[Z';
const told = () => JSON.stringify(here.kernel.upstream.requests.at(-1)?.body.messages);

it('accepts edits after Shift-Tab, and plans only after another Shift-Tab', async () => {
  const terminal = await here.open();
  terminal.write(SHIFT_TAB);
  await terminal.sees(/^accept edits · /m);
  here.kernel.upstream.next(calls('w1', 'write_file', { path: 'made.txt', content: 'made' }), says('Made.'));
  await terminal.say('Make a file.');
  await terminal.sees(lines => lines.includes('Made.') && idle(lines));
  expect(readFileSync(join(here.folder, 'made.txt'), 'utf8')).toBe('made');
  expect(terminal.bytes).not.toContain('Esc deny');
  terminal.write(SHIFT_TAB);
  await terminal.sees(/^plan only · /m);
  here.kernel.upstream.next(calls('s1', 'shell', { commands: ['touch ran.txt'] }), says('Planned.'));
  await terminal.say('Run it.');
  await terminal.sees(lines => lines.includes('Planned.') && idle(lines));
  expect(existsSync(join(here.folder, 'ran.txt'))).toBe(false);
  expect(told()).toContain('The user wants a plan only.');
  expect(terminal.bytes).not.toContain('Esc deny');
  terminal.write(SHIFT_TAB);
  await terminal.sees(lines => !lines.some(line => line.startsWith('plan only')));
});

it('leaves plan mode when the user confirms the plan, and asks about changes again', async () => {
  const terminal = await here.open();
  terminal.write(SHIFT_TAB);
  await terminal.sees(/^accept edits · /m);
  terminal.write(SHIFT_TAB);
  await terminal.sees(/^plan only · /m);
  const question = { question: 'Go ahead?', options: [{ label: 'Go ahead' }, { label: 'Not yet' }] };
  here.kernel.upstream.next(
    calls('q1', 'ask_questions', { questions: [question] }),
    calls('q2', 'ask_questions', { questions: [question] }),
    calls('w1', 'write_file', { path: 'made.txt', content: 'made' }),
    says('Carried out.'),
  );
  await terminal.say('Make a file.');
  await terminal.sees('2. Not yet');
  await decide(terminal, '2');
  // No other answer ends it.
  await terminal.sees(lines => lines.filter(line => line.includes('ask_questions')).length === 2);
  await terminal.sees(/^plan only · /m);
  await decide(terminal, '1');
  await terminal.sees(/── The model wants to write a file[\s\S]*made\.txt/);
  expect(terminal.screen().join('\n')).not.toContain('plan only');
  await decide(terminal, '1');
  await terminal.sees(lines => lines.includes('Carried out.') && idle(lines));
  expect(readFileSync(join(here.folder, 'made.txt'), 'utf8')).toBe('made');
});

it('runs a shell command of the user, shows its output, and attaches it to the next message', async () => {
  const terminal = await here.open();
  await terminal.say('!echo from-me');
  await terminal.sees(
    lines => lines.some(line => line.includes('from-me, exit 0')) && lines.includes('› from-me'),
  );
  terminal.write(KEY.escape);
  await terminal.sees('[$ echo from-me, exit 0]');
  terminal.write('Look.');
  await terminal.sees('Look.');
  terminal.write(KEY.enter);
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  expect(told()).toMatch(/\$ echo from-me\\nfrom-me\\n\(exit code 0\)\\nLook\./);
});

const BY_CTRL_S = async (terminal: Terminal) => {
  terminal.write('Rather this.');
  await terminal.sees('› Rather this.');
  terminal.write('\u0013');
};
/** Whether the next step asks the model before the turn is ended is a race; the answer to the message is the same. */
const afterStep: UpstreamScript = ({ body }) =>
  JSON.stringify(body).includes('Rather this.') ? says('Steered.') : stuck({ text: 'Going on' });
const BY_COMMAND = (terminal: Terminal) => terminal.say('/steer Rather this.');

it.each([
  ['Ctrl-S', BY_CTRL_S],
  ['/steer', BY_COMMAND],
])('inserts a message after the current step, with %s', async (_, steer) => {
  const terminal = await here.open({ columns: 120 });
  here.kernel.upstream.next(
    calls('s2', 'shell', { commands: ['until [ -e go ]; do sleep 0.1; done; echo stepped'] }),
    afterStep,
    afterStep,
  );
  await terminal.say('Begin.');
  await terminal.sees('Esc deny');
  await decide(terminal, '1');
  await terminal.sees(/done; echo stepped {2}running/);
  await steer(terminal);
  await terminal.sees('Sending after the current step.');
  writeFileSync(join(here.folder, 'go'), '');
  await terminal.sees(lines => lines.includes('Steered.') && idle(lines));
  // The step that ran is known to the model.
  expect(told()).toMatch(/stepped[\s\S]*Rather this\./);
});

it('rewinds with Esc Esc, finds an old text with Ctrl-R, and shows help with ?', async () => {
  const terminal = await here.open();
  await terminal.say('One thing.');
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  terminal.write('?');
  await terminal.sees('── Help');
  terminal.write(KEY.escape);
  await terminal.sees(lines => lines.includes(`› ${READY}`));
  terminal.write('\u0012');
  await terminal.sees('── Previous messages');
  terminal.write('thing');
  await terminal.sees('search: thing');
  terminal.write(KEY.enter);
  await terminal.sees(
    lines => lines.includes('› One thing.') && !lines.some(line => line.includes('Previous messages')),
  );
  terminal.write('\u0015');
  await terminal.sees(lines => lines.includes(`› ${READY}`));
  terminal.write(KEY.escape);
  await terminal.sees('Press Esc again to rewind');
  terminal.write(KEY.escape);
  await terminal.sees('── Rewind to before');
});
