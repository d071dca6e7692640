/** Tests the splitter of bytes into lines. */
import { expect, test } from 'vitest';
import { LineSplitter, LineTooLong } from '../src/lines.ts';

const all = (splitter: LineSplitter, text: string | Buffer): string[] =>
  [...splitter.push(Buffer.from(text))].map(String);

test('[MOD-1] ends a line only at \\n', () => {
  expect(all(new LineSplitter(100), 'a\u2028b\u2029c\u0085d\re\r\nf\n\ng')).toEqual([
    'a\u2028b\u2029c\u0085d\re\r',
    'f',
    '',
  ]);
});

test('[MOD-1] joins a character that arrives byte by byte', () => {
  const splitter = new LineSplitter(100);
  const lines = [...Buffer.from('é😀\nx\n')].flatMap(byte => all(splitter, Buffer.of(byte)));
  expect(lines).toEqual(['é😀', 'x']);
});

test('accepts a line of the maximum length, including its end, and rejects a longer one', () => {
  expect(all(new LineSplitter(4), 'abc\nabc\n')).toEqual(['abc', 'abc']);
  expect(() => all(new LineSplitter(4), 'abcd\n')).toThrow(LineTooLong);
  // The limit applies before the end of the line has arrived.
  expect(() => all(new LineSplitter(4), 'abcd')).toThrow(LineTooLong);
  const splitter = new LineSplitter(4);
  expect(all(splitter, 'ab')).toEqual([]);
  expect(() => all(splitter, 'cd')).toThrow(LineTooLong);
});

test('joins a long line from very small chunks in little time', () => {
  const splitter = new LineSplitter(4_000_000);
  const piece = Buffer.from('abc');
  const began = performance.now();
  for (let pieces = 0; pieces < 1_000_000; pieces++)
    for (const line of splitter.push(piece)) expect(line).toBe(1);
  const [line] = [...splitter.push(Buffer.from('\n'))];
  expect(line!.length).toBe(3_000_000);
  expect(performance.now() - began).toBeLessThan(20_000);
});
