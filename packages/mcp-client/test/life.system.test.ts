/** Tests slow, dead and intermittent servers: the kernel does not wait for them, and leaves nothing behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDown, isRunning, isUp, openDesk, program, until } from './fixtures/desk.ts';
import { httpGuest } from './fixtures/http-server.ts';

const KERNEL = fileURLToPath(new URL('fixtures/kernel.ts', import.meta.url));
const DOWN =
  /^The MCP server g is down: .+\. Its tools are unavailable until it is back\. The kernel keeps trying to connect\.$/;

describe('a program', () => {
  it('gets the harmless variables of the kernel and the variables of its entry', async () => {
    const guest = program('2025-11-25');
    const desk = openDesk(
      { g: { ...guest.entry, env: { TOKEN: 'own' } } },
      { PATH: process.env.PATH, HOME: '/home/x', LC_TIME: 'C', OPENAI_API_KEY: 'secret' },
    );
    await isUp(desk);
    const { PWD: _, SHLVL: __, ...env } = guest.starts()[0]?.env ?? {};
    expect(env).toEqual(
      expect.objectContaining({ PATH: process.env.PATH, HOME: '/home/x', LC_TIME: 'C', TOKEN: 'own' }),
    );
    expect(Object.keys(env)).not.toContain('OPENAI_API_KEY');
    await until(() =>
      expect(desk.log).toContainEqual({
        level: 'debug',
        facts: { server: 'g', line: 'ready' },
        sentence: 'output of an MCP server',
      }),
    );
  });

  it('works in its own directory, or in the directory of its entry', async () => {
    const [own, placed] = [program('2025-11-25'), program('2025-11-25')];
    const desk = openDesk({ own: own.entry, placed: { ...placed.entry, cwd: placed.folder } });
    await isUp(desk);
    const directory = join(desk.directory, 'own');
    expect(own.starts()[0]?.cwd).toBe(realpathSync(directory));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(placed.starts()[0]?.cwd).toBe(realpathSync(placed.folder));
    expect(existsSync(join(desk.directory, 'placed'))).toBe(false);
    const lost = openDesk({ g: { ...own.entry, cwd: join(desk.directory, 'none') } });
    await isDown(lost, /^the program could not be started: there is no directory \/.*none$/);
  });

  it('fails the call and marks its tools as down when it dies during a call, and is restarted', async () => {
    const guest = program('2025-11-25');
    const desk = openDesk({ g: guest.entry });
    await isUp(desk);
    const before = desk.mcp.tools().map(({ name }) => name);
    expect(await desk.call('mcp_g_die')).toEqual({
      output:
        'The connection failed during the call: the program ended with code 3. Whether it took effect is unknown.',
      is_error: true,
    });
    await isDown(desk, /ended with code 3/);
    expect(desk.mcp.tools().map(({ name }) => name)).toEqual(before);
    expect(desk.tool('mcp_g_echo').available).toBe(false);
    const down = await desk.call('mcp_g_echo');
    expect(down).toMatchObject({ is_error: true });
    expect(down.output).toMatch(DOWN);

    await until(() => expect(desk.clock.timers.size).toBe(1));
    desk.clock.advance(999);
    expect(guest.starts()).toHaveLength(1);
    desk.clock.advance(1);
    await isUp(desk);
    expect(guest.starts()).toHaveLength(2);
    expect(await desk.call('mcp_g_echo', { n: 1 })).toEqual({ output: '{"n":1}', is_error: false });
  });

  it('is restarted after 1 s, 2 s, 4 s, up to 60 s if it keeps dying', async () => {
    const desk = openDesk({ g: { command: '/bin/false' } });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const pause = await until(() => {
        const [timer] = [...desk.clock.timers];
        if (desk.clock.timers.size !== 1 || timer === undefined) {
          throw new Error('it does not pause');
        }
        const left = timer.at - desk.clock.now();
        // The timeout of a running attempt is a timer of 60 s, too.
        if (round < 6 && left === 60_000) throw new Error('it tries');
        return left;
      });
      pauses.push(pause);
      if (round === 6) break;
      desk.clock.advance(pause);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
    const warned = desk.log.filter(({ level }) => level === 'warn');
    expect(warned).toHaveLength(1);
  });

  it('is named in the error if it does not exist', async () => {
    const desk = openDesk({ g: { command: 'no-such-program' } });
    await isDown(desk, /^the program ended with code 127: no-such-program was not found/);
    expect(desk.mcp.tools()).toEqual([]);
    expect(desk.mcp.groups()).toEqual([]);
  });

  it('is restarted with the older revision if it exits on the revision request', async () => {
    const guest = program('2025-11-25', 'strict');
    const desk = openDesk({ g: guest.entry });
    await isUp(desk);
    expect(desk.mcp.status()[0]?.revision).toBe('2025-11-25');
    expect(guest.starts()).toHaveLength(2);
  });

  it('is stopped after 60 s without an answer', async () => {
    const guest = program('2025-11-25', 'deaf');
    const desk = openDesk({ g: guest.entry });
    await until(() => expect(guest.came()).toHaveLength(1));
    expect(desk.mcp.status()).toEqual([
      { name: 'g', status: 'down', problem: 'it has not responded yet', revision: null },
    ]);
    desk.clock.advance(60_000);
    await isDown(desk, /^it did not respond within 60 s$/);
    await until(() => expect(isRunning(guest.starts()[0]?.pid ?? 0)).toBe(false));
  });

  it('is killed with all its children when the kernel stops, if it does not exit', async () => {
    const guest = program('2025-11-25', 'stubborn');
    const { command, args } = guest.entry;
    // The shell stays, with a child next to the server.
    const desk = openDesk({
      g: {
        command: '/bin/sh',
        args: ['-c', 'sleep 600 & echo "$!" >&2; "$@"; true', 'sh', command, ...args],
      },
    });
    await isUp(desk);
    const child = await until(() => {
      const line = desk.log.map(({ facts }) => String(facts.line)).find(said => /^\d+$/.test(said));
      if (line === undefined) throw new Error('it has not said its number');
      return Number(line);
    });
    const [start] = guest.starts();
    expect([start?.pid ?? 0, child].map(isRunning)).toEqual([true, true]);
    await desk.mcp.stop();
    await until(() => expect([start?.pid ?? 0, child].map(isRunning)).toEqual([false, false]));
  });

  it('is killed with all its children when the kernel is killed', async () => {
    const guest = program('2026-07-28', 'stubborn');
    const kernel = spawn(process.execPath, [KERNEL, JSON.stringify(guest.entry), guest.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void kernel.kill('SIGKILL'));
    const [said] = await once(kernel.stdout, 'data');
    expect(String(said)).toBe('up\n');
    const pid = guest.starts()[0]?.pid ?? 0;
    expect(isRunning(pid)).toBe(true);
    kernel.kill('SIGKILL');
    await until(() => expect(isRunning(pid)).toBe(false));
  });

  it('does not block start, and stop ends a pending start', async () => {
    const guest = program('2025-11-25', 'deaf');
    const desk = openDesk({ g: guest.entry });
    expect(desk.mcp.tools()).toEqual([]);
    await until(() => expect(guest.starts()).toHaveLength(1));
    await desk.mcp.stop();
    expect(isRunning(guest.starts()[0]?.pid ?? 0)).toBe(false);
    expect(desk.clock.timers.size).toBe(0);
  });
});

describe('a server on the network', () => {
  it('with the transport before Streamable HTTP is down, with a hint for the user', async () => {
    const server = createServer((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\r\ndata: /messages?session=1\r\n\r\n');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
    const desk = openDesk({ g: { url } });
    await isDown(
      desk,
      /^it uses the old HTTP\+SSE transport; .*: npx and args: \[-y, mcp-remote, its url\]$/,
    );
  });

  it('receives the headers of its entry with each request', async () => {
    const guest = await httpGuest('2025-11-25');
    onTestFinished(guest.stop);
    const desk = openDesk({ g: { url: guest.url, headers: { authorization: 'Bearer t0ken' } } });
    await isUp(desk);
    await desk.call('mcp_g_echo');
    expect(new Set(guest.headers.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer t0ken']),
    );
  });

  it('is retried until it is reachable', async () => {
    const first = await httpGuest('2026-07-28');
    await first.stop();
    const desk = openDesk({ g: { url: first.url } });
    await isDown(desk, /ECONNREFUSED/);
    const second = await httpGuest('2026-07-28', Number(new URL(first.url).port));
    onTestFinished(second.stop);
    await until(() => expect(desk.clock.timers.size).toBe(1));
    desk.clock.advance(1000);
    await isUp(desk);
  });

  it.each([
    '2025-11-25',
    '2026-07-28',
  ] as const)('of %s fails the call immediately when it dies during the call', async revision => {
    const guest = await httpGuest(revision);
    const desk = openDesk({ g: { url: guest.url } });
    await isUp(desk);
    guest.server.die = () => void guest.stop();
    const { output } = await desk.call('mcp_g_die');
    // Either the end of the response or the refused connection is noticed first.
    expect(output).toMatch(
      /^The connection failed during the call: (the connection ended before the response|fetch failed: .+)\. Whether/,
    );
    await isDown(desk, /ECONNREFUSED/);
    expect((await desk.call('mcp_g_echo')).output).toMatch(DOWN);
  });

  it('gets the call in a new session if it has forgotten the old one', async () => {
    const guest = await httpGuest('2025-11-25');
    onTestFinished(guest.stop);
    const desk = openDesk({ g: { url: guest.url } });
    await isUp(desk);
    guest.sessions.clear();
    expect(await desk.call('mcp_g_echo', { n: 2 })).toEqual({ output: '{"n":2}', is_error: false });
    expect(guest.server.came.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect(guest.sessions.size).toBe(1);
  });

  it('is pinged every minute', async () => {
    const guest = await httpGuest('2025-11-25');
    const desk = openDesk({ g: { url: guest.url } });
    await isUp(desk);
    await guest.stop();
    expect(desk.mcp.status()[0]?.status).toBe('up');
    desk.clock.advance(60_000);
    await isDown(desk, /ECONNREFUSED/);
    expect(desk.tool('mcp_g_echo').available).toBe(false);
  });

  it('is notified of the end of its session', async () => {
    const guest = await httpGuest('2025-11-25');
    onTestFinished(guest.stop);
    const desk = openDesk({ g: { url: guest.url } });
    await isUp(desk);
    expect(guest.sessions.size).toBe(1);
    await desk.mcp.stop();
    expect(guest.sessions.size).toBe(0);
  });
});

it('does not block another server', async () => {
  const good = program('2026-07-28');
  const deaf = program('2025-11-25', 'deaf');
  const desk = openDesk({ deaf: deaf.entry, good: good.entry });
  await isUp(desk, 'good');
  expect(desk.mcp.status().map(({ status }) => status)).toEqual(['down', 'up']);
});
