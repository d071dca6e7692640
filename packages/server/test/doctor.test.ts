/** The doctor as a program: its findings, and the advice it gives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { startKernelProcess } from '../../../test/harness/process.ts';
import { startUpstream } from '../../../test/upstream/server.ts';

const MAIN = join(import.meta.dirname, '../bin/chat-kernel.js');
let folder: string;
beforeEach(() => {
  folder = directoryOfTest();
});
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function doctor(words: string[] = [], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'doctor', ...words], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, OLLAMA_HOST: '127.0.0.1:1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, code };
}
const settings = (tree: object, mode = 0o600) => {
  const path = join(folder, '.config/chat-kernel/config.yaml');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ server: { port: 0 }, ...tree }));
  chmodSync(path, mode);
  return path;
};
async function listen<T extends Server | ReturnType<typeof createTcpServer>>(server: T): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe('chat-kernel doctor', () => {
  it('finds a fresh machine well, but for the model that only plays one', async () => {
    const { out, err, code } = await doctor(['--set', 'server.port=0', '--set', 'tools.shell.sandbox=none']);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const data = join(folder, '.local/share/chat-kernel');
    expect(out.replace(/^✓ versions: .*\n/, '')).toBe(
      `✓ settings: no settings file; the defaults count
✓ data: ${data} will be made at the first start
✓ sandbox: none; the commands of models can do all that this user can
✓ skills: none
✓ database: The database ${join(data, 'chat-kernel.db')}: empty
! providers: only the demo model answers, which understands nothing
    → set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, run Ollama, or configure llm.providers
✓ provider demo: 1 model, default demo/demo
✓ voice: nothing hears or speaks; docs/voice.md says what to set
✓ server: it takes a free port at each start, so it is not looked for
1 warning.
`,
    );
  });

  it('names every mistake in the settings with its place, and goes no further', async () => {
    const path = settings({ server: { port: 'x' } });
    const { out, code } = await doctor(['--json']);
    const [versions, ...rest] = JSON.parse(out);
    expect({ versions, rest, code }).toEqual({
      versions: { about: 'versions', level: 'ok', says: expect.stringContaining('SQLite') },
      rest: [
        {
          about: 'settings',
          level: 'problem',
          says: `${path}:1:19: server.port: expected a number`,
          cure: 'docs/settings.md says what each setting takes',
        },
      ],
      code: 1,
    });
  });

  it('[WHO-7] says that a file of the present folder is not read', async () => {
    writeFileSync(join(folder, 'chat-kernel.yaml'), 'server: { port: x }');
    const { out, code } = await doctor(['--set', 'server.port=0']);
    expect(out).toContain(
      '✓ settings: no settings file; the defaults count\n! settings: ./chat-kernel.yaml is not read',
    );
    expect(code).toBe(0);
  });

  it('warns of a settings file with a key, and of data, that others may read', async () => {
    const path = settings({ llm: { providers: { mine: { kind: 'openai', api_key: 'sk-abcdef' } } } }, 0o644);
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const { out, code } = await doctor(['--data', data]);
    expect(out).toContain(`! data: other users may look into ${data}\n    → chmod 700 ${data}\n`);
    expect(out).toContain(
      `! settings: ${path} holds a secret, and other users may read it\n    → chmod 600 ${path}\n`,
    );
    expect({ code, hidden: !out.includes('sk-abcdef') }).toEqual({ code: 0, hidden: true });
  });

  it('says which provider lacks its key, and which variable is meant', async () => {
    settings({ llm: { providers: { mine: { kind: 'anthropic', api_key_env: 'MY_KEY' } } } });
    const { out, code } = await doctor();
    expect(out).toContain(
      '✗ providers: the provider mine has no key and cannot be used: MY_KEY is not set\n',
    );
    expect(out).toContain('✗ providers: no model can be used\n');
    expect(code).toBe(1);
  });

  it('knows a database of a newer program, and one that is damaged', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const path = join(data, 'chat-kernel.db');
    const database = new DatabaseSync(path);
    database.exec(
      "create table meta (key text, value text); insert into meta values ('schema_version', '999')",
    );
    database.close();
    expect((await doctor(['--data', data])).out).toMatch(
      /✗ database: The database \S+ has schema version 999; this program knows versions up to \d+\n {4}→ start the newer/,
    );
    writeFileSync(path, Buffer.alloc(8192, 'not a database '));
    const { out, code } = await doctor(['--data', data]);
    expect(out).toMatch(/✗ database: The database \S+ can't be read: file is not a database\.\n {4}→ /);
    expect(code).toBe(1);
  });

  it('asks a model for a word where it is told to, and says what helps against a wrong key', async () => {
    const upstream = await startUpstream();
    ends.push(() => upstream.close());
    settings({
      llm: {
        providers: {
          mine: { kind: 'openai-compatible', base_url: `${upstream.url}/v1`, api_key: 'sk-very-secret' },
        },
        models: [{ id: 'mine/small' }],
      },
    });
    expect((await doctor(['--call'])).out).toMatch(
      /✓ provider mine: mine\/small answered; its first word took \d+ ms\n/,
    );
    const body =
      '{"error":{"message":"Incorrect API key provided: sk-very-secret","code":"invalid_api_key"}}';
    upstream.next({ status: 401, error: { body } });
    const { out, code } = await doctor(['--call']);
    expect(out).toMatch(/✗ provider mine: mine\/small did not answer: .*\n {4}→ the key is wrong/);
    expect(out).not.toContain('sk-very-secret');
    expect(code).toBe(1);
  });

  it('finds the kernel that runs, and its database in use', async () => {
    const data = join(folder, 'data');
    const kernel = await startKernelProcess({ dataDir: data });
    ends.push(() => kernel.stop());
    const { out, code } = await doctor(['--data', data, '--set', `server.port=${new URL(kernel.url).port}`]);
    expect(out).toContain(', in use by a kernel\n');
    expect(out).toMatch(
      /✓ server: chat-kernel \S+ answers at \S+\n✓ server: streams arrive at once \(\d+ ms\)\n/,
    );
    expect(code).toBe(0);
  });

  it('knows a program of another kind on the port, one that does not answer, and a proxy that is not there', async () => {
    const other = await listen(createServer((_, response) => response.end('hello')));
    expect((await doctor(['--set', `server.port=${other}`])).out).toContain(
      `✗ server: what answers at http://127.0.0.1:${other} is no chat-kernel (200)\n`,
    );
    const deaf = await listen(createTcpServer(() => {}));
    const front = 'http://127.0.0.1:9';
    const { out } = await doctor(['--set', `server.port=${deaf}`, '--url', front]);
    expect(out).toContain(`✗ server: a program that does not answer holds http://127.0.0.1:${deaf}\n`);
    expect(out).toContain(`✗ proxy: ${front} can't be reached: `);
  });

  it('leaves a database as it was found, with nothing beside it', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const database = new DatabaseSync(join(data, 'chat-kernel.db'));
    database.exec('pragma journal_mode = wal; create table meta (key text, value text)');
    database.exec("insert into meta values ('schema_version', '1')");
    database.close();
    const { out } = await doctor(['--data', data, '--set', 'server.port=0']);
    expect(out).toContain('✓ database: ');
    expect(readdirSync(data)).toEqual(['chat-kernel.db']);
  });
});
