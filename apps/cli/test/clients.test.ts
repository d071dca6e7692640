/** The commands that are clients: which kernel they use, and what they pass to it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import timers from 'node:timers/promises';
import { ownCommands } from '@chat-kernel/hands/commands';
import type { ChatOptions } from '@chat-kernel/terminal';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { httpGuest } from '../../../packages/mcp-client/test/fixtures/http-server.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { PNG } from '../../../test/harness/pictures.ts';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { says } from '../../../test/harness/story.ts';
import { openToolServers } from '../src/commands/acp.ts';
import { type ChatFlags, runChat } from '../src/commands/chat.ts';
import { runAsKernel } from './as-kernel.ts';
import { listen } from './listen.ts';
import { runInProcess, startInProcess } from './run-in-process.ts';

let home: string;
beforeEach(() => {
  home = directoryOfTest();
});
const run = (words: string[], options?: Parameters<typeof runInProcess>[2]) =>
  runInProcess(words, home, options);

/** A kernel that answers these requests with JSON, in order. Each answer is [status, body]. */
async function kernel(...answers: [number, unknown][]) {
  const seen: unknown[] = [];
  const url = await listen(({ method, url, headers }, response) => {
    seen.push([method, url, headers['x-service-token']]);
    const [status, body] = answers.shift() ?? [500, {}];
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url, seen };
}

describe('mcp', () => {
  const guests = (...guests: object[]): [number, object] => [200, { guests }];

  it('finds the kernel by --url, by a variable, or by the settings, and sends the token', async () => {
    const nothing = guests();
    const { url, seen } = await kernel(nothing, nothing, nothing);
    const { port } = new URL(url);
    const none = { out: 'No MCP servers configured.\n', err: '', code: 0 };
    expect(
      await run(['mcp', 'list', '--url', `${url}/`, '--token', 'flag'], {
        env: { CHAT_KERNEL_URL: 'x', CHAT_KERNEL_TOKEN: 'no' },
      }),
    ).toEqual(none);
    expect(
      await run(['mcp', 'list'], { env: { CHAT_KERNEL_URL: url, CHAT_KERNEL_TOKEN: 'variable' } }),
    ).toEqual(none);
    const env = { CHAT_KERNEL_URL: '', CHAT_KERNEL_TOKEN: '', CHAT_KERNEL_NO_SUCH: '1' };
    expect(await run(['mcp', 'list', '--port', port], { env })).toEqual({
      ...none,
      err: expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n$/),
    });
    expect(seen).toEqual(['flag', 'variable', undefined].map(token => ['GET', '/v1/guests', token]));
  });

  it('rejects an invalid address, and names the flag or the variable', async () => {
    const invalid = 'is not a valid address. It must start with http:// or https://.\n';
    for (const address of ['nonsense', 'ftp://x', 'xhttp://x', 'http'])
      expect(await run(['mcp', 'list', '--url', address])).toEqual({
        out: '',
        err: `chat-kernel: --url ${address} ${invalid}`,
        code: 1,
      });
    expect((await run(['mcp', 'list'], { env: { CHAT_KERNEL_URL: 'x:y' } })).err).toBe(
      `chat-kernel: CHAT_KERNEL_URL x:y ${invalid}`,
    );
  });

  it('lists servers with their problems', async () => {
    const { url } = await kernel(
      guests(
        { name: 'a', status: 'up', problem: null },
        { name: 'b', status: 'down', problem: 'x\u001by', problems: ['Skipped\u001bc.'] },
      ),
    );
    expect((await run(['mcp', 'list', '--url', url])).out).toBe('a: up\nb: down, x y\n  Skipped c.\n');
  });

  it('signs in and out', async () => {
    const { setTimeout: real } = timers;
    // A loop that another test has left would never yield if its timer ended at once.
    const sleep = vi
      .spyOn(timers, 'setTimeout')
      .mockImplementation(async (ms, ...rest) => (ms === 1000 ? undefined : real(ms, ...rest)) as never);
    syncBuiltinESMExports();
    onTestFinished(() => {
      sleep.mockRestore();
      syncBuiltinESMExports();
    });
    const other = { name: 'other', sign_in: 'done' };
    const { url, seen } = await kernel(
      [200, { url: 'https://x.org/\u001b?y' }],
      guests(other, { name: 'a b', sign_in: 'waiting' }),
      guests(other, { name: 'a b', sign_in: 'done' }),
      [200, {}],
    );
    expect(await run(['mcp', 'login', 'a b', '--url', url])).toEqual({
      out: 'Open this page in a browser and sign in:\n\n  https://x.org/ ?y\n\nSigned in to a b.\n',
      err: '',
      code: 0,
    });
    expect(await run(['mcp', 'logout', 'a b', '--url', url])).toEqual({
      out: 'Signed out of a b. To revoke access completely, also remove it at the provider.\n',
      err: '',
      code: 0,
    });
    expect(sleep.mock.calls.filter(([ms]) => ms === 1000)).toEqual([[1000]]);
    expect(seen).toEqual([
      ['POST', '/v1/guests/a%20b/sign-in', undefined],
      ['GET', '/v1/guests', undefined],
      ['GET', '/v1/guests', undefined],
      ['POST', '/v1/guests/a%20b/sign-out', undefined],
    ]);
  });

  it.each(['failed', undefined])('reports a sign-in that is %s', async sign_in => {
    const { url } = await kernel([200, { url: 'x' }], guests(...(sign_in ? [{ name: 'a', sign_in }] : [])));
    expect(await run(['mcp', 'login', 'a', '--url', url])).toMatchObject({
      err: 'chat-kernel: The sign-in to a was not completed.\n',
      code: 1,
    });
  });

  it('reports what the kernel rejects, and a missing kernel', async () => {
    const { url } = await kernel([404, { detail: 'No\u001bguest.' }], [502, '<html>'], [500, {}]);
    const list = async (address = url) => {
      const { out, err, code } = await run(['mcp', 'list', '--url', address]);
      expect({ out, code }).toEqual({ out: '', code: 1 });
      return err;
    };
    expect(await list()).toBe('chat-kernel: No guest.\n');
    for (const status of [502, 500])
      expect(await list()).toBe(`chat-kernel: The kernel at ${url} answered with status ${status}.\n`);
    const gone = `http://127.0.0.1:${await freePort()}`;
    expect(await list(gone)).toBe(
      `chat-kernel: No server is responding at ${gone} (connect ECONNREFUSED ${gone.slice(7)}). Start one with chat-kernel up.\n`,
    );
    expect(await list('http://127.0.0.1:1')).toBe(
      'chat-kernel: No server is responding at http://127.0.0.1:1 (bad port). Start one with chat-kernel up.\n',
    );
  });
});

describe('chat', () => {
  /** Calls the command like its definition, and returns the options of the terminal client. */
  async function opened(flags: Partial<ChatFlags>): Promise<ChatOptions> {
    let options: ChatOptions | undefined;
    const open = async (each: ChatOptions) => {
      options = each;
      return 7;
    };
    expect(await runInProcess(() => runChat({ hands: 'ask', ...flags }, open), home)).toEqual({
      out: '',
      err: '',
      code: 7,
    });
    return options!;
  }

  it('passes only the flags that are set', async () => {
    const url = 'http://127.0.0.1:1';
    expect(await opened({ url })).toEqual({
      ...{ url, workdir: home, hands: 'ask', named: true },
      commands: expect.objectContaining({ sandbox: expect.anything() }),
    });
    const flags = { url, token: 't', chat: 'c', model: 'a/b', workdir: home, hands: 'all' };
    const commands = { ...ownCommands({ sandbox: 'none', env: [] }), env: expect.any(Object) };
    expect(await opened({ ...flags, sandbox: 'none' })).toEqual({ ...flags, named: true, commands });
    expect(await opened({ url, continue: true })).toMatchObject({ continueLast: true });
  });

  it('can start the kernel of the settings, and resumes it with the flags that are needed to find it', async () => {
    const data = join(home, 'data');
    mkdirSync(data);
    const url = `http://127.0.0.1:${await freePort()}`;
    const other = await listen((_, response) => response.end());
    const port = new URL(url).port;
    const { startKernel: start, named } = await opened({ data, port });
    expect(named).toBe(true);
    runAsKernel(data, { url: other });
    expect(await start?.()).toBe(other);
    expect(await opened({ data, port: '0' })).not.toHaveProperty('startKernel');
    expect(await opened({ token: 't', data: undefined })).not.toHaveProperty('named');
  });

  it.each([
    [['--continue', '--chat', 'x'], 'chat-kernel chat: --continue and --chat cannot be used together.\n'],
    [['--hands', 'both'], 'chat-kernel chat: --hands must be one of none, reads, ask, all, kernel.\n'],
    [
      ['--url', 'x'],
      'chat-kernel: --url x is not a valid address. It must start with http:// or https://.\n',
    ],
    [['--workdir', '/nonexistent'], 'chat-kernel: --workdir /nonexistent does not exist (/nonexistent).\n'],
    [['--workdir', 'file'], /^chat-kernel: --workdir file is not a folder \(\/.*\/file\)\.\n$/],
    // The folder of the kernel's machine is not checked here.
    [['--workdir', '/nonexistent', '--hands', 'kernel', '--url', 'http://x'], /This is not a terminal/],
    [['--sandbox', 'x'], 'chat-kernel: --sandbox must be auto or none.\n'],
  ])('chat %j ends with an error', async (words, err) => {
    writeFileSync(join(home, 'file'), '');
    const ended = await run(['chat', ...words]);
    expect(ended).toEqual({
      out: '',
      err: typeof err === 'string' ? err : expect.stringMatching(err),
      code: 2,
    });
  });
});

describe('ask', () => {
  it('sends all that its flags say, and prints what they ask for', async () => {
    const real = await kernelOf();
    writeFileSync(join(home, 'a.txt'), 'attached');
    real.upstream.next(says('Hello.'), says('Again.'), says('Third.'));
    const ask = (...words: string[]) =>
      run(['ask', ...words, '--url', real.url], { stdin: Readable.from([Buffer.from('piped')]) });
    const chats = async () => (await real.api.get('/v1/chats')).body.chats;
    const { out, err, code } = await ask(
      'two',
      'words',
      '--file',
      'a.txt',
      '--effort',
      'low',
      '--hands',
      'reads',
      '--workdir',
      '.',
    );
    expect([out, code]).toEqual(['Hello.\n', 0]);
    expect(err).not.toBe('');
    const [{ id, ...chat }] = await chats();
    expect(chat).toMatchObject({ workdir: home, workdir_on: 'client' });
    const sent = JSON.stringify(real.upstream.requests[0]?.body);
    for (const text of ['two words', 'piped', 'attached', '"reasoning_effort":"low"'])
      expect(sent).toContain(text);
    expect(await ask('single', '--chat', id, '-q', '--model', 'scripted/plain')).toEqual({
      out: 'Again.\n',
      err: '',
      code: 0,
    });
    expect(JSON.stringify(real.upstream.requests[1]?.body)).toContain('single');
    expect(await chats()).toHaveLength(1);
    const json = await ask('x', '--json', '--forget');
    expect(
      json.out
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line).type),
    ).toContain('text_delta');
    expect(await chats()).toHaveLength(1);
    expect(await ask('x', '--model', 'no/such')).toMatchObject({ out: '', code: 4 });
    expect(await ask('x', '--file', 'none.md')).toMatchObject({ out: '', code: 2 });
    // Without words, the input is the prompt.
    expect((await ask('-q')).out).toBe('ok\n');
    expect(JSON.stringify(real.upstream.requests.at(-1)?.body)).toContain('"content":"piped"');
  });

  it.each([
    [['--effort', 'most'], 'chat-kernel ask: --effort must be one of off, low, mid, high.\n'],
    [['--hands', 'both'], 'chat-kernel ask: --hands must be one of none, reads, ask, all, kernel.\n'],
    [
      ['--forget', '--chat', 'x'],
      'chat-kernel ask: --forget deletes a new chat and cannot be used with --chat.\n',
    ],
    [['--workdir', '/nonexistent'], 'chat-kernel: --workdir /nonexistent does not exist (/nonexistent).\n'],
    [['--url', 'http://x'], 'chat-kernel ask: No prompt. Pass it as an argument or on stdin.\n'],
    [['--sandbox', 'x'], 'chat-kernel: --sandbox must be auto or none.\n'],
  ])('ask %j ends with an error', async (words, err) => {
    expect(await run(['ask', ...words])).toEqual({ out: '', err, code: 2 });
  });
});

describe('hands', () => {
  it('installs and removes a service that connects with the same flags', async () => {
    const service = join(home, '.config/systemd/user/chat-kernel-hands-my-50-laptop.service');
    const words = ['hands', '--name', 'my "50%" laptop'];
    const flags = [
      '--url',
      'http://127.0.0.1:1',
      '--token',
      't',
      '--allow',
      'a',
      '--allow',
      '/b',
      '--sandbox',
      'none',
      '--env',
      'X',
    ];
    runAsKernel(home);
    expect(await run([...words, '--install', ...flags])).toMatchObject({
      out: expect.stringContaining(`Wrote ${service}. Start it with:`),
      code: 0,
    });
    const text = readFileSync(service, 'utf8');
    expect(text).toContain('Environment="CHAT_KERNEL_TOKEN=t"');
    expect(text).toContain('RestartPreventExitStatus=2 4');
    expect(text).toContain(
      `/bin/chat-kernel.js" "hands" "--name" "my \\"50%%\\" laptop" "--url" "http://127.0.0.1:1" "--allow" "${join(home, 'a')}" "--allow" "/b" "--sandbox" "none" "--env" "X"`,
    );
    expect(text).toContain(`ExecStart="${process.execPath}" "`);
    await run([...words, '--install', '--url', 'http://127.0.0.1:1']);
    expect(readFileSync(service, 'utf8')).toContain(`"--allow" "${home}"\n`);
    expect(await run([...words, '--uninstall', '--url', 'x'])).toMatchObject({
      out: expect.stringMatching(`^Removed ${service}`),
      code: 0,
    });
  });

  it.each([
    [
      ['--name', ''],
      'chat-kernel hands: --name must be the name of this machine in chats, such as laptop.\n',
      2,
    ],
    [
      ['--name', 'x', '--url', 'y'],
      'chat-kernel: --url y is not a valid address. It must start with http:// or https://.\n',
      2,
    ],
    [
      ['--name', 'x', '--url', 'http://x', '--allow', '/nonexistent'],
      'chat-kernel hands: --allow /nonexistent: Folder not found.\n',
      2,
    ],
  ])('hands %j ends with an error', async (words, err, code) => {
    expect(await run(['hands', ...words])).toEqual({ out: '', err, code });
  });
});

describe('acp', () => {
  it('speaks the protocol until the editor disconnects, and reports invalid flags', async () => {
    const stdin = new Readable({ read() {} });
    const { url, seen } = await kernel();
    const { stdout, ended, hasExited } = startInProcess(['acp', '--url', url, '--token', 't'], home, {
      stdin,
    });
    const request = (id: number, method: string, params: object) =>
      stdin.push(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    request(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    await expect.poll(() => stdout.text).toContain('\n');
    request(2, 'session/new', { cwd: home, mcpServers: [] });
    await expect.poll(() => seen[0]).toEqual([expect.any(String), expect.any(String), 't']);
    stdin.push(null);
    const { out, code } = await ended;
    expect(hasExited()).toBe(true);
    const [first = ''] = out.split('\n');
    expect(JSON.parse(first)).toMatchObject({
      id: 1,
      result: { agentInfo: { version: expect.any(String) } },
    });
    expect(code).toBe(0);
    for (const [words, err] of [
      [['--url', 'x'], /^chat-kernel: --url x is not a valid/],
      [['--sandbox', 'x'], /^chat-kernel: --sandbox must/],
    ] as const)
      expect(await run(['acp', ...words])).toEqual({ out: '', err: expect.stringMatching(err), code: 2 });
  });

  it('offers the tools of the MCP servers of an editor', async () => {
    const guest = await httpGuest('2025-11-25');
    onTestFinished(guest.stop);
    const { server } = guest;
    const take = server.take.bind(server);
    const content = [{ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }];
    server.take = (message, send, tell) =>
      message.params?.name === 'wait'
        ? send({ jsonrpc: '2.0', id: message.id!, result: { content } })
        : take(message, send, tell);
    const gone = `http://127.0.0.1:${await freePort()}`;
    const lines: string[] = [];
    const servers = await openToolServers({
      servers: { editor_a: { url: guest.url }, editor_b: { url: gone } },
      say: line => lines.push(line),
    });
    onTestFinished(servers.stop);
    await servers.tried();
    const tools = servers.tools();
    const call = async (name: string, input = {}) => {
      const found = tools.find(each => each.name === `mcp_editor_a_${name}`)!;
      return found.run(input, { signal: new AbortController().signal, progress() {} });
    };
    const name = 'mcp_editor_a_echo';
    const description = expect.stringContaining('Says it again.');
    expect(tools).toContainEqual(
      expect.objectContaining({
        name,
        description,
        input_schema: { type: 'object', properties: {} },
        acts: false,
      }),
    );
    expect(tools.filter(({ acts }) => acts)).toHaveLength(server.tools.length - 1);
    expect(await call('echo', { a: 1 })).toEqual({ output: '{"a":1}', is_error: false });
    expect(await call('refuse')).toMatchObject({ is_error: true });
    expect((await call('content')).output).toMatch(/last[\s\S]*\n\[image\/png: not supported here\]/);
    expect((await call('wait')).output).toBe('[image/png: not supported here]');
    // Editors cannot show its question.
    expect((await call('ask')).output).toContain('"cancel"');
    expect(lines.join('\n')).toMatch(/: \{.*"editor_b"/);
    await guest.stop();
    await expect.poll(() => servers.tools()).toEqual([]);
  });
});
