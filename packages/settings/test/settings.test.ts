/** Tests settings: their sources, their precedence, and the error messages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingLeaves } from '../src/leaves.ts';
import { type LoadedSettings, loadSettings } from '../src/load.ts';
import type { Flags } from '../src/overrides.ts';
import { variableName } from '../src/overrides.ts';
import type { SettingsError } from '../src/settings-error.ts';
import { explain } from '../src/start-failure.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  home = join(folder, 'home');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string, path = join(home, '.config/chat-kernel/config.yaml')): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const load = (flags: Flags = {}, environment: Record<string, string> = {}): Promise<LoadedSettings> =>
  loadSettings({ flags, environment, cwd: folder, home });
async function mistakes(
  flags: Flags = {},
  environment: Record<string, string> = {},
): Promise<readonly string[]> {
  const error = await load(flags, environment).then(
    () => undefined,
    (thrown: SettingsError) => thrown,
  );
  return (error?.lines ?? ['it loaded']).map(line =>
    line.replaceAll(join(home, '.config/chat-kernel'), '').replaceAll(folder, ''),
  );
}

describe('the source of settings', () => {
  it('uses the defaults without a file', async () => {
    const { settings, file, warnings } = await load();
    expect({ file, warnings }).toEqual({ file: null, warnings: [] });
    expect(settings).toEqual({ ...Settings.parse({}), data_dir: join(home, '.local/share/chat-kernel') });
  });

  it('reads --config before CHAT_KERNEL_CONFIG before the file in the home directory', async () => {
    const port = (number: number) => `server: { port: ${number} }`;
    write(port(3));
    expect((await load()).settings.server.port).toBe(3);
    const environment = { CHAT_KERNEL_CONFIG: write(port(2), join(folder, 'env.yaml')) };
    expect((await load({}, environment)).settings.server.port).toBe(2);
    write(port(1), join(folder, 'flag.yaml'));
    const { settings, file, places } = await load({ config: 'flag.yaml' }, environment);
    expect({ port: settings.server.port, file }).toEqual({ port: 1, file: join(folder, 'flag.yaml') });
    expect(places).toEqual([
      join(folder, 'flag.yaml'),
      join(folder, 'env.yaml'),
      join(home, '.config/chat-kernel'),
    ]);
  });

  it('[WHO-7] ignores a settings file in the current folder, with a warning', async () => {
    const own = write('server: { port: 1 }', join(folder, 'chat-kernel.yaml'));
    const { settings, file, warnings } = await load();
    expect({ port: settings.server.port, file }).toEqual({ port: 8787, file: null });
    expect(warnings).toEqual([
      './chat-kernel.yaml is ignored, because the current folder may be untrusted. If it is yours, pass --config ' +
        `chat-kernel.yaml or move it to ${join(home, '.config/chat-kernel/config.yaml')}.`,
    ]);
    expect(await load({ config: 'chat-kernel.yaml' })).toMatchObject({ file: own, warnings: [] });
    expect(await load({}, { CHAT_KERNEL_CONFIG: own })).toMatchObject({ file: own, warnings: [] });
  });

  it('lets flags override the environment and the environment override the file', async () => {
    write('server: { host: 127.0.0.2, port: 1 }\nllm: { reasoning: off, max_steps: 7 }');
    const environment = {
      CHAT_KERNEL_SERVER_PORT: '2',
      CHAT_KERNEL_LLM_REASONING: 'mid',
      CHAT_KERNEL_DATA: '/env',
    };
    const { settings } = await load({ port: '3', data: '/flag', set: ['llm.reasoning=high'] }, environment);
    expect(settings.server).toMatchObject({ host: '127.0.0.2', port: 3 });
    expect(settings.llm).toMatchObject({ reasoning: 'high', max_steps: 7 });
    expect(settings.data_dir).toBe('/flag');
  });

  it('parses every kind of value from text', async () => {
    const { settings } = await load(
      {
        set: [
          'llm.providers.mine.kind=openai',
          'llm.models=[{"id":"mine/a"}]',
          'server.cors_origins=["https://a.example"]',
        ],
      },
      {
        CHAT_KERNEL_SERVER_BEHIND_PROXY: 'true',
        CHAT_KERNEL_SERVER_ALLOWED_HOSTS: 'a.example, b.example',
        CHAT_KERNEL_SERVER_PUBLIC_URL: 'null',
        CHAT_KERNEL_COMPACTION_AT: '0.5',
        CHAT_KERNEL_LLM_DEFAULT_MODEL: 'mine/a',
        CHAT_KERNEL_DATABASE_URL: '',
      },
    );
    expect(settings.server).toMatchObject({
      behind_proxy: true,
      allowed_hosts: ['a.example', 'b.example'],
      public_url: null,
      cors_origins: ['https://a.example'],
    });
    expect(settings.compaction.at).toBe(0.5);
    expect(settings.llm).toMatchObject({ default_model: 'mine/a', models: [{ id: 'mine/a' }] });
    expect(settings.llm.providers.mine?.kind).toBe('openai');
    expect(settings.database.url).toBeNull();
  });

  it('has a variable for every setting', () => {
    const names = settingLeaves().map(({ path }) => variableName(path));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('CHAT_KERNEL_SERVER_SHUTDOWN_GRACE_SECS');
    expect(names).toContain('CHAT_KERNEL_DATA_DIR');
  });

  it('makes paths absolute: from home for ~, from its folder for the file, from the current folder for a flag', async () => {
    const config = write(
      'data_dir: data\nmodules: { socket_dir: ~/sockets, servers: { a: { socket: a.sock } } }\ntools: { trusted_projects: [~/own, here] }',
      join(folder, 'etc/k.yaml'),
    );
    const { settings } = await load({ config });
    expect(settings.data_dir).toBe(join(folder, 'etc/data'));
    expect(settings.tools.trusted_projects).toEqual([join(home, 'own'), join(folder, 'etc/here')]);
    expect(settings.modules).toEqual({
      socket_dir: join(home, 'sockets'),
      shipped: [],
      servers: { a: { socket: join(folder, 'etc/a.sock') } },
    });
    expect((await load({ config, data: 'here' })).settings.data_dir).toBe(join(folder, 'here'));
    const { modules } = (await load({ config, set: ['modules.socket_dir=here'] })).settings;
    expect(modules.socket_dir).toBe(join(folder, 'here'));
  });

  it('treats an empty file and an empty section as unset', async () => {
    write('server:\nllm:\n  # reasoning: high\n');
    expect((await load()).settings.llm.reasoning).toBe('low');
    write('# nothing yet\n');
    expect((await load()).settings.server.port).toBe(8787);
  });
});

describe('errors', () => {
  it('shows line and column of each wrong value, all of them together', async () => {
    write(
      'server:\n  port: 99999\n  behind_proxy: maybe\nllm:\n  reasoning: hihg\n  models:\n    - id: nameless\n',
    );
    expect(await mistakes()).toEqual([
      '/config.yaml:2:9: server.port: expected at most 65535',
      '/config.yaml:3:17: server.behind_proxy: expected true or false',
      '/config.yaml:5:14: llm.reasoning: expected one of off, low, mid, high',
      '/config.yaml:7:11: llm.models.0.id: expected provider/name',
    ]);
  });

  it('suggests the nearest key for an unknown one, or all keys', async () => {
    write('sever: {}\nserver:\n  prot: 1\n  zzzzzzzz: 1\n');
    expect(await mistakes()).toEqual([
      '/config.yaml:3:3: server.prot: unknown setting, did you mean "port"?',
      '/config.yaml:4:3: server.zzzzzzzz: unknown setting, expected one of host, port, public_url, advertise_url, name, allowed_hosts, cors_origins, behind_proxy, allowed_users, shutdown_grace_secs',
      '/config.yaml:1:1: sever: unknown setting, did you mean "server"?',
    ]);
    write('server:\n  pxrx: 1\n');
    expect(await mistakes()).toEqual([
      expect.stringMatching(/^\/config\.yaml:2:3: server\.pxrx: unknown setting, expected one of host, port/),
    ]);
  });

  it('shows a missing key at its parent', async () => {
    write('llm:\n  providers:\n    mine:\n      base_url: https://a.example\n');
    expect(await mistakes()).toEqual([
      '/config.yaml:4:7: llm.providers.mine.kind: missing, expected one of openai, openai-compatible, anthropic, google, ai-sdk, demo',
    ]);
  });

  it('shows the line of a YAML error, but not its text', async () => {
    write('server:\n  port: 1\n  port: 2\nllm: { providers: [ "sk-secret" }\n');
    const lines = await mistakes();
    expect(lines).toContain('/config.yaml:3:3: Map keys must be unique');
    expect(lines.join()).toMatch(/config\.yaml:4:\d+: /);
    expect(lines.join()).not.toContain('sk-secret');
    write('- a\n- b\n');
    expect(await mistakes()).toEqual(['/config.yaml:1:1: expected settings such as "server:"']);
  });

  it('reports that a requested file is missing', async () => {
    expect(await mistakes({ config: 'gone.yaml' })).toEqual(['/gone.yaml: cannot read the file (ENOENT)']);
  });

  it('names the variable or the flag of a wrong value', async () => {
    write('server: { port: 1 }');
    const flags = {
      host: '0.0.0.0',
      set: [
        'llm.resoning=high',
        'compaction.at=7',
        'server.port',
        '=1',
        'x=1',
        'server.port=x',
        'llm.max_steps= ',
      ],
    };
    const environment = { CHAT_KERNEL_SERVER_BEHIND_PROXY: 'maybe', CHAT_KERNEL_LLM_REASONING: 'much' };
    expect(await mistakes(flags, environment)).toEqual([
      'CHAT_KERNEL_SERVER_BEHIND_PROXY: server.behind_proxy: expected true or false',
      '--set llm.resoning: unknown setting, did you mean "llm.reasoning"?',
      '--set: expected path=value, such as server.port=8787',
      '--set: expected path=value, such as server.port=8787',
      '--set x: unknown setting',
      '--set server.port: server.port: expected a number',
      '--set llm.max_steps: llm.max_steps: expected a number',
      'CHAT_KERNEL_LLM_REASONING: llm.reasoning: expected one of off, low, mid, high',
      '--set compaction.at: compaction.at: expected at most 1',
    ]);
  });

  it('never shows the value of a secret', async () => {
    write('database: { url: mysql://u:hush@db }\nllm: { providers: { a: { kind: demo, api_key: [hush] } } }');
    const lines = await mistakes({}, { CHAT_KERNEL_LLM_PROVIDERS: '{"a": hush}' });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('hush');
    expect(lines[1]).toBe('/config.yaml:1:18: database.url: expected postgres://...');
  });

  it('rejects an address other than loopback without a proxy [AUTH-4]', async () => {
    write('server:\n  host: 0.0.0.0\n');
    expect((await mistakes())[0]).toMatch(
      /^\/config\.yaml:2:9: server\.host: expected a loopback address .*behind_proxy/,
    );
    expect((await load({ set: ['server.behind_proxy=true'] })).settings.server.host).toBe('0.0.0.0');
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect((await load({ host })).settings.server.host).toBe(host);
    }
  });

  it('[WHO-7] accepts hosts that commands may reach, and rejects invalid ones', async () => {
    write('tools: { shell: { network: [registry.npmjs.org, "*.github.com"] } }');
    expect((await load()).settings.tools.shell.network).toEqual(['registry.npmjs.org', '*.github.com']);
    const set = async (value: string) =>
      (await load({ set: [`tools.shell.network=${value}`] })).settings.tools.shell.network;
    expect(await set('off')).toBe('off');
    expect(await set('["example.org"]')).toEqual(['example.org']);
    expect(await set('example.org, *.example.net')).toEqual(['example.org', '*.example.net']);
    for (const network of [
      '["https://example.org"]',
      '["*"]',
      '["a.*"]',
      '["[::1]"]',
      '[]',
      'some',
      'true',
    ]) {
      write(`tools:\n  shell:\n    network: ${network}\n`);
      expect((await mistakes())[0]).toMatch(/^\/config\.yaml:3:1\d: tools\.shell\.network\S*: expected /);
    }
  });

  it('rejects a cap of zero, and an unknown time zone', async () => {
    write('sleep:\n  timezone: Mars/Olympus\nspend:\n  per_day: { usd: 0 }\n');
    expect((await mistakes())[0]).toMatch(/^\/config\.yaml:4:19: spend\.per_day\.usd: expected/);
    write('sleep:\n  timezone: Mars/Olympus\n');
    expect(await mistakes()).toEqual([
      expect.stringMatching(/^\/config\.yaml:2:13: sleep\.timezone: expected the name of a time zone/),
    ]);
  });

  it('rejects a bundled module that modules.servers has too', async () => {
    write('modules:\n  shipped: [mail, web]\n  servers: { web: { socket: a.sock } }\n');
    expect(await mistakes()).toEqual([
      expect.stringMatching(/^\/config\.yaml:2:19: modules\.shipped\.1: expected a module that is not in/),
    ]);
  });

  it('rejects a notification with a login in its address, and fields that its kind does not use', async () => {
    write(
      [
        'notify:',
        '  - url: https://me:hush@push.example',
        '  - command: [""]',
        '  - { command: [x], format: ntfy }',
        '  - {}',
        '  - { url: "https://push.example", format: ntfy }',
        '',
      ].join('\n'),
    );
    expect(await mistakes()).toEqual([
      expect.stringMatching(/^\/config\.yaml:2:10: notify\.0\.url: expected an address without a login/),
      expect.stringMatching(/^\/config\.yaml:3:15: notify\.1\.command\.0: expected the name of a program/),
      expect.stringMatching(/^\/config\.yaml:4:5: notify\.2: expected no headers or format with command/),
      expect.stringMatching(/^\/config\.yaml:5:5: notify\.3: expected either command/),
    ]);
  });

  it('rejects an origin that no browser would send', async () => {
    write('server:\n  cors_origins: ["https://a.example", "*", "https://b.example/path"]\n');
    expect(await mistakes()).toEqual([
      expect.stringMatching(/^\/config\.yaml:2:39: server\.cors_origins\.1: expected an origin/),
      expect.stringMatching(/^\/config\.yaml:2:44: server\.cors_origins\.2: expected an origin/),
    ]);
  });
});

describe('a failed start', () => {
  it.each(['EACCES', 'EADDRNOTAVAIL'])('is explained in one line without a stack after %s', code => {
    const error = Object.assign(new Error('listen failed: 127.0.0.1:80'), { code });
    expect(explain(error)).toBe('chat-kernel: listen failed: 127.0.0.1:80');
  });

  it('is explained with its stack after an unexpected error', () => {
    const error = new TypeError('x is not a function');
    expect(explain(error)).toBe(`chat-kernel: ${error.stack}`);
  });
});

describe('warnings', () => {
  it('warns about an unknown variable, except keys of providers', async () => {
    write('llm: { providers: { mine: { kind: openai, api_key_env: CHAT_KERNEL_MY_KEY } } }');
    const { warnings } = await load(
      {},
      { CHAT_KERNEL_SERVER_PROT: '1', CHAT_KERNEL_MY_KEY: 'k', CHAT_KERNEL_CONFIG: '' },
    );
    expect(warnings).toEqual([
      'CHAT_KERNEL_SERVER_PROT: unknown variable, did you mean "CHAT_KERNEL_SERVER_PORT"?',
    ]);
  });
});
