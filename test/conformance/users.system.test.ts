/** Tests which users of the machine reach a kernel on loopback: other users are real processes of another user. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createTables } from '../../packages/storage/test/sqlite-template.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel } from '../harness/kernel.ts';
import { startKernelProcess } from '../harness/process.ts';
import { PROGRAM } from '../harness/program.ts';
import { caddy, missing, nginx, OTHER_USER, TOKEN } from '../proxy/proxies.ts';

const NOBODY = 65534;
/** The id of `OTHER_USER`. */
const OTHER_USER_ID = 33;
/** Sends a request, and prints the response. */
const SEND = `
import socket, sys
host, port, request = sys.argv[1], int(sys.argv[2]), sys.argv[3].encode()
s = socket.create_connection((host, port))
s.sendall(request)
answer = b''
while True:
    piece = s.recv(65536)
    if not piece:
        break
    answer += piece
print(answer.decode())
`;
/** Sends the request on 200 connections, and hangs up instead of waiting for responses. */
const HANG_UP = `
import socket, sys
host, port, request = sys.argv[1], int(sys.argv[2]), sys.argv[3].encode()
for n in range(200):
    s = socket.create_connection((host, port))
    s.sendall(request)
    s.close()
`;
/** Opens 400 connections that send nothing, and prints how many of them the other end closes within 20 s. */
const STAY = `
import socket, sys
host, port = sys.argv[1], int(sys.argv[2])
sockets = [socket.create_connection((host, port)) for n in range(400)]
closed = 0
for s in sockets:
    s.settimeout(20)
    try:
        closed += s.recv(1) == b''
    except ConnectionResetError:
        closed += 1
    except TimeoutError:
        pass
print(closed)
`;

/** Runs a program as another user of this machine, and resolves with its output. */
async function runAs(user: number, program: string, url: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const body = '{"shelf":"stranger"}';
  const request = [
    'POST /v1/chats HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
  const child = spawn('python3', ['-c', program, hostname, port, request], {
    uid: user,
    gid: user,
    cwd: '/',
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const send = (url: string, user = NOBODY) => runAs(user, SEND, url);

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('[CONSENT-11]', () => {
  test('a kernel on loopback refuses other users, and says which setting lets them in', async () => {
    const kernel = await startKernel();
    const answer = await send(kernel.url);
    expect(answer).toContain('403 Forbidden');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'forbidden_user' });
    expect(answer).toContain('server.allowed_users');
    expect(await kernel.client.listChats({ shelf: 'stranger' })).toMatchObject({ chats: [] });
    expect(await send(kernel.url, 0)).toContain('201 Created');
    await kernel.stop();
  });

  test('a user who hangs up at once is refused, too', async () => {
    const kernel = await startKernel();
    await runAs(NOBODY, HANG_UP, kernel.url);
    await kernel.client.createChat({});
    expect(await kernel.client.listChats({ shelf: 'stranger' })).toMatchObject({ chats: [] });
    await kernel.stop();
  });

  test('a user who opens many connections neither keeps them nor stops the kernel', async () => {
    const kernel = await startKernel();
    const flood = runAs(NOBODY, STAY, kernel.url);
    let isOver = false;
    void flood.finally(() => {
      isOver = true;
    });
    const took: number[] = [];
    while (!isOver) {
      const begun = performance.now();
      // Each on a connection of its own, which the kernel has to judge among those of the flood.
      const answer = await exchange(`${kernel.url}/v1/chats`, { method: 'GET' });
      expect([answer.statusCode, (await bytesOf(answer)).length > 0]).toEqual([200, true]);
      took.push(performance.now() - begun);
    }
    expect(await flood).toBe('400\n');
    expect(took.length).toBeGreaterThan(5);
    expect(Math.max(...took)).toBeLessThan(2000);
    await kernel.stop();
  });

  test('the doctor and the next start name refused users', async () => {
    const data = temporaryDirectory();
    await createTables(data.path);
    const kernel = await startKernel({ dataDir: data.path });
    await runAs(OTHER_USER_ID, SEND, kernel.url);
    await kernel.stop();
    const { stdout } = spawnSync(
      process.execPath,
      [PROGRAM, 'doctor', '--data', data.path, '--set', 'server.port=0'],
      {
        env: { PATH: process.env.PATH, HOME: '/nonexistent', OLLAMA_HOST: '127.0.0.1:1' },
        encoding: 'utf8',
      },
    );
    expect(stdout).toMatch(
      /! users: the kernel refused a connection of www-data at \d{4}-.*\n {4}→ .*server\.allowed_users\n/,
    );
    const next = await startKernelProcess({ dataDir: data.path });
    expect(next.log()).toContain('The kernel refused connections of www-data before.');
    await next.stop();
    data.remove();
  });

  test('other users are accepted if server.allowed_users names them', async () => {
    const kernel = await startKernel({ settings: { server: { allowed_users: ['nobody'] } } });
    expect(await send(kernel.url)).toContain('201 Created');
    await kernel.stop();
  });

  for (const kind of [nginx, caddy]) {
    test.skipIf(missing(kind.name))(
      `${kind.name} as another user of this machine needs the setting that it names`,
      async () => {
        const ask = async (server: object) => {
          const kernel = await startKernel({ settings: { server } });
          const proxy = await kind.start(kernel.url, undefined, true);
          const { status } = await fetch(`${proxy.url}/v1/chats`, { headers: { 'x-service-token': TOKEN } });
          await proxy.stop();
          await kernel.stop();
          return status;
        };
        expect(await ask({})).toBe(403);
        expect(await ask({ allowed_users: [OTHER_USER] })).toBe(200);
      },
    );
  }

  test('a kernel does not start if an allowed user does not exist', async () => {
    const start = startKernel({ settings: { server: { allowed_users: ['no-such-user'] } } });
    await expect(start).rejects.toThrow('server.allowed_users: there is no user "no-such-user"');
  });
});
