import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import { describe, expect, it } from 'vitest';
import { startCommand } from '../../hands/src/shell/running-command.ts';
import { shell } from '../src/shell.ts';
import { runs, until, type Workplace, workplace } from './workplace.ts';

const NOWHERE = new MachinePaths([]);
const tool = shell({
  paths: NOWHERE,
  sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, NOWHERE),
  timeout_secs: 20,
  environment: { PATH: process.env.PATH, SECRET_API_KEY: 'k-e-y', LC_TIME: 'C' },
});
const sh = ({ context }: Workplace, ...commands: string[]) => tool.run({ commands }, context);

it('[OP-13] returns each command under its name, with its exit code if it failed', async () => {
  expect(await sh(workplace(), 'echo one; echo two >&2; echo three', 'exit 3', 'true')).toEqual({
    output: '== echo one; echo two >&2; echo three\none\ntwo\nthree\n\n== exit 3\n[exit code 3]\n\n== true',
    is_error: true,
    outside: ['command output'],
  });
});

it('runs commands in the working directory, each in its own shell', async () => {
  const place = workplace();
  expect(await sh(place, 'cd /; X=1', 'pwd; echo "x$X"')).toEqual({
    output: `== cd /; X=1\n\n== pwd; echo "x$X"\n${place.path}\nx`,
    is_error: false,
    outside: ['command output'],
  });
});

it('hides possible secrets of the environment of the kernel from a command', async () => {
  const { output } = await sh(workplace(), 'env');
  expect(output).not.toContain('k-e-y');
  expect(output).toContain('LC_TIME=C');
  expect(output).toContain('TERM=dumb');
});

it('[CONSENT-7] runs git without programs of the repository if only a prefix covers the command', async () => {
  const place = workplace();
  const run = async (by_prefix: boolean) => {
    const context = { ...place.context, consent: async () => ({ by_prefix }) };
    return (await tool.run({ commands: ['echo "pager: $GIT_PAGER"'] }, context)).output
      .split('\n')[1]
      ?.trim();
  };
  expect([await run(true), await run(false)]).toEqual(['pager: cat', 'pager:']);
});

it('provides no input, and lets commands write errors to /dev/stderr', async () => {
  const { output } = await sh(
    workplace(),
    'cat; echo read; echo said > /dev/stderr; echo out | tee /dev/stdout',
  );
  expect(output.split('\n').slice(1)).toEqual(['read', 'said', 'out', 'out']);
});

it('keeps the beginning and the end of long output, and reports how much is missing', async () => {
  const { output } = await sh(
    workplace(),
    'echo first; yes 😀 | head -c 3000000; echo; echo last',
    'echo short',
  );
  expect(output.length).toBeLessThan(31_000);
  expect(output).toMatch(/\nfirst\n😀\n/);
  expect(output).toMatch(/\n😀\n[^\n]*\n?last\n\n== echo short\nshort$/);
  const gone = Number(/\n\[(\d+) characters skipped; redirect the output to a file/.exec(output)?.[1]);
  // 600,000 lines with an emoji (2 units) and a newline each.
  expect(gone).toBeGreaterThan(1_760_000);
  expect(gone).toBeLessThan(1_800_100);
  expect(output).not.toContain('\ufffd');
  expect(output.isWellFormed()).toBe(true);
});

it('joins a character that arrives in pieces', async () => {
  const { output } = await sh(workplace(), "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80'");
  expect(output.split('\n')[1]).toBe('😀');
});

it('shows the output while a command runs, the last 8 KiB at a time', async () => {
  const place = workplace();
  const running = sh(
    place,
    'yes é | head -c 60000; echo end; touch printed; until [ -e go ]; do sleep 0.02; done',
  );
  await until(() => place.shown.some(shown => shown.endsWith('end')));
  for (const shown of place.shown) {
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(8192);
    expect(shown).not.toContain('\ufffd');
  }
  place.write('go', '');
  await running;
  expect(place.shown.length).toBeLessThan(8);
});

it('runs nothing without a working directory', async () => {
  const place = workplace();
  Object.assign(place.context.chat, { workdir: null });
  expect(await sh(place, 'touch here')).toEqual({
    output: 'This chat has no working directory on this machine: set one with the tool workdir first.',
    is_error: true,
  });
  Object.assign(place.context.chat, { workdir: join(place.path, 'gone') });
  expect((await sh(place, 'true')).output).toMatch(/^There is no directory /);
});

it('reports why a command cannot be started', async () => {
  const cwd = join(workplace().path, 'gone');
  const { over, end } = startCommand(['true'], { cwd, env: {}, onText() {} });
  await expect(over).rejects.toThrow('ENOENT');
  end();
});

describe('ends all processes of a call', () => {
  /** A command whose children hide: in the background, from SIGTERM, in a new group, from the shell. */
  const HIDING = `echo $$ > a; (trap '' TERM; echo $BASHPID > b; while :; do sleep 1; done) &
    timeout 600 sh -c 'echo $$ > c; sleep 600' & nohup sh -c 'echo $$ > d; sleep 600' >/dev/null 2>&1 &
    until [ -s a -a -s b -a -s c -a -s d ]; do sleep 0.02; done; touch ready`;
  const pidsIn = (place: Workplace) => ['a', 'b', 'c', 'd'].map(name => Number(place.read(name)));

  it('when the call is stopped', async () => {
    const place = workplace();
    const running = sh(place, `${HIDING}; wait`, 'touch never');
    await until(() => existsSync(join(place.path, 'ready')));
    const pids = pidsIn(place);
    expect(pids.map(runs)).toEqual([true, true, true, true]);
    place.abort();
    await expect(running).rejects.toThrow('stopped');
    await until(() => !pids.some(runs));
    expect(existsSync(join(place.path, 'never'))).toBe(false);
  });

  it('at its timeout', async () => {
    const place = workplace();
    const began = Date.now();
    const { output, is_error } = await tool.run(
      { commands: ['echo begun; sleep 600', 'touch never'], timeout_secs: 0.5 },
      place.context,
    );
    expect(output).toBe(
      '== echo begun; sleep 600\nbegun\n[stopped: the call timed out after 0.5 seconds; you can raise timeout_secs]\n\n' +
        '== touch never\n[not run: the call timed out]',
    );
    expect([is_error, existsSync(join(place.path, 'never'))]).toEqual([true, false]);
    expect(Date.now() - began).toBeLessThan(60_000);
  });

  it('when the call has returned', async () => {
    const place = workplace();
    const { is_error } = await sh(place, HIDING);
    expect(is_error).toBe(false);
    const pids = pidsIn(place);
    await until(() => !pids.some(runs));
  });

  it('even if the command has killed their supervisor', async () => {
    const place = workplace();
    // The command kills all processes of its session except itself.
    const { output, is_error } = await sh(
      place,
      `echo $$ > a
      for stat in /proc/[0-9]*/stat; do
        read -r line 2>/dev/null < $stat || continue
        pid=\${line%% *}; set -- \${line##*) }
        [ "$4" = "$(cut -d' ' -f6 /proc/$$/stat)" ] && [ $pid != $$ ] && kill -9 $pid
      done
      sleep 600`,
    );
    expect(is_error).toBe(true);
    expect(output).toMatch(/\[killed by a signal\]$/);
    const pid = Number(place.read('a'));
    await until(() => !runs(pid));
  });
});
