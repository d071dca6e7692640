/** Tests parsing lines as messages and writing messages as lines. */
import { expect, test } from 'vitest';
import {
  errorLine,
  INVALID_REQUEST,
  notificationLine,
  PARSE_ERROR,
  RpcError,
  readMessage,
  requestLine,
  resultLine,
} from '../src/index.ts';

const read = (value: unknown) =>
  readMessage(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

test.each([
  ['{', PARSE_ERROR, 'A line is one JSON object.'],
  ['[]', INVALID_REQUEST, 'A message is an object.'],
  ['null', INVALID_REQUEST, 'A message is an object.'],
  [{ method: 'a' }, INVALID_REQUEST, 'A message has "jsonrpc": "2.0".'],
  [{ jsonrpc: '2.0', method: 7 }, INVALID_REQUEST, 'The method of a message is a string.'],
  [
    { jsonrpc: '2.0', method: 'a', id: null },
    INVALID_REQUEST,
    'The id of a message is a string or a number.',
  ],
])('rejects %j with a code and a message', (line, code, sentence) => {
  expect(read(line)).toEqual({ kind: 'mistake', code, sentence });
});

test('distinguishes requests with an id from notifications without one', () => {
  expect(read({ jsonrpc: '2.0', id: 'x', method: 'a', params: { n: 1 } })).toEqual({
    kind: 'request',
    id: 'x',
    method: 'a',
    params: { n: 1 },
  });
  expect(read({ jsonrpc: '2.0', method: 'a' })).toEqual({ kind: 'notification', method: 'a' });
});

test('parses a response with a result or an error, and rejects other messages without a method', () => {
  expect(read({ jsonrpc: '2.0', id: 1, result: null })).toEqual({
    kind: 'answer',
    id: 1,
    outcome: { result: null },
  });
  expect(read({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })).toEqual({
    kind: 'answer',
    id: 1,
    outcome: { error: new RpcError(-1, 'no') },
  });
  const error = { code: 1, message: '' };
  for (const rest of [{}, { result: 1, error }, { error: 'no' }, { error: { code: '1', message: '' } }]) {
    expect(read({ jsonrpc: '2.0', id: 1, ...rest })).toEqual({ kind: 'nothing' });
  }
  expect(read({ jsonrpc: '2.0', id: 'x', result: 1 })).toEqual({ kind: 'nothing' });
});

test('writes each message as one line', () => {
  expect([
    requestLine(1, 'a', { n: 1 }),
    notificationLine('b', {}),
    resultLine('x', { text: 'a\nb' }),
    errorLine(null, PARSE_ERROR, 'no'),
  ]).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{"n":1}}\n',
    '{"jsonrpc":"2.0","method":"b","params":{}}\n',
    '{"jsonrpc":"2.0","id":"x","result":{"text":"a\\nb"}}\n',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}\n',
  ]);
});
