/** Tests the parser of server-sent events on streams cut at every position. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type SseMessage, SseParser } from '../src/streams/sse.ts';

const parse = (...pieces: string[]): SseMessage[] => {
  const parser = new SseParser();
  return pieces.flatMap(piece => [...parser.push(piece)]);
};

it('[EV-1] returns one message per empty line, with its id', () => {
  expect(parse('id: a.1\ndata: {"x":1}\n\nid: a.2\ndata: {}\n\n')).toEqual([
    { id: 'a.1', data: '{"x":1}' },
    { id: 'a.2', data: '{}' },
  ]);
});

it('accepts all three line endings, for every split of the text', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['id: 1', 'data: one', 'data:two', '', ': heartbeat', '', 'data: three', '', ''].join(end);
    for (let cut = 0; cut <= text.length; cut++) {
      // A \r at the end could be the first half of \r\n: only the next character decides.
      expect(parse(text.slice(0, cut), text.slice(cut), ':\n')).toEqual([
        { id: '1', data: 'one\ntwo' },
        { id: '1', data: 'three' },
      ]);
    }
  }
});

it('ignores comments, unknown fields and empty records', () => {
  expect(parse(': heartbeat\n\nevent: x\nfoo: bar\nbare\n\nid: 7\n\n')).toEqual([]);
});

it('applies retry only if it is a number', () => {
  const parser = new SseParser();
  const take = (text: string) => [[...parser.push(text)], parser.retry];
  expect(take('retry: 250\n\n')).toEqual([[], 250]);
  expect(take('retry: soon\n\n')).toEqual([[], 250]);
});

it('never returns an incomplete message', () => {
  expect(parse('data: {"half":')).toEqual([]);
  expect(parse('data: whole\n')).toEqual([]);
});

it('returns any payload unchanged, for every split', () => {
  const payloads = fc.array(fc.string({ unit: 'binary', minLength: 1 }).filter(text => !/[\r\n]/.test(text)));
  const cuts = fc.array(fc.nat(200));
  fc.assert(
    fc.property(payloads, cuts, (texts, places) => {
      const stream = texts.map((text, index) => `id: ${index}\ndata: ${text}\n\n`).join('');
      const pieces = [0, ...places.sort((a, b) => a - b), stream.length]
        .filter(place => place <= stream.length)
        .map((place, index, all) => stream.slice(place, all[index + 1] ?? stream.length));
      expect(parse(...pieces)).toEqual(texts.map((data, index) => ({ id: String(index), data })));
    }),
    { numRuns: 200 },
  );
});
