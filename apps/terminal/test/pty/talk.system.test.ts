/** Whole sessions in a pseudo-terminal: keyboard in, screen out. */
import { expect, it } from 'vitest';
import { held, says } from '../../../../test/harness/story.ts';
import { idle, READY, RULE_80, STATUS, sessions } from './sessions.ts';

const here = sessions();

it('streams an answer with thinking and a code block', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next({
    steps: [
      { thinking: 'What do they want?' },
      { text: ['Here ', 'it is:\n\n```js\nconst a', ' = 1;\n```\n\nDone.'] },
    ],
  });
  await terminal.say('Show me code.');
  await terminal.sees(lines => lines.includes('Done.') && idle(lines));
  // The status line is complete once the models are loaded, which may be after the answer.
  await expect
    .poll(() => here.plain(terminal))
    .toEqual([
      '',
      '▌ Show me code.',
      '',
      '✻ thought · 4 words',
      '',
      'Here it is:',
      '',
      '  const a = 1;',
      '',
      'Done.',
      RULE_80,
      `› ${READY}`,
      STATUS,
    ]);
});

it('starts with `chat-kernel chat`', async () => {
  const words = ['chat', '--url', here.kernel.url, '--workdir', here.folder, '--hands', 'none'];
  const terminal = await here.open({ words });
  await terminal.say('Hello.');
  await terminal.sees(lines => lines.includes('ok') && idle(lines));
  // An answer is below its question, even if it arrives quickly.
  expect(terminal.screen().slice(0, 4)).toEqual(['', '▌ Hello.', '', 'ok']);
  await terminal.say('/quit');
  expect(await terminal.exited).toBe(0);
  const { id } = (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
  // Without the address the next call would look for another kernel.
  const lastWords = terminal.everything().slice(-2).join('').replace('--url', ' --url').replace(/ +/g, ' ');
  expect(lastWords).toContain(`Resume with: chat-kernel chat --chat ${id} --url ${here.kernel.url}`);
});

it('creates a chat only with its first message', async () => {
  const { api } = here.kernel;
  const before = (await api.get('/v1/chats?limit=500')).body.chats.length;
  const terminal = await here.open();
  const chats = async () => (await api.get('/v1/chats?limit=500')).body.chats;
  expect(await chats()).toHaveLength(before);
  await terminal.say('Hello.');
  await terminal.sees(/^ok$/m);
  expect(await chats()).toHaveLength(before + 1);
  expect((await chats())[0]).toMatchObject({ workdir: here.folder, workdir_on: 'client' });
});

it('sends two messages in quick succession to the same chat, in order', async () => {
  const { api } = here.kernel;
  const before = (await api.get('/v1/chats?limit=500')).body.chats.length;
  const terminal = await here.open();
  here.kernel.upstream.next(says('To the first.'), says('To the second.'));
  await terminal.say('First.');
  await terminal.say('Second.');
  await terminal.sees(lines => lines.includes('To the second.') && idle(lines));
  const said = terminal.screen().filter(line => line.startsWith('▌') || line.startsWith('To'));
  expect(said).toEqual(['▌ First.', 'To the first.', '▌ Second.', 'To the second.']);
  expect((await api.get('/v1/chats?limit=500')).body.chats).toHaveLength(before + 1);
});

it('leaves no artifacts after a resize in the middle of an answer', async () => {
  const terminal = await here.open();
  const rest = held();
  const paragraph = (index: number) => `Paragraph ${index} ${'of words '.repeat(12).trim()}.\n\n`;
  const text = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => paragraph(from + index)).join('');
  here.kernel.upstream.next({
    steps: [{ text: text(0, 3) }, ...rest.reply.steps!, { text: `${text(3, 5)}End.` }],
  });
  await terminal.say('Talk.');
  await terminal.sees(/Paragraph 2[\s\S]*Esc to stop/);
  terminal.resize(120, 40);
  await terminal.sees(lines => lines.includes('─'.repeat(120)));
  terminal.resize(80, 24);
  await terminal.sees(lines => lines.includes(RULE_80) && lines.every(line => line.length <= 80));
  rest.go();
  await terminal.sees(lines => lines.includes('End.') && idle(lines));
  const rows = [0, 1, 2, 3, 4].flatMap(index => [
    '',
    `Paragraph ${index} of words of words of words of words of words of words of words of`,
    'words of words of words of words of words.',
  ]);
  await expect
    .poll(() => here.plain(terminal))
    .toEqual(['', '▌ Talk.', ...rows, '', 'End.', RULE_80, `› ${READY}`, STATUS]);
  // The scrollback has no rest of the frames at other widths, either.
  expect(terminal.everything().filter(line => line.includes('──'))).toEqual([RULE_80]);
});
