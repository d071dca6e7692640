/** `chat-kernel up`, `stop`, `status` and `logs`, with the processes that they are about. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { boundedLog, isStderr, rotatedPath } from '../../../packages/server/src/start/log.ts';
import { runCommand } from '../../../test/harness/command.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { PATIENT } from '../../../test/harness/patient.ts';
import { startKernelProcess } from '../../../test/harness/process.ts';

const BOUNDED_LOG = join(import.meta.dirname, '../../../packages/server/src/start/log.ts');
const ENDED = { timeout: 60_000 };

interface Running {
  pid: number;
  url: string;
}
/** Processes of the test, which it ends by their numbers. */
const ours: ChildProcess[] = [];
afterEach(() => {
  for (const child of ours.splice(0)) child.kill('SIGKILL');
});

/** A home whose kernel is stopped when the test is over. */
function home() {
  const path = directoryOfTest();
  const data = join(path, 'data');
  const run = (...words: string[]) => runCommand([...words, '--data', data, '--port', '0'], path);
  const status = async (): Promise<Running> => JSON.parse((await run('status', '--json')).out);
  return { path, data, run, status, stop: () => run('stop') };
}

const fileOf = (data: string): string => join(data, 'chat-kernel.running.json');

function isRunning(pid: number): boolean {
  try {
    // Zero asks whether there is one.
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a kernel in the background', { timeout: 300_000 }, () => {
  it('starts once, prints model and data directory, and stops', async () => {
    const { data, run, status, stop } = home();
    expect(await run('status')).toEqual({ out: `No server is running in ${data}.\n`, err: '', code: 3 });
    try {
      const up = await run('up');
      const { pid, url } = await status();
      expect(up).toMatchObject({ err: '', code: 0 });
      expect(up.out.split('\n')).toEqual([
        `The kernel is running: ${url} (process ${pid})`,
        '  model  demo/demo, the built-in demo; not a real language model',
        expect.stringContaining('ANTHROPIC_API_KEY'),
        expect.stringContaining('Ollama'),
        `  data   ${data}`,
        `  next   open ${url} in a browser, or type: chat-kernel chat --url ${url}`,
        '',
      ]);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const again = await run('up');
      expect(again.code).toBe(0);
      expect(again.out).toMatch(`The kernel is already running: ${url} (process ${pid}, version `);
      const said = await run('status');
      expect(said.code).toBe(0);
      expect(said.out).toMatch(`The kernel is running: ${url} (process ${pid}, version `);
      expect(said.out).toContain(`  log    ${join(data, 'kernel.log')}\n`);
      expect(await stop()).toEqual({
        out: `Stopping the server (process ${pid}); running turns have 10 s to finish ...\nStopped.\n`,
        err: '',
        code: 0,
      });
      expect(isRunning(pid)).toBe(false);
      expect(existsSync(fileOf(data))).toBe(false);
    } finally {
      await stop();
    }
    expect(await stop()).toEqual({ out: `No server is running in ${data}.\n`, err: '', code: 0 });
    expect((await run('status')).code).toBe(3);
  });

  it(
    'does not block a new start after it was killed, and is not confused with another process that has its process id',
    PATIENT,
    async () => {
      const { data, run, status, stop } = home();
      const stranger = spawn('sleep', ['600']);
      ours.push(stranger);
      try {
        expect((await run('up')).code).toBe(0);
        const { pid } = await status();
        const note = JSON.parse(readFileSync(fileOf(data), 'utf8'));
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => isRunning(pid), ENDED).toBe(false);
        // Its note remains, but is ignored.
        expect(existsSync(fileOf(data))).toBe(true);
        expect((await run('status')).code).toBe(3);
        writeFileSync(fileOf(data), JSON.stringify({ ...note, pid: stranger.pid }));
        expect((await run('status')).code).toBe(3);
        expect(await stop()).toMatchObject({ code: 0, out: `No server is running in ${data}.\n` });
        expect(isRunning(stranger.pid!)).toBe(true);
        for (const broken of ['{', '{"pid":-1}']) {
          writeFileSync(fileOf(data), broken);
          expect((await stop()).code).toBe(0);
        }
        expect(await run('up')).toMatchObject({
          code: 0,
          out: expect.stringMatching(/^The kernel is running: /),
        });
        expect((await status()).pid).not.toBe(pid);
      } finally {
        await stop();
      }
    },
  );

  it('is found when it runs in the foreground, keeps its address, and is never stopped without its state file', async () => {
    const { path, data, run, status } = home();
    const kernel = await startKernelProcess({ dataDir: data });
    let isGone = false;
    try {
      expect(await status()).toMatchObject({ pid: kernel.pid, url: kernel.url, log: null });
      expect((await run('up')).out).toMatch(`The kernel is already running: ${kernel.url} `);
      const { port } = new URL(kernel.url);
      const words = ['up', '--data', join(path, 'other'), '--port', port];
      expect(await runCommand(words, path)).toEqual({
        out: '',
        err: `chat-kernel: A kernel with other data uses ${kernel.url}. Choose another --port.\n`,
        code: 1,
      });
      const note = readFileSync(fileOf(data));
      rmSync(fileOf(data));
      expect(await run('status')).toMatchObject({
        code: 4,
        out: expect.stringMatching(/^An unknown process uses /),
      });
      expect((await run('stop')).code).toBe(1);
      expect(isRunning(kernel.pid)).toBe(true);
      writeFileSync(fileOf(data), note);
      expect((await run('stop')).out).toMatch(/Stopped\.\n$/);
      isGone = true;
      expect(await kernel.stop()).toEqual({ code: 0, signal: null });
    } finally {
      if (!isGone) await kernel.kill();
    }
  });
});

describe('its log', { timeout: 300_000 }, () => {
  it('grows to at most twice its limit, and keeps its newest lines', async () => {
    const path = join(directoryOfTest(), 'kernel.log');
    const script = `import { openSync } from 'node:fs';
      const { ${boundedLog.name}, ${isStderr.name} } = await import(${JSON.stringify(BOUNDED_LOG)});
      console.log(isStderr(${JSON.stringify(path)}), isStderr('/dev/null'));
      const log = boundedLog(${JSON.stringify(path)}, 1000);
      for (let n = 0; n < 250; n++) log.write(n + ' ' + 'x'.repeat(20) + '\\n');
      process.stderr.write('last words\\n');`;
    const child = spawn(
      '/bin/sh',
      ['-c', 'exec "$0" --input-type=module -e "$1" 2>>"$2"', process.execPath, script, path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    ours.push(child);
    let said = '';
    child.stdout!.on('data', text => {
      said += text;
    });
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(said).toBe('true false\n');
    const [older, newer] = [readFileSync(rotatedPath(path), 'utf8'), readFileSync(path, 'utf8')];
    expect(older.length).toBeLessThan(1100);
    expect(newer.length).toBeLessThan(1100);
    const numbers = (older + newer).split('\n').flatMap(line => /^\d+/.exec(line)?.[0] ?? []);
    expect(numbers).toEqual(
      Array.from({ length: numbers.length }, (_, n) => String(250 - numbers.length + n)),
    );
    expect(newer).toMatch(/last words\n$/);
  });
});
