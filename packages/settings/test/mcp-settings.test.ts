/** Tests errors in entries of mcp.servers that no schema can detect. */
import { Settings } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { checkSettings } from '../src/check.ts';

/** The path without `mcp.servers` and the text of each complaint. */
const complaints = (servers: Record<string, object>) =>
  checkSettings(Settings.parse({ mcp: { servers } })).map(
    ({ path, sentence }) => `${path.slice(2).join('.')}: ${sentence}`,
  );

it('accepts programs and addresses', () => {
  const servers = {
    files: { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'x' } },
    'Git_hub-2': { url: 'https://example.org/mcp', headers: { authorization: 'Bearer x' } },
    ['a'.repeat(32)]: { command: 'x' },
  };
  expect(complaints(servers)).toEqual([]);
});

it('requires exactly one of command and url, and only its own options', () => {
  const either = 'expected either command (a program to start) or url (a server to connect to)';
  const url = 'http://127.0.0.1:1/mcp';
  expect(complaints({ a: {} })).toEqual([`a: ${either}`]);
  expect(complaints({ a: { command: 'x', url } })).toEqual([`a: ${either}`]);
  expect(complaints({ a: { url, args: [] } })).toEqual(['a: expected no args, env or cwd with url']);
  expect(complaints({ a: { url, env: {} } })).toHaveLength(1);
  expect(complaints({ a: { url, cwd: '/' } })).toHaveLength(1);
  expect(complaints({ a: { command: 'x', headers: {} } })).toEqual([
    'a.headers: expected no headers with command',
  ]);
  expect(complaints({ a: { url, trusted: true } })).toEqual([]);
  expect(complaints({ a: { command: '' } })).toEqual(['a.command: expected the name of a program']);
  expect(complaints({ a: { url: 'ftp://127.0.0.1/x' } })).toEqual([
    'a.url: expected an address of http or https',
  ]);
});

it.each([
  'https://me:hush@a.example/mcp',
  'https://hush@a.example/mcp',
  'http://:hush@a.example/',
])('[API-7] rejects the address %s, because its login would be shown and sent', url => {
  const instead = (what: string) =>
    `expected an address without a login (user:password@): put credentials into ${what}`;
  expect(complaints({ a: { url } })).toEqual([`a.url: ${instead('headers')}`]);
  const provider = { kind: 'openai-compatible', base_url: url };
  const settings = Settings.parse({ server: { public_url: url }, llm: { providers: { p: provider } } });
  expect(checkSettings(settings)).toEqual([
    { path: ['server', 'public_url'], sentence: expect.stringMatching(/^expected no login/) },
    { path: ['llm', 'providers', 'p', 'base_url'], sentence: instead('api_key or headers') },
  ]);
});

it('requires http or https in the address of a provider, such as localhost:8000 lacks', () => {
  const check = (base_url: string) =>
    checkSettings(Settings.parse({ llm: { providers: { p: { kind: 'openai-compatible', base_url } } } }));
  const sentence = 'expected an address of http or https, such as http://127.0.0.1:8000/v1';
  expect(check('localhost:8000/v1')).toEqual([{ path: ['llm', 'providers', 'p', 'base_url'], sentence }]);
  expect(check('http://localhost:8000/v1?api-version=1#x')).toEqual([]);
});

it.each(['', '1a', '_a', 'a.b', 'a b', 'ä', 'a'.repeat(33)])('[MCP-1] rejects the name %j', name => {
  expect(complaints({ [name]: { command: 'x' } })).toEqual([
    `${name}: expected a name of at most 32 letters, digits, _ and -, with a letter first`,
  ]);
});

it('[MCP-5] accepts a client for the sign-in to an address without another token', () => {
  const url = 'https://a.example/mcp';
  const client = { client_id: 'x', client_secret: 'hush' };
  expect(complaints({ a: { url, oauth: { ...client, issuer: 'https://b.example' } } })).toEqual([]);
  expect(complaints({ a: { command: 'x', oauth: {} } })).toEqual(['a.oauth: expected no oauth with command']);
  expect(complaints({ a: { url, headers: { AUTHORIZATION: 'Bearer x' }, oauth: client } })).toEqual([
    'a.oauth: expected either oauth or an Authorization header',
  ]);
  expect(complaints({ a: { url, oauth: { client_secret: 'hush' } } })).toEqual([
    'a.oauth: expected client_id to be set with client_secret and issuer',
  ]);
});
