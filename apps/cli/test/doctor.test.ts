/** The findings of the doctor, and the advice it gives. */
import { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { createServer as createTcpServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { addRefusedUser, readRefusedUsers } from '@chat-kernel/settings/refused-users';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { startKernel } from '../../../test/harness/kernel.ts';
import { kernelOf } from '../../../test/harness/shared-kernel.ts';
import { held } from '../../../test/harness/story.ts';
import { startUpstream } from '../../../test/upstream/server.ts';
import packageJson from '../package.json' with { type: 'json' };
import { checkVersions } from '../src/doctor/doctor.ts';
import { runAsKernel } from './as-kernel.ts';
import { listen } from './listen.ts';
import { runInProcess } from './run-in-process.ts';

let folder: string;
beforeEach(() => {
  folder = directoryOfTest();
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const doctor = (words: string[] = [], env: Record<string, string> = {}) =>
  runInProcess(['doctor', ...words], folder, { env });
/** Writes a settings file without the sandbox, which needs a program. */
const settings = (tree: object, mode = 0o600) => {
  const path = join(folder, '.config/chat-kernel/config.yaml');
  mkdirSync(dirname(path), { recursive: true });
  const tools = { shell: { sandbox: 'none' } };
  writeFileSync(path, JSON.stringify({ server: { port: 0 }, tools, ...tree }));
  chmodSync(path, mode);
  return path;
};
/** Creates a private data directory. */
const dataDirectory = () => {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  return data;
};
const users = () => [...new Set([userInfo().username, 'root'])].join(', ');

it('reports only a missing model provider on a fresh machine', async () => {
  const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  const { out, err, code } = await doctor(['--set', 'server.port=0', '--set', 'tools.shell.sandbox=none']);
  expect({ err, code }).toEqual({ err: '', code: 0 });
  // The process can end.
  expect(ended).toHaveBeenCalledWith(begun.mock.results[0]?.value);
  const data = join(folder, '.local/share/chat-kernel');
  expect(out.replace(/, SQLite [\d.]+\n/, '\n')).toBe(
    `✓ versions: chat-kernel ${packageJson.version}, Node ${process.versions.node}
✓ settings: no settings file; using the defaults
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

it('reports an old Node, and a SQLite without full-text search', () => {
  const about = 'versions';
  expect([...checkVersions({ node: '23.9.9' })]).toEqual([
    {
      about,
      level: 'problem',
      says: expect.stringContaining('Node 23.9.9; Chat Kernel requires 24 '),
      cure: expect.any(String),
    },
    { about, level: 'ok', says: expect.any(String) },
  ]);
  expect([...checkVersions({ node: '24.0.0' })]).toMatchObject([{ about, level: 'ok' }]);
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    throw new Error('no such module: fts5');
  });
  const close = vi.spyOn(DatabaseSync.prototype, 'close');
  expect([...checkVersions()]).toEqual([
    {
      about,
      level: 'problem',
      says: expect.stringContaining('(no such module: fts5)'),
      cure: expect.any(String),
    },
  ]);
  expect(close).toHaveBeenCalledOnce();
});

describe('settings and folders', () => {
  it('lists every error in the settings with its position, and stops there', async () => {
    const path = settings({ server: { port: 'x', host: 3 } });
    const { out, code } = await doctor(['--json']);
    const [versions, ...rest] = JSON.parse(out);
    expect(out).toMatch(/^\[\n {2}\{\n {4}"/);
    const cure = 'see docs/settings.md for valid values';
    const finding = { about: 'settings', level: 'problem', cure };
    expect({ versions, rest, code }).toEqual({
      versions: { about: 'versions', level: 'ok', says: expect.stringContaining('SQLite') },
      rest: [
        { ...finding, says: `${path}:1:30: server.host: expected a text` },
        { ...finding, says: `${path}:1:19: server.port: expected a number` },
      ],
      code: 1,
    });
  });

  it('[WHO-7] warns about a settings file in the current folder', async () => {
    writeFileSync(join(folder, 'chat-kernel.yaml'), 'server: { port: x }');
    const { out, code } = await doctor(['--set', 'server.port=0', '--set', 'tools.shell.sandbox=none']);
    expect(out).toContain(
      '✓ settings: no settings file; using the defaults\n! settings: ./chat-kernel.yaml is ignored',
    );
    expect(code).toBe(0);
  });

  it('warns about a settings file with a key, and about data, that other users can read', async () => {
    const path = settings({ llm: { providers: { mine: { kind: 'openai', api_key: 'sk-abcdef' } } } }, 0o644);
    const data = dataDirectory();
    for (const mode of [0o755, 0o701]) {
      chmodSync(data, mode);
      const { out, code } = await doctor(['--data', data]);
      expect(out).toContain(`✓ settings: ${path}\n`);
      expect(out).toContain(`! data: other users can read ${data}\n    → chmod 700 ${data}\n`);
      expect(out).toContain(`✓ data: ${data} is writable\n`);
      expect(out).toContain(
        `! settings: ${path} contains a secret and is readable by other users\n    → chmod 600 ${path}\n`,
      );
      expect({ code, hidden: !out.includes('sk-abcdef') }).toEqual({ code: 0, hidden: true });
    }
    chmodSync(data, 0o700);
    chmodSync(path, 0o600);
    expect((await doctor(['--data', data])).out).not.toContain('other users');
  });

  it('reports settings of modules that other users can read', async () => {
    const data = join(folder, 'data');
    mkdirSync(join(data, 'modules'), { recursive: true, mode: 0o700 });
    const names = [
      'modules/mail.yaml',
      'modules/web.yaml',
      'modules/notes.txt',
      'a.yaml',
      'b.yaml',
      'c.yaml',
    ];
    const paths = names.map(name => join(data, name));
    for (const path of paths) writeFileSync(path, 'module: {}');
    for (const path of paths) chmodSync(path, path.endsWith('web.yaml') ? 0o600 : 0o644);
    const [mail, , , first, second, third] = paths;
    const servers = {
      a: { command: 'node', args: ['--config', first, 'data'] },
      b: { command: 'node', args: [`--config=${second}`], env: { MODULE_CONFIG: 'data/c.yaml' } },
      // Another flag of the same length, with a file that is not of a module.
      c: {
        command: 'node',
        args: ['--other=xdata/modules/notes.txt'],
        env: { MODULE_CONFIG: 'missing.yaml' },
      },
    };
    settings({ modules: { servers } });
    const { out, code } = await doctor(['--data', data]);
    expect(out.match(/✗ modules: .*\n.*\n/g)).toEqual(
      [mail, first, second, third].map(
        path =>
          `✗ modules: ${path} is readable by other users, so its module does not start\n    → chmod 600 ${path}\n`,
      ),
    );
    expect(out).toMatch(/\n4 problems, 1 warning\.\n$/);
    expect(code).toBe(1);
  });

  it('reports a data directory that cannot be used', async () => {
    settings({});
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const about = async (data: string) =>
      (await doctor(['--data', data])).out.match(/. data: .*\n(?: +→.*\n)?/g)?.join('');
    expect(await about(file)).toBe(
      `✗ data: ${file} is not a directory\n    → choose another one with --data, or data_dir in the settings\n`,
    );
    expect(await about(join(file, 'data'))).toMatch(
      `✗ data: can't access ${join(file, 'data')}: ENOTDIR: not a directory`,
    );
    const access = vi.spyOn(promises, 'access').mockRejectedValue(new Error('EACCES'));
    syncBuiltinESMExports();
    const advice = '    → change its owner (chown), or choose another directory with --data\n';
    expect(await about(join(folder, 'no/such'))).toBe(
      `✗ data: this user can't write to ${folder}\n${advice}`,
    );
    expect(access).toHaveBeenCalledWith(folder, 0b011);
  });

  it('warns about a disk with less than 1 GiB', async () => {
    settings({});
    const data = dataDirectory();
    const free = (bavail: number) => {
      vi.spyOn(promises, 'statfs').mockResolvedValue({ bavail, bsize: 1024 } as never);
      syncBuiltinESMExports();
      return doctor(['--data', data]);
    };
    expect((await free(1023 * 1024)).out).toContain(
      `! data: only 1023 MiB free on the disk of ${data}\n    → free`,
    );
    expect((await free(1024 * 1024)).out).not.toContain('MiB free');
  });

  it('lists skills, and warns about invalid ones', async () => {
    settings({});
    const skills = join(folder, '.config/chat-kernel/skills');
    for (const name of ['bread', 'cake', 'torn']) mkdirSync(join(skills, name), { recursive: true });
    for (const name of ['bread', 'cake'])
      writeFileSync(join(skills, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Bakes.\n---\nBake.`);
    writeFileSync(join(skills, 'torn/SKILL.md'), 'Bake.');
    const { out } = await doctor();
    expect(out).toContain('✓ skills: bread, cake\n');
    expect(out).toMatch(/! skills: \S+torn\S* is skipped: .+\n {4}→ see docs\/memory\.md/);
  });
});

describe('providers', () => {
  it('reports which provider lacks its key, and the expected variable', async () => {
    settings({ llm: { providers: { mine: { kind: 'anthropic', api_key_env: 'MY_KEY' } } } });
    const { out, code } = await doctor();
    expect(out).toContain(
      '✗ providers: the provider mine has no key and cannot be used: MY_KEY is not set\n    → set MY_KEY in the environment of the kernel\n' +
        '✗ providers: no model is available\n    → fix one of the providers above\n✓ voice',
    );
    expect(code).toBe(1);
    const base_url = `${await listen((_, response) => response.end('{"data":[]}'))}/v1`;
    settings({ llm: { providers: { mine: { kind: 'openai-compatible', base_url } } } });
    expect((await doctor()).out).toMatch(/✗ providers: no model is available\n {4}→ set the key/);
    settings({ llm: { default_model: 'no/such' } });
    expect((await doctor()).out).toMatch(
      /✗ providers: llm\.default_model is no\/such.*\n {4}→ choose a model of the list, or remove the setting\n✓ users/,
    );
  });

  it('reports a failing provider with its address and one suggested action', async () => {
    const address = 'http://127.0.0.1:1/v1';
    const refusing = await listen((_, response) => response.writeHead(401).end('{}'));
    settings({
      llm: {
        providers: {
          local: { kind: 'openai-compatible', base_url: address },
          strict: { kind: 'openai-compatible', base_url: `${refusing}/v1`, api_key: 'k' },
        },
      },
    });
    const { out, code } = await doctor();
    expect(out).toContain(
      `✗ providers: the provider local did not list its models at ${address}: ECONNREFUSED\n` +
        `    → start the server at ${address}, or correct llm.providers.local.base_url\n`,
    );
    expect(out).toContain(
      `✗ providers: the provider strict did not list its models at ${refusing}/v1: It answered 401.\n` +
        '    → correct the key of llm.providers.strict\n',
    );
    expect(out).not.toContain('set the variable');
    expect(code).toBe(1);
  });

  it('counts keys of the environment in addition to configured providers', async () => {
    const llm = { providers: { own: { kind: 'demo' } } };
    settings({ llm });
    const { out } = await doctor([], { ANTHROPIC_API_KEY: 'k' });
    expect(out).toMatch(
      /· provider anthropic: \d+ models; not tested \(use --call\)\n✓ provider own: 1 model, default own\/demo\n/,
    );
    expect(out).not.toContain('only the demo model');
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

  it('tests the default model with --call, and suggests a fix for each error', async () => {
    const upstream = await startUpstream();
    onTestFinished(() => upstream.close());
    settings({
      llm: {
        default_model: 'mine/small',
        providers: {
          mine: { kind: 'openai', base_url: `${upstream.url}/v1`, api_key: 'sk-very-secret' },
          other: { kind: 'demo', api_key: 'second-hidden' },
        },
        models: [{ id: 'mine/large' }, { id: 'mine/small', efforts: ['low', 'high'] }],
      },
    });
    const { reply, go } = held({ text: 'ok' });
    upstream.next(reply);
    const began = performance.now();
    const checked = doctor(['--call']);
    // The time of the first token begins with the request, which a busy machine sends late.
    await expect.poll(() => upstream.requests.length, { interval: 1 }).toBe(1);
    setTimeout(go, 50);
    const answered = (await checked).out;
    const ms = /✓ provider mine: mine\/small answered; first token after (\d+) ms\n/.exec(answered)?.[1];
    expect(Number(ms)).toBeGreaterThan(10);
    expect(Number(ms)).toBeLessThanOrEqual(Math.ceil(performance.now() - began));
    expect(upstream.requests.at(-1)?.body).toMatchObject({
      model: 'small',
      reasoning: { effort: 'low' },
      max_output_tokens: 256,
      prompt_cache_key: 'doctor',
    });
    const body =
      '{"error":{"message":"Incorrect API key provided: sk-very-secret (not second-hidden)","code":"invalid_api_key"}}';
    upstream.next({ status: 401, error: { body } });
    const { out, code } = await doctor(['--call']);
    expect(out).toMatch(
      /✗ provider mine: mine\/small did not answer: .*provided: \*\*\* \(not \*\*\*\)\S*\n {4}→ the key is invalid/,
    );
    expect(out).not.toMatch(/sk-very-secret|second-hidden/);
    expect(code).toBe(1);
  });
});

describe('the database', () => {
  it('recognizes an older, a newer, a lost and a damaged one, and changes nothing', async () => {
    settings({});
    const data = dataDirectory();
    const path = join(data, 'chat-kernel.db');
    const database = new DatabaseSync(path);
    const said = async (schema: number) => {
      database.exec(`pragma journal_mode = wal; create table if not exists meta (key text primary key, value text);
        replace into meta values ('schema_version', '${schema}'); pragma journal_mode = delete`);
      return (await doctor(['--data', data])).out;
    };
    expect(await said(999)).toMatch(
      /✗ database: The database \S+ has schema version 999; this program supports versions up to \d+\n {4}→ start the newer/,
    );
    expect(await said(1)).toMatch(
      /✓ database: The database \S+: schema 1, upgraded to \d+ at the next start, 0\.0 MiB\n/,
    );
    expect(readdirSync(data)).toEqual(['chat-kernel.db']);
    database.close();
    truncateSync(path);
    mkdirSync(join(data, 'files/x'), { recursive: true });
    expect((await doctor(['--data', data])).out).toContain(
      `✗ database: The database ${path} is missing or empty, but ${data} was used before: it holds files/\n    → put the file back`,
    );
    writeFileSync(path, Buffer.alloc(8192, 'not a database '));
    const { out, code } = await doctor(['--data', data]);
    expect(out).toMatch(
      /✗ database: The database \S+ can't be read: file is not a database\.\n {4}→ check the owner of the file/,
    );
    expect(code).toBe(1);
  });

  it('reports a database server that does not answer', async () => {
    vi.spyOn(pg.Client.prototype, 'connect').mockRejectedValue(new Error('No connection.'));
    settings({ database: { url: 'postgres://127.0.0.1:1/none' } });
    expect((await doctor()).out).toMatch(/✗ database: .*\n {4}→ check that the database server is running/);
  });

  it('counts damaged rows, and detects an index with missing rows', async () => {
    settings({});
    const data = dataDirectory();
    const kernel = await startKernel({ dataDir: data });
    const [first, second] = [await kernel.api.newChat(), await kernel.api.newChat()];
    for (const { id } of [first, second, second, second]) await kernel.api.say(id, 'Hi.');
    const { messages } = (await kernel.api.get(`/v1/chats/${first.id}/messages`)).body;
    expect((await doctor(['--data', data])).out).toMatch(
      /✓ database: The database \S+: schema \d+, \d\.\d MiB, in use by a server\n/,
    );
    await kernel.stop();
    const path = join(data, 'chat-kernel.db');
    const change = (sql: string) => {
      const database = new DatabaseSync(path, { defensive: false });
      database.exec(sql);
      database.close();
    };
    const said = async () => (await doctor(['--data', data])).out;
    expect(await said()).toMatch(/✓ database: The database \S+: schema \d+, \d\.\d MiB\n/);
    change(`update chats set plan = '[' where id = '${second.id}'`);
    expect(await said()).toContain(`has damaged rows: chats 1 (${second.id})\n`);
    change(`update messages set content = '[{"type":"text","te' where id = '${messages[0].id}';
      update messages set content = '[{"type":"tExt","text":"x"}]' where id = '${messages[1].id}'`);
    expect(await said()).toContain(
      `✗ database: The database ${path} has damaged rows: chats 1 (${second.id}); ` +
        `messages 2 (${messages[0].id}, ${messages[1].id})\n    → stop the server, copy the file`,
    );
    change("update messages set content = ''");
    expect(await said()).toMatch(/; messages 8 \(([\w-]+, ){5}…\)\n/);
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
    expect(await said()).toMatch(/✗ database: The database \S+ is damaged: .*index.*\n {4}→ stop the server/);
  });

  it('warns about a write-ahead log of more than 64 MiB', async () => {
    settings({});
    const log = join(dataDirectory(), 'chat-kernel.db-wal');
    const said = async (size: number) => {
      writeFileSync(log, '');
      truncateSync(log, size);
      return (await doctor(['--data', dirname(log)])).out;
    };
    expect(await said(64 * 1024 ** 2)).not.toContain('write-ahead');
    expect(await said(64.5 * 1024 ** 2)).toContain(
      '! database: the write-ahead log of the database has 64.5 MiB and cannot shrink, because a program keeps reading\n    → close',
    );
  });
});

describe('users', () => {
  const said = async (server: object) => {
    settings({ server: { port: 0, ...server } });
    return (await doctor()).out.match(/. users: .*\n(?: +→.*\n)?/g)?.join('');
  };

  it('says who can connect', async () => {
    expect(await said({ allowed_users: [] })).toBe(
      `✓ users: only ${users()} can connect (server.allowed_users)\n`,
    );
    expect(await said({ behind_proxy: true })).toBe(
      '! users: every user of this machine can use the kernel\n' +
        '    → on Linux, set server.behind_proxy: false, and name the user of the proxy in server.allowed_users\n',
    );
    expect(await said({ behind_proxy: true, host: '0.0.0.0' })).toBe(
      '✓ users: all who can reach the port, which the proxy guards\n',
    );
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
    expect(await said({})).toContain('    → give no one else an account on this machine\n');
  });

  it('names refused users that the settings do not allow', async () => {
    const answers: Record<string, string> = { '-u -- proxy': '13', '-nu -- 1000': 'ann' };
    // The program `id`.
    const spawn = function (this: ChildProcess, { args }: { args: string[] }) {
      const answer = answers[args.slice(1).join(' ')];
      Object.assign(this, { stdout: Readable.from([answer ?? '']), stderr: Readable.from([]) });
      setImmediate(() => this.emit('close', answer === undefined ? 1 : 0, null));
    };
    vi.spyOn(ChildProcess.prototype as unknown as { spawn: typeof spawn }, 'spawn').mockImplementation(spawn);
    const data = join(folder, '.local/share/chat-kernel');
    mkdirSync(data, { recursive: true });
    for (const uid of [13, 1000, 1001]) addRefusedUser(data, uid);
    const [, ...refused] = readRefusedUsers(data);
    const cure = 'if this is your proxy or another program of yours, add its user to server.allowed_users';
    const names = ['ann', 'the user id 1001'];
    expect(await said({ allowed_users: ['proxy'] })).toBe(
      `✓ users: only ${users()}, proxy can connect (server.allowed_users)\n` +
        refused
          .map(
            ({ at }, n) =>
              `! users: the kernel refused a connection of ${names[n]} at ${at}\n    → ${cure}\n`,
          )
          .join(''),
    );
  });
});

describe('the way to the kernel', () => {
  const proxy = async (listener: RequestListener, ...words: string[]) => {
    settings({});
    const url = await listen(listener);
    const { out } = await doctor(['--url', `${url}//`, ...words]);
    return { url, said: out.slice(out.indexOf('free port at each start\n') + 24).replace(/\d+ .*\n$/, '') };
  };
  const stats = (more: object = {}) => JSON.stringify({ version: packageJson.version, modules: {}, ...more });

  it('finds the running kernel, also at another address than the configured one', async () => {
    const data = dataDirectory();
    const kernel = await kernelOf({ dataDir: data });
    const said = async (port: string) => {
      settings({ server: { port: Number(port) } });
      return (await doctor(['--data', data])).out;
    };
    const answers = new RegExp(
      `\n✓ server: chat-kernel \\S+ answers at ${kernel.url}\n✓ server: streams arrive immediately \\(\\d+ ms\\)\n1 warning`,
    );
    expect(await said(new URL(kernel.url).port)).toMatch(answers);
    runAsKernel(data, { url: kernel.url });
    expect(await said('1')).toMatch(answers);
    const gone = `http://127.0.0.1:${await freePort()}`;
    runAsKernel(data, { url: gone });
    expect(await said('0')).toMatch(
      `✗ server: the running kernel does not answer at ${gone}: ECONNREFUSED\n    → see its log`,
    );
    runAsKernel(data);
    expect(await said('0')).toContain('✓ server: the server is starting\n');
  });

  it('detects a free address, another program on it, one that does not answer, and one that cannot be used', async () => {
    const said = async (port: number | string, ...words: string[]) => {
      settings({ server: { port: Number(port) } });
      return (await doctor(words)).out.match(/. server: .*\n(?: +→.*\n)?/g)?.join('');
    };
    const other = await listen((_, response) => response.end('hello'));
    const { port } = new URL(other);
    expect(await said(port)).toBe(
      `✗ server: the server at ${other} is not chat-kernel (200)\n    → choose another --port, or stop that program\n`,
    );
    const silent = createTcpServer(socket => socket.destroy());
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
    const busy = (silent.address() as { port: number }).port;
    expect(await said(busy)).toBe(
      `✗ server: a program that does not answer uses http://127.0.0.1:${busy}\n    → choose another --port, or stop it\n`,
    );
    await new Promise(resolve => silent.close(resolve));
    for (const _ of [1, 2])
      expect(await said(busy)).toBe(
        `✓ server: no kernel answers at http://127.0.0.1:${busy}; the address is free\n`,
      );
    vi.spyOn(Object.getPrototypeOf(silent), 'listen').mockImplementation(function (this: typeof silent) {
      return this.emit('error', Object.assign(new Error(), { code: 'EACCES' })) as never;
    });
    expect(await said(busy)).toBe(
      `✗ server: can't listen on http://127.0.0.1:${busy} (EACCES)\n    → choose another --host or --port\n`,
    );
  });

  it('tests the proxy of --url, else of the settings, with the token', async () => {
    const seen: unknown[] = [];
    const closed = vi.fn();
    const answer: RequestListener = ({ url, headers }, response) => {
      seen.push([url, headers['x-service-token']]);
      if (url === '/v1/stats')
        response.end(stats({ version: '0.0.1', modules: { web: 'down', mail: 'up' } }));
      else {
        response.on('close', closed);
        response.setHeader('content-type', 'text/event-stream').write(': hello\n\n');
      }
    };
    const { url, said } = await proxy(answer, '--token', 'tok');
    expect(said).toMatch(
      new RegExp(`^✓ proxy: chat-kernel 0\\.0\\.1 answers at ${url}
! proxy: this program is ${packageJson.version}
    → restart the server after an update
! module web: it is down
    → see the server log
✓ proxy: streams arrive immediately \\(\\d+ ms\\)
$`),
    );
    expect(Number(/(\d+) ms/.exec(said)?.[1])).toBeLessThan(performance.now());
    await expect.poll(() => closed.mock.calls.length).toBe(1);
    expect(seen).toEqual([
      ['/v1/stats', 'tok'],
      ['/v1/events', 'tok'],
    ]);
    settings({ server: { port: 0, public_url: url } });
    expect((await doctor([], { CHAT_KERNEL_TOKEN: 'env' })).out).toContain(`answers at ${url}\n`);
    expect(seen.at(-1)).toEqual(['/v1/events', 'env']);
  });

  it('[WIRE-7] names the tools that a model does not get, also of a kernel that lists only some of them', async () => {
    const bodies: Record<string, string> = {
      '/v1/stats': stats(),
      '/v1/guests': '{"guests":[{"name":"desk","problems":["a/b does not get mcp_desk_echo: too long."]}]}',
      '/v1/modules': '{"modules":[{"name":"web"}]}',
      '/v1/events': ': hello\n\n',
    };
    const kernel = await listen(({ url = '' }, response) => {
      if (url === '/v1/events') response.setHeader('content-type', 'text/event-stream');
      response.end(bodies[url]);
    });
    settings({ server: { port: Number(new URL(kernel).port) } });
    expect((await doctor()).out).toContain(
      `answers at ${kernel}
! MCP server desk: a/b does not get mcp_desk_echo: too long.
    → correct the tool, choose another model, or turn off tools that you do not need in tools.policy
✓ server: streams arrive`,
    );
  });

  it.each([
    [401, [], 'pass --token, or set CHAT_KERNEL_TOKEN'],
    [403, ['--token', 'tok'], 'check that --token matches the configuration of the proxy'],
  ])('explains a proxy that answers %i', async (status, words, cure) => {
    const { url, said } = await proxy((_, response) => response.writeHead(status).end(stats()), ...words);
    expect(said).toBe(`✗ proxy: ${url} requires a token (${status})\n    → ${cure}\n`);
  });

  it.each([
    [502, stats()],
    [200, '{"version":3}'],
  ])('does not take an answer with %i %s for one of a kernel', async (status, body) => {
    const { url, said } = await proxy((_, response) => response.writeHead(status).end(body));
    expect(said).toMatch(`✗ proxy: the server at ${url} is not chat-kernel (${status})\n`);
  });

  it('explains an unreachable proxy, one that changes streams, and one that buffers them', async () => {
    settings({});
    const front = `http://127.0.0.1:${await freePort()}/`;
    expect((await doctor(['--url', front])).out).toContain(
      `✗ proxy: can't reach ${front}: ECONNREFUSED\n    → check that the proxy is running`,
    );
    const last = async (listener: RequestListener) =>
      (
        await proxy((request, response) => {
          if (request.url === '/v1/stats') response.end(stats());
          else listener(request, response);
        })
      ).said.replace(/^✓.*\n/, '');
    expect(await last((_, response) => response.setHeader('content-type', 'text/html').end('x'))).toBe(
      '✗ proxy: its streams are not event streams\n    → check that nothing rewrites its responses\n',
    );
    expect(await last((_, response) => response.destroy())).toMatch(
      /^✗ proxy: (UND_ERR_SOCKET|ECONNRESET)\n {4}→ disable buffering/,
    );
    const late = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(
      ms => (ms === 3000 ? late : new AbortController()).signal,
    );
    const buffers: RequestListener = (_, response) => {
      response.setHeader('content-type', 'text/event-stream').flushHeaders();
      setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), 50);
    };
    expect(await last(buffers)).toMatch(
      '✗ proxy: streams do not arrive within 3 s, because something buffers them\n    → disable buffering',
    );
  });
});
