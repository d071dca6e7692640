/** The doctor as a program: its findings, and the advice it gives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { startKernelProcess } from '../../../test/harness/process.ts';
import { PROGRAM } from '../../../test/harness/program.ts';
import { startUpstream } from '../../../test/upstream/server.ts';

let folder: string;
beforeEach(() => {
  folder = directoryOfTest();
});
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function doctor(words: string[] = [], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, 'doctor', ...words], {
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

const users = () => [...new Set([userInfo().username, 'root'])].join(', ');

describe('chat-kernel doctor', () => {
  it('reports only a missing model provider on a fresh machine', async () => {
    const { out, err, code } = await doctor(['--set', 'server.port=0', '--set', 'tools.shell.sandbox=none']);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const data = join(folder, '.local/share/chat-kernel');
    expect(out.replace(/^✓ versions: .*\n/, '')).toBe(
      `✓ settings: no settings file; using the defaults
✓ data: ${data} will be created at the first start
✓ sandbox: none; commands of models have all permissions of this user
✓ skills: none
✓ database: The database ${join(data, 'chat-kernel.db')}: empty
! providers: only the demo model is available
    → set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, run Ollama, or configure llm.providers
✓ provider demo: 1 model, default demo/demo
✓ voice: no voice models; see docs/voice.md
✓ users: only ${users()} can connect (server.allowed_users)
✓ server: not tested, because it uses a free port at each start
1 warning.
`,
    );
  });

  it('lists every error in the settings with its position, and stops there', async () => {
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
          cure: 'see docs/settings.md for valid values',
        },
      ],
      code: 1,
    });
  });

  it('[WHO-7] warns about a settings file in the current folder', async () => {
    writeFileSync(join(folder, 'chat-kernel.yaml'), 'server: { port: x }');
    const { out, code } = await doctor(['--set', 'server.port=0']);
    expect(out).toContain(
      '✓ settings: no settings file; using the defaults\n! settings: ./chat-kernel.yaml is ignored',
    );
    expect(code).toBe(0);
  });

  it('warns about a settings file with a key, and about data, that other users can read', async () => {
    const path = settings({ llm: { providers: { mine: { kind: 'openai', api_key: 'sk-abcdef' } } } }, 0o644);
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const { out, code } = await doctor(['--data', data]);
    expect(out).toContain(`! data: other users can read ${data}\n    → chmod 700 ${data}\n`);
    expect(out).toContain(
      `! settings: ${path} contains a secret and is readable by other users\n    → chmod 600 ${path}\n`,
    );
    expect({ code, hidden: !out.includes('sk-abcdef') }).toEqual({ code: 0, hidden: true });
  });

  it('reports settings of modules that other users can read', async () => {
    const data = join(folder, 'data');
    mkdirSync(join(data, 'modules'), { recursive: true, mode: 0o700 });
    const [open, closed, other] = ['modules/mail.yaml', 'modules/web.yaml', 'other.yaml'].map(name =>
      join(data, name),
    );
    for (const path of [open, closed, other]) writeFileSync(path!, 'module: {}', { mode: 0o600 });
    for (const path of [open, other]) chmodSync(path!, 0o644);
    settings({ modules: { servers: { other: { command: 'node', args: ['--config', other] } } } });
    const { out, code } = await doctor(['--data', data]);
    for (const path of [open, other]) {
      expect(out).toContain(
        `✗ modules: ${path} is readable by other users, so its module does not start\n    → chmod 600 ${path}\n`,
      );
    }
    expect({ code, closed: out.includes(closed!) }).toEqual({ code: 1, closed: false });
  });

  it('reports which provider lacks its key, and the expected variable', async () => {
    settings({ llm: { providers: { mine: { kind: 'anthropic', api_key_env: 'MY_KEY' } } } });
    const { out, code } = await doctor();
    expect(out).toContain(
      '✗ providers: the provider mine has no key and cannot be used: MY_KEY is not set\n',
    );
    expect(out).toContain('✗ providers: no model is available\n');
    expect(out).toContain('→ set MY_KEY in the environment of the kernel\n');
    expect(code).toBe(1);
  });

  it('reports a failing provider with its address and one suggested action', async () => {
    const address = 'http://127.0.0.1:1/v1';
    const refusing = await listen(createServer((_, response) => response.writeHead(401).end('{}')));
    settings({
      llm: {
        providers: {
          local: { kind: 'openai-compatible', base_url: address },
          strict: { kind: 'openai-compatible', base_url: `http://127.0.0.1:${refusing}/v1`, api_key: 'k' },
        },
      },
    });
    const { out, code } = await doctor();
    expect(out).toContain(
      `✗ providers: the provider local did not list its models at ${address}: ECONNREFUSED\n` +
        `    → start the server at ${address}, or correct llm.providers.local.base_url\n`,
    );
    expect(out).toContain(
      `✗ providers: the provider strict did not list its models at http://127.0.0.1:${refusing}/v1: It answered 401.\n` +
        '    → correct the key of llm.providers.strict\n',
    );
    expect(out).not.toContain('set the variable');
    expect(code).toBe(1);
  });

  it('counts keys of the environment in addition to configured providers', async () => {
    const llm = { providers: { own: { kind: 'demo' } } };
    settings({ llm });
    expect((await doctor([], { ANTHROPIC_API_KEY: 'k' })).out).toMatch(/· provider anthropic: \d+ models/);
    settings({ llm: { ...llm, discover: false } });
    expect((await doctor([], { ANTHROPIC_API_KEY: 'k' })).out).not.toContain('provider anthropic');
  });

  it('shows the voice models, and the setting of a missing one', async () => {
    const local = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1' };
    const voices = { transcription_model: 'local/ear', speech_model: 'local/mouth' };
    const said = async (voice: Partial<typeof voices>) => {
      settings({ llm: { providers: { local } }, voice });
      return (await doctor()).out;
    };
    const { transcription_model, speech_model } = voices;
    expect(await said({ transcription_model })).toContain(
      '✓ voice: transcription: local/ear, speech: none (set voice.speech_model)\n',
    );
    expect(await said({ speech_model })).toContain(
      '✓ voice: transcription: none (set voice.transcription_model), speech: local/mouth\n',
    );
  });

  it('recognizes a database of a newer version, and a damaged one', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const path = join(data, 'chat-kernel.db');
    const database = new DatabaseSync(path);
    database.exec(
      "create table meta (key text, value text); insert into meta values ('schema_version', '999')",
    );
    database.close();
    expect((await doctor(['--data', data])).out).toMatch(
      /✗ database: The database \S+ has schema version 999; this program supports versions up to \d+\n {4}→ start the newer/,
    );
    writeFileSync(path, Buffer.alloc(8192, 'not a database '));
    const { out, code } = await doctor(['--data', data]);
    expect(out).toMatch(/✗ database: The database \S+ can't be read: file is not a database\.\n {4}→ /);
    expect(code).toBe(1);
  });

  it('counts damaged rows, and detects an index with missing rows', async () => {
    const data = join(folder, 'data');
    const kernel = await startKernelProcess({ dataDir: data });
    ends.push(() => kernel.kill());
    const [first, second] = [await kernel.api.newChat(), await kernel.api.newChat()];
    for (const { id } of [first, second]) await kernel.api.say(id, 'Hi.');
    const { messages } = (await kernel.api.get(`/v1/chats/${first.id}/messages`)).body;
    await kernel.stop();
    const path = join(data, 'chat-kernel.db');
    const change = (sql: string) => {
      const database = new DatabaseSync(path, { defensive: false });
      database.exec(sql);
      database.close();
    };
    expect((await doctor(['--data', data])).out).toMatch(/✓ database: The database \S+: schema \d+/);
    change(`update messages set content = '[{"type":"text","te' where id = '${messages[0].id}';
      update messages set content = '[{"type":"tExt","text":"x"}]' where id = '${messages[1].id}';
      update chats set plan = '[' where id = '${second.id}'`);
    const { out, code } = await doctor(['--data', data]);
    expect(out).toContain(
      `✗ database: The database ${path} has damaged rows: chats 1 (${second.id}); ` +
        `messages 2 (${messages[0].id}, ${messages[1].id})\n    → stop the server, copy the file`,
    );
    expect(code).toBe(1);
    // Rows that come while an index is not known are missing from it, which a quick check does not see.
    const database = new DatabaseSync(path);
    const { name } = database
      .prepare(
        "select name from sqlite_schema where type = 'index' and tbl_name = 'messages' and sql is not null",
      )
      .get() as { name: string };
    database.close();
    change(`pragma writable_schema = on; create table aside as select * from sqlite_schema where name = '${name}';
      delete from sqlite_schema where name = '${name}'`);
    change(`delete from messages where chat_id = '${second.id}'`);
    change('pragma writable_schema = on; insert into sqlite_schema select * from aside');
    expect((await doctor(['--data', data])).out).toMatch(/✗ database: The database \S+ is damaged: .*index/);
  });

  it('warns about a write-ahead log that cannot shrink', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const path = join(data, 'chat-kernel.db');
    const [writer, reader] = [new DatabaseSync(path), new DatabaseSync(path)];
    ends.push(() => writer.close());
    ends.push(() => reader.close());
    writer.exec('pragma journal_mode = wal; pragma synchronous = off; create table t (x)');
    reader.exec('begin; select * from t');
    for (let n = 0; n < 9; n++) writer.exec('insert into t values (zeroblob(8000000))');
    expect((await doctor(['--data', data])).out).toMatch(
      /! database: the write-ahead log of the database has \d+\.\d MiB and cannot shrink, because a program keeps reading/,
    );
  });

  it('tests a model with --call, and suggests a fix for an invalid key', async () => {
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
      /✓ provider mine: mine\/small answered; first token after \d+ ms\n/,
    );
    const body =
      '{"error":{"message":"Incorrect API key provided: sk-very-secret","code":"invalid_api_key"}}';
    upstream.next({ status: 401, error: { body } });
    const { out, code } = await doctor(['--call']);
    expect(out).toMatch(/✗ provider mine: mine\/small did not answer: .*\n {4}→ the key is invalid/);
    expect(out).not.toContain('sk-very-secret');
    expect(code).toBe(1);
  });

  it('finds the running kernel, and reports that it uses the database', async () => {
    const data = join(folder, 'data');
    const kernel = await startKernelProcess({ dataDir: data });
    ends.push(() => kernel.stop());
    const { out, code } = await doctor(['--data', data, '--set', `server.port=${new URL(kernel.url).port}`]);
    expect(out).toContain(', in use by a server\n');
    expect(out).toMatch(
      /✓ server: chat-kernel \S+ answers at \S+\n✓ server: streams arrive immediately \(\d+ ms\)\n/,
    );
    expect(code).toBe(0);
  });

  it('reports a running kernel at another address than the configured one, without contradictions', async () => {
    const data = join(folder, 'data');
    const kernel = await startKernelProcess({ dataDir: data });
    ends.push(() => kernel.stop());
    const free = await freePort();
    const { out } = await doctor(['--data', data, '--set', `server.port=${free}`]);
    expect(out).toContain(', in use by a server\n');
    expect(out).toContain(` answers at ${kernel.url}\n`);
    expect(out).not.toContain('no kernel');
  });

  it('detects another program on the port, one that does not answer, and an unreachable proxy', async () => {
    const other = await listen(createServer((_, response) => response.end('hello')));
    expect((await doctor(['--set', `server.port=${other}`])).out).toContain(
      `✗ server: the server at http://127.0.0.1:${other} is not chat-kernel (200)\n`,
    );
    const deaf = await listen(createTcpServer(() => {}));
    const front = 'http://127.0.0.1:9';
    const { out } = await doctor(['--set', `server.port=${deaf}`, '--url', front]);
    expect(out).toContain(`✗ server: a program that does not answer uses http://127.0.0.1:${deaf}\n`);
    expect(out).toContain(`✗ proxy: can't reach ${front}: `);
  });

  it('leaves the database and its folder unchanged', async () => {
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
