/** Which texts the kernel must never let anybody read back. */
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { secretsOf } from '../src/settings/secrets.ts';

test('[OP-8] secrets are those of the settings and of the environment, the longest first', () => {
  const settings = Settings.parse({
    database: { url: 'postgres://ada:p4ssw%rd@db/chat' },
    llm: {
      providers: {
        one: { kind: 'openai', api_key: 'key-of-one' },
        two: { kind: 'openai', api_key_env: 'MINE', headers: { 'x-team': 'team-header' } },
      },
    },
    mcp: { servers: { web: { url: 'https://example.org', env: { CODE: 'code-of-web' } } } },
  });
  const environment = { MINE: 'key-of-two', GEMINI_API_KEY: 'found-key', HOME: '/home/ada', EMPTY_TOKEN: '' };
  expect(secretsOf(settings, environment)).toEqual([
    'postgres://ada:p4ssw%rd@db/chat',
    'team-header',
    'code-of-web',
    'key-of-one',
    'key-of-two',
    'found-key',
    'p4ssw%rd',
  ]);
});
