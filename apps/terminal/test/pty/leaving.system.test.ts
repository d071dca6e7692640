/** The ends of the program, and the terminal that it leaves behind. */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stuck } from '../../../../test/harness/story.ts';
import { READY, sessions } from './sessions.ts';
import { KEY, LAUNCH, type Terminal } from './terminal.ts';

const here = sessions();
/** Expects that the cursor is back, pastes are plain again, and the title is the old one. */
function expectRestored({ bytes }: Terminal): void {
  for (const [on, off] of [
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[22;0t', '\u001b[23;0t'],
  ] as const) {
    expect(bytes).toContain(on);
    expect(bytes.lastIndexOf(off)).toBeGreaterThan(bytes.lastIndexOf(on));
  }
}

it('prints how to resume and that the turn continues after a double ctrl-c', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(stuck({ text: 'Long ago' }));
  await terminal.say('Tell me.');
  await terminal.sees(/Long ago[\s\S]*Esc to stop/);
  terminal.write('draft');
  await terminal.sees('› draft');
  terminal.write(KEY.interrupt);
  await terminal.sees('Press Ctrl-C again to exit');
  // Typing in between resets the double ctrl-c.
  terminal.write('x');
  await terminal.sees('› x');
  terminal.write(KEY.interrupt);
  await terminal.sees(lines => lines.includes(`› ${READY}`) && lines.includes('Press Ctrl-C again to exit'));
  terminal.write(KEY.interrupt);
  expect(await terminal.exited).toBe(0);
  expectRestored(terminal);
  const { id, turn } = (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
  expect(terminal.screen().slice(-2)).toEqual([
    'The turn continues on the server.',
    `Resume with: chat-kernel chat --chat ${id}`,
  ]);
  expect(turn.status).toBe('running');
  await here.kernel.api.post(`/v1/chats/${id}/cancel`);
});

it('restores the terminal when it exits on a signal, and keeps a text that was typed but not sent', async () => {
  const first = await here.open();
  first.write('half a message');
  await first.sees('› half a message');
  first.signal('SIGTERM');
  expect(await first.exited).toBe(143);
  expectRestored(first);
  expect(first.screen()).toContain('To restore your draft, press ↑ in the next chat.');
  const second = await here.open();
  second.write(KEY.up);
  await second.sees('› half a message');
  second.write(' more');
  await second.sees('› half a message more');
  second.write(KEY.interrupt);
  await second.sees(READY);
  second.write(KEY.end);
  expect(await second.exited).toBe(0);
  const third = await here.open();
  third.write(KEY.up);
  await third.sees('› half a message more');
});

it('restores the terminal when it crashes, and prints the reason', async () => {
  const terminal = await here.open();
  terminal.signal('SIGUSR2');
  expect(await terminal.exited).toBe(1);
  expectRestored(terminal);
  expect(terminal.bytes).toContain('chat-kernel chat: Error: a mistake');
});

it('stores messages, readable only by their owner, except those that start with a space', async () => {
  const first = await here.open();
  await first.say('first thing');
  await first.sees(/^ok$/m);
  await first.say(' a secret');
  await first.sees('▌ a secret');
  await first.say('/quit');
  expect(await first.exited).toBe(0);
  const path = join(here.folder, 'chat-kernel', 'history');
  expect(readFileSync(path, 'utf8')).toBe('"first thing"\n"/quit"\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = await here.open();
  second.write(KEY.up);
  await second.sees('› /quit');
  second.write(KEY.escape);
  await second.sees(lines => !lines.some(line => line.includes('exit; a running')));
  second.write(KEY.up);
  await second.sees('› first thing');
});

it('does not run with stdin or stdout as a pipe', async () => {
  const options = JSON.stringify({ url: here.kernel.url, workdir: here.folder, hands: 'ask' });
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>(resolve => {
    const child = execFile(process.execPath, [LAUNCH, options], (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
    child.stdin?.end();
  });
  expect(code).toBe(2);
  expect(stderr).toContain('chat-kernel ask');
});
