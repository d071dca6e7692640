/** Tests modules as processes: socket, stdio, configuration, start and stop. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { type AskOwner, defineModule, type LoadedConfig, loadConfig, serve, tool, z } from '../src/index.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const wait = tool({
  description: 'Waits.',
  input: z.object({ ms: z.int() }),
  run: async ({ ms }, { signal }) => {
    await sleep(ms, undefined, { signal });
    return 'slept';
  },
});
const desk = defineModule({ name: 'desk', version: '1', about: 'a desk', tools: { wait } });
const configOf = (parts: Partial<LoadedConfig<unknown>> = {}): LoadedConfig<unknown> => ({
  kernel: { url: null, token: null, wait_secs: 5 },
  socket: join(directory.path, 'desk.sock'),
  data_dir: null,
  stdio: false,
  module: undefined,
  ...parts,
});
const start = async (config = configOf()) => {
  const running = await serve(desk, { config, signals: false });
  onTestFinished(running.stop);
  return running;
};

/** Sends lines to a socket or a process, and collects the responses. */
function speaker(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const heard: Record<string, unknown>[] = [];
  createInterface({ input }).on('line', line => heard.push(JSON.parse(line)));
  const say = (message: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    heard,
    say,
    async ask(id: number, method: string, params: object) {
      say({ id, method, params });
      await expect.poll(() => heard.find(message => message.id === id), { timeout: 30_000 }).toBeDefined();
      return heard.find(message => message.id === id);
    },
  };
}
async function open(path: string) {
  const socket: Socket = connect(path);
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return { socket, ...speaker(socket, socket) };
}
const INTRODUCTION = { protocol: 1, name: 'desk', kernel: { version: '0', url: 'http://127.0.0.1:9' } };
const callOf = (ms: number) => ({ call_id: 'c1', name: 'wait', input: { ms }, context: CONTEXT });
const CONTEXT = {
  chat_id: '00000000-0000-7000-8000-000000000000',
  sender: '',
  master: true,
  trusted: true,
  privileged: true,
  client_ops: false,
};

it('[MOD-1] listens at a socket that only its owner can use, and deletes it on stop', async () => {
  const { stop, stopped } = await start();
  const path = join(directory.path, 'desk.sock');
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  const { ask } = await open(path);
  expect(await ask(1, 'initialize', INTRODUCTION)).toMatchObject({ id: 1, result: { name: 'desk' } });
  await stop();
  await stopped;
  expect(existsSync(path)).toBe(false);
});

it('[MOD-8] replaces the socket of a dead process, but not of a running one', async () => {
  const path = join(directory.path, 'desk.sock');
  const dying = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', dying]), 'exit');
  expect(existsSync(path)).toBe(true);
  await start();
  const { ask } = await open(path);
  expect(await ask(1, 'ping', {})).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  await expect(serve(desk, { config: configOf(), signals: false })).rejects.toThrow(
    'Another process listens',
  );
  writeFileSync(join(directory.path, 'file'), '');
  const onFile = configOf({ socket: join(directory.path, 'file') });
  await expect(serve(desk, { config: onFile, signals: false })).rejects.toThrow('is no socket');
});

it('finishes a running call on stop, and accepts no new one', async () => {
  const { stop } = await start();
  const { say, heard, ask } = await open(join(directory.path, 'desk.sock'));
  await ask(1, 'initialize', INTRODUCTION);
  say({ id: 2, method: 'tools/call', params: callOf(150) });
  await ask(3, 'ping', {});
  const stopping = stop();
  say({ id: 4, method: 'tools/call', params: callOf(1) });
  await stopping;
  await expect
    .poll(() => heard.filter(({ id }) => id === 2))
    .toMatchObject([{ result: { output: 'slept' } }]);
  expect(heard.find(({ id }) => id === 4)).toMatchObject({
    error: { message: expect.stringContaining('stopping') },
  });
});

it('speaks over stdio, redirects console output, and ends with the kernel', async () => {
  const program = join(directory.path, 'program.ts');
  const sdk = new URL('../src/index.ts', import.meta.url).href;
  writeFileSync(
    program,
    `import { defineModule, serve, tool } from ${JSON.stringify(sdk)};
     const hello = tool({ description: 'Hello.', run: () => { console.log('noise'); return 'hello'; } });
     await serve(defineModule({ name: 'desk', version: '1', about: 'a desk', tools: { hello } }));`,
  );
  for (const end of ['stdin', 'SIGTERM'] as const) {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const printed: string[] = [];
    child.stderr.on('data', chunk => printed.push(String(chunk)));
    const exit = once(child, 'exit');
    const { ask } = speaker(child.stdout, child.stdin);
    await ask(1, 'initialize', INTRODUCTION);
    const params = { call_id: 'c', name: 'hello', input: {}, context: CONTEXT };
    expect(await ask(2, 'tools/call', params)).toMatchObject({ result: { output: 'hello' } });
    if (end === 'stdin') child.stdin.end();
    else child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(printed.join('')).toBe('noise\n');
  }
});

it('[MOD-11] waits at the start until the kernel is ready, sends it the token, and times out', async () => {
  const asked: string[] = [];
  const gate = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['x-service-token']}`);
    response.writeHead(asked.length < 3 ? 503 : 200).end('{"status":"x"}');
  });
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void gate.close());
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  let started = 0;
  const surface = defineModule({
    name: 'surface',
    version: '1',
    about: 'talks',
    start: () => void started++,
  });
  const config = configOf({ kernel: { url, token: 't', wait_secs: 5 }, socket: null });
  const running = await serve(surface, { config, signals: false });
  expect([started, asked]).toEqual([1, Array(3).fill('/readyz t')]);
  await running.stop();
  const nobody = configOf({ kernel: { url: 'http://127.0.0.1:9', token: null, wait_secs: 0.2 } });
  await expect(serve(surface, { config: nobody, signals: false })).rejects.toThrow('could not be reached');
  expect(started).toBe(1);
});

it('[MOD-11] starts its own work over stdio with or without tools, and reports why it failed', async () => {
  const asked: string[] = [];
  const kernel = createServer((request, response) => {
    asked.push(String(request.url));
    response.end('{"status":"x"}');
  });
  await new Promise<void>(resolve => kernel.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void kernel.close());
  const url = `http://127.0.0.1:${(kernel.address() as AddressInfo).port}`;
  const program = join(directory.path, 'surface.ts');
  const sdk = new URL('../src/index.ts', import.meta.url).href;
  writeFileSync(
    program,
    `import { defineModule, serve } from ${JSON.stringify(sdk)};
     const start = async ({ kernel }) => { await kernel.ready({}); throw new Error('no mailbox'); };
     await serve(defineModule({ name: 'surface', version: '1', about: 'talks', start }));`,
  );
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed: string[] = [];
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  const exit = once(child, 'exit');
  const { ask } = speaker(child.stdout, child.stdin);
  await ask(1, 'initialize', { ...INTRODUCTION, kernel: { version: '1', url } });
  expect(await exit).toEqual([1, null]);
  expect(asked).toEqual(['/readyz', '/readyz']);
  expect(printed.join('')).toMatch(/^error: start: Error: no mailbox\n/);
});

it('[MOD-11] asks the owner from its own work, and fails without a kernel', async () => {
  const answers: (string | null)[] = [];
  let ask!: AskOwner;
  const kernel = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(kernel, 'listening');
  onTestFinished(() => void kernel.close());
  const url = `http://127.0.0.1:${(kernel.address() as AddressInfo).port}`;
  const config = configOf({ kernel: { url, token: null, wait_secs: 5 } });
  const { stop } = await serve(
    defineModule({
      ...desk,
      start: context => {
        ask = context.ask;
      },
    }),
    {
      config,
      signals: false,
    },
  );
  onTestFinished(stop);
  const question = { question: 'Open?', options: [{ label: 'Yes' }, { label: 'No' }] };
  await expect(ask(question)).rejects.toThrow('No kernel is connected.');
  const { ask: call, heard, say, socket } = await open(join(directory.path, 'desk.sock'));
  await call(1, 'initialize', INTRODUCTION);
  const asked = ask(question).then(answer => answers.push(answer));
  await expect
    .poll(() => heard.find(({ method }) => method === 'question'))
    .toMatchObject({ params: question });
  say({ id: heard.find(({ method }) => method === 'question')!.id, result: { answer: 'Yes' } });
  await asked;
  expect(answers).toEqual(['Yes']);
  const lost = expect(ask(question)).rejects.toThrow('The connection to the kernel has ended.');
  socket.destroy();
  await lost;
});

it('[MOD-11] exits after a failed start also if its stdin is an idle pipe', async () => {
  const program = join(directory.path, 'wrong.ts');
  writeFileSync(
    program,
    `import { refuse } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
     await Promise.reject(new Error('The word is missing.')).catch(refuse);`,
  );
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed: string[] = [];
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  expect(await once(child, 'close', { signal: AbortSignal.timeout(60_000) })).toEqual([1, null]);
  expect(printed.join('')).toBe('error: The word is missing.\n');
});

it('[MOD-11] reads the kernel section, the socket and its own settings from its file', async () => {
  const file = join(directory.path, 'config.yaml');
  writeFileSync(
    file,
    'kernel: { url: "http://10.0.0.1:1", token: abc, wait_secs: 7 }\nsocket: /run/a.sock\nmodule: { word: x }\n',
    { mode: 0o600 },
  );
  const own = z.object({ word: z.string(), times: z.int().default(2) });
  const load = (argv: string[], env = {}) => loadConfig(own, { argv, env });
  expect(await load(['--config', file])).toEqual({
    kernel: { url: 'http://10.0.0.1:1', token: 'abc', wait_secs: 7 },
    socket: '/run/a.sock',
    data_dir: null,
    stdio: false,
    module: { word: 'x', times: 2 },
  });
  expect((await load([], { MODULE_CONFIG: file, MODULE_SOCKET: '/b' })).socket).toBe('/b');
  expect(
    await load(['--config', file, '--socket', '/c', '--data', '/d', '--stdio'], { MODULE_SOCKET: '/b' }),
  ).toMatchObject({
    socket: '/c',
    data_dir: '/d',
    stdio: true,
  });
  writeFileSync(file, 'kernel: { uri: x }\nmodule: {}\n');
  await expect(load(['--config', file])).rejects.toThrow(/config\.yaml is wrong:[\s\S]*uri[\s\S]*word/);
  await expect(load(['--config', '/nowhere.yaml'])).rejects.toThrow('/nowhere.yaml cannot be read');
});

it('[MOD-11] rejects a settings file that other users can read, also through a link', async () => {
  const file = join(directory.path, 'private.yaml');
  writeFileSync(file, 'module: {}\n');
  const link = join(directory.path, 'link.yaml');
  symlinkSync(file, link);
  const load = (path: string) => loadConfig(z.object({}), { argv: ['--config', path], env: {} });
  for (const mode of [0o604, 0o640, 0o602]) {
    chmodSync(file, mode);
    const isRoots = statSync(file).uid === 0;
    // A group may read what root owns, for example what an orchestrator mounts for a service.
    if (isRoots && mode === 0o640) expect(await load(file)).toMatchObject({ module: {} });
    else await expect(load(file)).rejects.toThrow(`other users can read it. Run chmod 600 ${file}`);
  }
  await expect(load(link)).rejects.toThrow(`chmod 600 ${link}`);
  chmodSync(file, 0o400);
  expect(await load(link)).toMatchObject({ module: {} });
});

it('[MOD-11] accepts the settings file that came with the program until it has a secret', async () => {
  const program = join(directory.path, 'with-file/program.js');
  mkdirSync(dirname(program));
  const sdk = JSON.stringify(new URL('../src/index.ts', import.meta.url).href);
  writeFileSync(
    program,
    `import { loadConfig, refuse, z } from ${sdk};
     const { module } = await loadConfig(z.any(), { argv: [], env: {} }).catch(refuse);
     console.log(JSON.stringify(module));`,
  );
  const run = (module: object) => {
    const file = join(dirname(program), 'config.yaml');
    writeFileSync(file, JSON.stringify({ module }));
    chmodSync(file, 0o644);
    const { stdout, stderr } = spawnSync(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
    return `${stdout}${stderr}`;
  };
  expect(run({ file: 'notes.txt' })).toBe('{"file":"notes.txt"}\n');
  expect(run({ login: { password: 'x' } })).toContain('Run chmod 600');
});

it('aborts the calls of a kernel that disconnects', async () => {
  const ended = Promise.withResolvers<string>();
  const hold = tool({
    description: 'Holds.',
    run: (_, { signal }) =>
      new Promise<string>(resolve => {
        signal.addEventListener('abort', () => {
          ended.resolve(signal.reason.message);
          resolve('');
        });
      }),
  });
  const module = defineModule({ name: 'desk', version: '1', about: 'a desk', tools: { hold } });
  const { stop } = await serve(module, { config: configOf(), signals: false });
  onTestFinished(stop);
  const { socket, ask, say } = await open(join(directory.path, 'desk.sock'));
  await ask(1, 'initialize', INTRODUCTION);
  say({ id: 2, method: 'tools/call', params: { ...callOf(0), name: 'hold' } });
  await ask(3, 'ping', {});
  socket.destroy();
  expect(await ended.promise).toBe('The connection to the kernel has ended.');
});
