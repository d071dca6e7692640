/** Tests the log lines for human readers. */
import { expect, it } from 'vitest';
import { readableLine } from '../src/start/log-lines.ts';

const time = '2026-11-23T14:05:09.123Z';
const line = (facts: object) => JSON.stringify({ level: 30, time, ...facts });
const read = (text: string) => readableLine(text, { colour: false });
/** The tests run in the time zone of the machine. */
const AT = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:09\.123$/);

function parts(text: string): [string, string] {
  const [, at = '', rest = ''] = /^(\S+ \S+) (.*)$/s.exec(text) ?? [];
  return [at, rest];
}

it('formats a line as time, level and sentence, then the facts', () => {
  expect(parts(read(line({ msg: 'request', route: '/v1/chats', ms: 3 })))).toEqual([
    AT,
    'info  request route=/v1/chats ms=3',
  ]);
  expect(parts(read(line({ level: 40, msg: 'slow', tokens: { prompt: 1 } })))[1]).toBe(
    'WARN  slow tokens={"prompt":1}',
  );
  const err = {
    type: 'Error',
    message: 'no room',
    stack: 'Error: no room\n    at one (a.ts:1:2)\n    at two',
  };
  expect(parts(read(line({ level: 50, err, msg: 'failed' })))[1]).toBe(
    'ERROR failed no room\n    at one (a.ts:1:2)\n    at two',
  );
  expect(readableLine(line({ msg: 'request', ms: 3 }), { colour: true })).toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colors use them.
    /^\x1b\[2m.*\x1b\[0m \x1b\[32minfo \x1b\[0m request \x1b\[2mms=3\x1b\[0m$/,
  );
});

it('shows an invalid time unchanged', () => {
  expect(read(line({ time: 'now\x1b[2J', msg: 'request' }))).toBe('now info  request');
});

it('keeps other lines unchanged, and removes sequences that move the cursor', () => {
  for (const text of ['chat-kernel listening on http://127.0.0.1:1', '{"a":1}', '{', 'Error: no'])
    expect(read(text)).toBe(text);
  expect(read('a\x1b[2Jb\rc')).toBe('ab c');
  expect(parts(read(line({ msg: 'a\x1b]0;title\x07b\nc', path: '\x1b[31m' })))[1]).toBe('info  ab c path=');
});
