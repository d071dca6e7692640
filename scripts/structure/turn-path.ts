/**
 * The files that a plain turn runs through, as V8 counts them: the real server gets one message, and a model provider
 * that this file plays gives one word. Out: every file of which a function runs from the request's arrival to the
 * provider's; back: from there to the end of the stream.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface TurnPath {
  out: string[];
  back: string[];
}

/** @param root of a checkout whose dependencies are installed. Files are relative to it, sorted. */
export async function turnPath(root: string): Promise<TurnPath> {
  const home = mkdtempSync(join(tmpdir(), 'turn-path-'));
  let out: Promise<string[]> | undefined;
  const provider = createServer((request, response) => {
    request.resume().on('end', async () => {
      out ??= filesRun(server, root);
      await out;
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const server = startServer(root, home, (provider.address() as AddressInfo).port);
  try {
    const url = await listening(server);
    const chat = (await (await post(`${url}/v1/chats`, {})).json()) as { id: string };
    await filesRun(server, root);
    const stream = await (await post(`${url}/v1/chats/${chat.id}/messages`, { text: 'Hello' })).text();
    if (!out || !stream.includes('Hi')) throw new Error(`no turn: ${stream}`);
    return { out: await out, back: await filesRun(server, root) };
  } finally {
    server.kill('SIGKILL');
    provider.closeAllConnections();
    provider.close();
    rmSync(home, { recursive: true });
  }
}

function startServer(root: string, home: string, providerPort: number): ChildProcess {
  const settings = {
    log: { level: 'warn' },
    titles: { enabled: false },
    llm: {
      providers: {
        own: { kind: 'openai-compatible', base_url: `http://127.0.0.1:${providerPort}/v1`, api_key: 'x' },
      },
      models: [{ id: 'own/word', context_window: 100_000 }],
      default_model: 'own/word',
    },
  };
  // JSON is YAML too.
  const config = join(home, 'config.yaml');
  writeFileSync(config, JSON.stringify(settings));
  const words = ['--config', config, '--port', '0', '--data', join(home, 'data')];
  return spawn(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'count-runs.ts'),
      join(root, 'packages/server/bin/chat-kernel.js'),
      ...words,
    ],
    // V8 does not count functions that come out of the compile cache.
    { env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
}

async function listening(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (!url) continue;
    server.stdout!.resume();
    return url;
  }
  throw new Error('the server ended before it listened');
}

/** The files of packages and apps of which a function ran since the last time. */
async function filesRun(server: ChildProcess, root: string): Promise<string[]> {
  server.send('take');
  const [urls] = (await once(server, 'message')) as [string[]];
  const base = `file://${root}/`;
  return urls
    .filter(url => url.startsWith(base) && !url.includes('/node_modules/'))
    .map(url => url.slice(base.length))
    .sort();
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Chat completions: one delta, then the end. */
function answer(response: ServerResponse): void {
  const chunk = (choice: object): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'word', choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ delta: { role: 'assistant', content: 'Hi' } }));
  response.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
}
