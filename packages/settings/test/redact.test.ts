/** Tests redaction: what may be shown of settings. */
import { Settings } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { redact, redactUrl } from '../src/redact.ts';

it('hides every value that the schema marks as secret, at any depth [API-7]', () => {
  const settings = Settings.parse({
    database: { url: 'postgres://u:hush@db/x' },
    llm: { providers: { mine: { kind: 'openai', api_key: 'hush', headers: { 'x-key': 'hush' } } } },
    modules: { servers: { mail: { command: 'mail', env: { TOKEN: 'hush' } } } },
    mcp: {
      servers: { web: { url: 'https://me:hush@mcp.example/?api_key=hush&q=1', headers: { a: 'hush' } } },
    },
  });
  const shown = redact(settings);
  expect(JSON.stringify(shown)).not.toContain('hush');
  expect(shown.database.url).toBe('***');
  expect(shown.llm.providers.mine).toMatchObject({
    kind: 'openai',
    api_key: '***',
    headers: { 'x-key': '***' },
  });
  expect(shown.modules.servers.mail).toEqual({ command: 'mail', env: { TOKEN: '***' } });
  expect(shown.mcp.servers.web?.url).toBe('https://***@mcp.example/?api_key=***&q=1');
  expect(settings.database.url).toBe('postgres://u:hush@db/x');
});

it('shows values that are not secret, and null, unchanged', () => {
  const settings = Settings.parse({});
  expect(redact(settings)).toEqual(settings);
});

it.each([
  [
    ['--api-key=hush', 'OPENAI_API_KEY=hush'],
    ['--api-key=***', 'OPENAI_API_KEY=***'],
  ],
  [
    ['--token', 'hush', '--token', '--next'],
    ['--token', '***', '--token', '--next'],
  ],
  [
    ['--header', 'Authorization: Bearer hush'],
    ['--header', 'Authorization: ***'],
  ],
  [['--header=X-Api-Key: hush'], ['--header=X-Api-Key: ***']],
  [['https://me:hush@a.example/?q=1&access_token=hush'], ['https://***@a.example/?q=1&access_token=***']],
  [
    ['--pass', 'hush', '-p', 'hush', '-p', '8080'],
    ['--pass', '***', '-p', '***', '-p', '8080'],
  ],
  [
    ['-c', 'export TOKEN=hush; API_KEY="hush hush" run --password=hush x=1'],
    ['-c', 'export TOKEN=***; API_KEY="***" run --password=*** x=1'],
  ],
  [
    ['-y', 'server', '/a/key', 'key', '--port=1'],
    ['-y', 'server', '/a/key', 'key', '--port=1'],
  ],
])('hides secrets in the arguments %j [API-7]', (args, shown) => {
  const settings = Settings.parse({
    modules: { servers: { mail: { command: 'x', args } } },
    mcp: { servers: { web: { command: 'x', args } } },
  });
  expect(redact(settings).modules.servers.mail?.args).toEqual(shown);
  expect(redact(settings).mcp.servers.web?.args).toEqual(shown);
});

it('keeps addresses without a login unchanged', () => {
  expect(redactUrl('https://a.example:8080/b@c?page=2')).toBe('https://a.example:8080/b@c?page=2');
});
