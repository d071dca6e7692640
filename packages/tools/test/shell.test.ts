import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MachinePaths } from '../src/machine/machine-path.ts';
import { startCommand } from '../src/shell/running-command.ts';
import { Sandbox } from '../src/shell/sandbox.ts';
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

it('[OP-13] each command stands under its name, with its exit code where it failed', async () => {
  expect(await sh(workplace(), 'echo one; echo two >&2; echo three', 'exit 3', 'true')).toEqual({
    output: '== echo one; echo two >&2; echo three\none\ntwo\nthree\n\n== exit 3\n[exit code 3]\n\n== true',
    is_error: true,
  });
});

it('commands run in the working directory, each in a shell of its own', async () => {
  const place = workplace();
  expect(await sh(place, 'cd /; X=1', 'pwd; echo "x$X"')).toEqual({
    output: `== cd /; X=1\n\n== pwd; echo "x$X"\n${place.path}\nx`,
    is_error: false,
  });
});

it('a command gets nothing of the kernel’s environment that may be a secret', async () => {
  const { output } = await sh(workplace(), 'env');
  expect(output).not.toContain('k-e-y');
  expect(output).toContain('LC_TIME=C');
  expect(output).toContain('TERM=dumb');
});

it('there is no input, and errors can be written to by name', async () => {
  const { output } = await sh(
    workplace(),
    'cat; echo read; echo said > /dev/stderr; echo out | tee /dev/stdout',
  );
  expect(output.split('\n').slice(1)).toEqual(['read', 'said', 'out', 'out']);
});

it('long output keeps its beginning and its end and says how much is missing', async () => {
  const { output } = await sh(
    workplace(),
    'echo first; yes 😀 | head -c 3000000; echo; echo last',
    'echo short',
  );
  expect(output.length).toBeLessThan(31_000);
  expect(output).toMatch(/\nfirst\n😀\n/);
  expect(output).toMatch(/\n😀\n[^\n]*\n?last\n\n== echo short\nshort$/);
  const gone = Number(/\n\[(\d+) characters left out; send the output to a file/.exec(output)?.[1]);
  // 600,000 lines of an emoji (2 units) and a line break.
  expect(gone).toBeGreaterThan(1_760_000);
  expect(gone).toBeLessThan(1_800_100);
  expect(output).not.toContain('\ufffd');
  expect(output.isWellFormed()).toBe(true);
});

it('a character that comes in pieces is whole', async () => {
  const { output } = await sh(workplace(), "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80'");
  expect(output.split('\n')[1]).toBe('😀');
});

it('the output is shown while a command runs, the last 8 KiB at a time', async () => {
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

it('without a working directory nothing runs', async () => {
  const place = workplace();
  Object.assign(place.context.chat, { workdir: null });
  expect(await sh(place, 'touch here')).toEqual({
    output: 'This chat has no working directory on this machine: set one with the tool workdir first.',
    is_error: true,
  });
  Object.assign(place.context.chat, { workdir: join(place.path, 'gone') });
  expect((await sh(place, 'true')).output).toMatch(/^There is no directory /);
});

it('a command that cannot even be started says why', async () => {
  const cwd = join(workplace().path, 'gone');
  const { over, end } = startCommand(['true'], { cwd, env: {}, onText() {} });
  await expect(over).rejects.toThrow('ENOENT');
  end();
});

describe('all that a call started ends', () => {
  /** A command whose children hide: in the background, from SIGTERM, in a new group, from the shell. */
  const HIDING = `echo $$ > a; (trap '' TERM; echo $BASHPID > b; while :; do sleep 1; done) &
    timeout 600 sh -c 'echo $$ > c; sleep 600' & nohup sh -c 'echo $$ > d; sleep 600' >/dev/null 2>&1 &
    until [ -s a -a -s b -a -s c -a -s d ]; do sleep 0.02; done; touch ready`;
  const pidsIn = (place: Workplace) => ['a', 'b', 'c', 'd'].map(name => Number(place.read(name)));

  it('when it is stopped', async () => {
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

  it('when its time is over', async () => {
    const place = workplace();
    const began = Date.now();
    const { output, is_error } = await tool.run(
      { commands: ['echo begun; sleep 600', 'touch never'], timeout_secs: 0.5 },
      place.context,
    );
    expect(output).toBe(
      '== echo begun; sleep 600\nbegun\n[stopped: the 0.5 seconds of this call were over; timeout_secs can be raised]\n\n' +
        '== touch never\n[not run: the time of this call was over]',
    );
    expect([is_error, existsSync(join(place.path, 'never'))]).toEqual([true, false]);
    expect(Date.now() - began).toBeLessThan(60_000);
  });

  it('when it has returned', async () => {
    const place = workplace();
    const { is_error } = await sh(place, HIDING);
    expect(is_error).toBe(false);
    const pids = pidsIn(place);
    await until(() => !pids.some(runs));
  });

  it('also where the command has killed those who watch it', async () => {
    const place = workplace();
    // The command kills all processes of its session but itself.
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
