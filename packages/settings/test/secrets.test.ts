/** Tests secrets: texts that the kernel never returns. */
import { Settings } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { collectSecrets } from '../src/secrets.ts';

test('[OP-8] collects secrets from the settings and the environment, the longest first', () => {
  const settings = Settings.parse({
    database: { url: 'postgres://ada:p4ssw%rd@db/chat' },
    llm: {
      providers: {
        one: { kind: 'openai', api_key: 'key-of-one' },
        two: {
          kind: 'openai',
          api_key_env: 'MINE',
          headers: { 'x-team-key': 'team-header', 'x-title': 'Chat' },
        },
      },
    },
    mcp: {
      servers: {
        web: {
          url: 'https://example.org/?api_key=in%2Fquery',
          headers: { authorization: 'Bearer in-header' },
        },
        desk: {
          command: 'x',
          args: ['--api-token', 'in-flag', '--tokens=4096'],
          env: { DESK_CODE: 'c0de-of-the-desk-1', DESK_AUTH: 'code-of-desk', LOG_LEVEL: 'debug' },
        },
      },
    },
  });
  const environment = { MINE: 'key-of-two', GEMINI_API_KEY: 'found-key', HOME: '/home/ada', EMPTY_TOKEN: '' };
  expect(collectSecrets(settings, environment)).toEqual([
    'postgres://ada:p4ssw%rd@db/chat',
    'c0de-of-the-desk-1',
    'Bearer in-header',
    'ada:p4ssw%rd',
    'code-of-desk',
    'team-header',
    'key-of-one',
    'in%2Fquery',
    'key-of-two',
    'in-header',
    'found-key',
    'p4ssw%rd',
    'in/query',
    'in-flag',
  ]);
});
