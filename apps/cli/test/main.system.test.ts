/** The program as a process: what it prints, and how it ends. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEEDED } from '../../../scripts/build/manifests.ts';
import { PROGRAM } from '../../../test/harness/program.ts';

type Program = ChildProcessByStdio<null, Readable, Readable>;

let folder: string;
const running = new Set<Program>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'main-'));
});
afterEach(() => {
  for (const program of running) program.kill('SIGKILL');
  running.clear();
  rmSync(folder, { recursive: true });
});

interface Started {
  program: Program;
  out: () => string;
  err: () => string;
  ended: Promise<{ code: number | null; out: string; err: string }>;
}
function start(words: string[], environment: Record<string, string> = {}): Started {
  const program = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(program);
  let out = '';
  let err = '';
  program.stdout.setEncoding('utf8').on('data', piece => {
    out += piece;
  });
  program.stderr.setEncoding('utf8').on('data', piece => {
    err += piece;
  });
  const ended = once(program, 'close').then(([code]) => ({ code, out, err }));
  return { program, out: () => out, err: () => err, ended };
}
async function listening(started: Started): Promise<string> {
  await expect.poll(started.out, { timeout: 30_000 }).toContain('\n');
  return started.out().match(/^chat-kernel listening on (http:\/\/\S+)\n$/)?.[1] ?? started.out();
}

describe('chat-kernel', () => {
  it('prints one line when it is ready, logs to stderr, and exits with 0 on SIGTERM', async () => {
    const started = start(['--port', '0', '--data', 'data']);
    const url = await listening(started);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
    const chat = await fetch(`${url}/v1/chats`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"secret-words"}',
    });
    expect(chat.status).toBe(201);

    started.program.kill('SIGTERM');
    const { code, out, err } = await started.ended;
    expect(code).toBe(0);
    expect(out).toBe(`chat-kernel listening on ${url}\n`);
    const lines = err
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', route: '/v1/chats', status: 201 }),
    );
    expect(err).not.toContain('secret-words');
  });

  it('finishes a running turn after the first signal, rejects new turns, and exits immediately after the second signal', async () => {
    const started = start(['--port', '0', '--data', 'data']);
    const url = await listening(started);
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { id } = (await (await post('/v1/chats', {})).json()) as { id: string };
    const turn = await post(`/v1/chats/${id}/messages`, { text: 'slow', model: 'demo/demo' });
    expect(turn.status).toBe(200);

    started.program.kill('SIGTERM');
    await expect.poll(started.err).toContain('"stopping"');
    const refused = await post(`/v1/chats/${id}/messages`, { text: 'more' });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'shutting_down' });
    expect((await fetch(`${url}/v1/chats/${id}`)).status).toBe(200);

    const asked = performance.now();
    started.program.kill('SIGTERM');
    expect((await started.ended).code).toBe(1);
    expect(performance.now() - asked).toBeLessThan(8000);
    await turn.body?.cancel().catch(() => 'the connection is gone with the program');
  });

  it('rejects a data directory that another kernel uses, with an error message', async () => {
    const data = join(folder, 'data');
    const first = start(['--port', '0', '--data', data]);
    await listening(first);
    const { code, err } = await start(['--port', '0', '--data', data]).ended;
    expect({ code, err }).toEqual({
      code: 1,
      err: `chat-kernel: Another kernel uses this data directory: ${data}.\n`,
    });
  });

  it('does not start on a port in use, and prints an error message', async () => {
    const first = start(['--port', '0', '--data', 'one']);
    const { port } = new URL(await listening(first));
    const { code, out, err } = await start(['--port', port, '--data', 'two']).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n').at(-1)).toMatch(/^chat-kernel: .*EADDRINUSE.*another --port\.$/);
    first.program.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
  });

  it('rejects a module folder that other users can write', async () => {
    const sockets = join(folder, 'sockets');
    mkdirSync(sockets);
    for (const [mode, who] of [
      [0o770, 'its group'],
      [0o1777, 'everybody'],
    ] as const) {
      chmodSync(sockets, mode);
      const words = ['--port', '0', '--data', 'data', '--set', `modules.socket_dir=${sockets}`];
      const { code, out, err } = await start(words).ended;
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.trim().split('\n').at(-1)).toBe(
        `modules.socket_dir: ${who} can write to ${sockets} and add modules. Run chmod 700 ${sockets}`,
      );
    }
  });
});

it('starts with the same flags from its command and from npm start', () => {
  const root = join(import.meta.dirname, '../../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const flags = '--max-semi-space-size=4';
  expect(scripts.start).toBe(`node ${flags} scripts/start.js`);
  const command = readFileSync(join(root, 'apps/cli/bin/chat-kernel'), 'utf8');
  const starts = command.split('\n').filter(line => /^ *exec /.test(line));
  expect(starts.map(line => line.trim().replace(/^exec \S+ /, ''))).toEqual(
    Array(2).fill(`${flags} "$program" "$@"`),
  );
  expect(`>=${/Node (\d+) or later/.exec(command)?.[1]}`).toBe(NEEDED);
});
