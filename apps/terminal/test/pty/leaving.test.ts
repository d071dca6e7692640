/** The ends of the program, and the terminal that it leaves behind. */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stuck } from '../../../../test/harness/story.ts';
import { READY, sessions } from './sessions.ts';
import { KEY, type Terminal } from './terminal.ts';

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

it('says how to go on, and that the turn does, when it is left by ctrl-c twice', async () => {
  const terminal = await here.open();
  here.kernel.upstream.next(stuck({ text: 'Long ago' }));
  await terminal.say('Tell me.');
  await terminal.sees(/Long ago[\s\S]*Esc cancels/);
  terminal.write('draft');
  await terminal.sees('› draft');
  terminal.write(KEY.interrupt);
  await terminal.sees('Ctrl-C once more leaves');
  // Whoever types in between does not mean to leave.
  terminal.write('x');
  await terminal.sees('› x');
  terminal.write(KEY.interrupt);
  await terminal.sees(lines => lines.includes(`› ${READY}`) && lines.includes('Ctrl-C once more leaves'));
  terminal.write(KEY.interrupt);
  expect(await terminal.exited).toBe(0);
  expectRestored(terminal);
  const { id, turn } = (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
  expect(terminal.screen().slice(-2)).toEqual([
    'The turn goes on in the kernel.',
    `Go on with: chat-kernel chat --chat ${id}`,
  ]);
  expect(turn.status).toBe('running');
  await here.kernel.api.post(`/v1/chats/${id}/cancel`);
});

it('restores the terminal when it is ended by a signal', async () => {
  const terminal = await here.open();
  terminal.signal('SIGTERM');
  expect(await terminal.exited).toBe(143);
  expectRestored(terminal);
});

it('keeps a text that was typed and not sent, however it ends', async () => {
  const first = await here.open();
  first.write('half a message');
  await first.sees('› half a message');
  first.signal('SIGTERM');
  expect(await first.exited).toBe(143);
  expect(first.screen()).toContain('What you had not sent comes back by ↑.');
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

it('restores the terminal when it crashes, and says why', async () => {
  const terminal = await here.open();
  terminal.signal('SIGUSR2');
  expect(await terminal.exited).toBe(1);
  expectRestored(terminal);
  expect(terminal.bytes).toContain('chat-kernel chat: Error: a mistake');
});

it('goes on in the last chat, and in one that is named', async () => {
  const first = await here.open();
  await first.say('Remember me.');
  await first.sees(/^ok$/m);
  first.write(KEY.end);
  expect(await first.exited).toBe(0);
  const second = await here.open({ continueLast: true });
  await second.sees('▌ Remember me.');
  const { id } = (await here.kernel.api.get('/v1/chats?limit=1')).body.chats[0];
  const third = await here.open({ chat: id, columns: 200, rows: 60 });
  await third.sees('▌ Remember me.');
});

it('remembers messages, for its owner alone, except those that begin with a space', async () => {
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
  await second.sees(lines => !lines.some(line => line.includes('leave; a turn')));
  second.write(KEY.up);
  await second.sees('› first thing');
});

it('is not for pipes', async () => {
  const launch = fileURLToPath(new URL('launch.ts', import.meta.url));
  const options = JSON.stringify({ url: here.kernel.url, workdir: here.folder, hands: 'ask' });
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>(resolve => {
    const child = execFile(process.execPath, [launch, options], (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
    child.stdin?.end();
  });
  expect(code).toBe(2);
  expect(stderr).toContain('chat-kernel ask');
});
