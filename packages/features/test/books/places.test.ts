/** Tests ranges in books: the displayed form of a range leads back to it. */
import type { BookUnit } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePlace, placeName } from '../../src/books/place.ts';
import type { BookPlace } from '../../src/books/records.ts';

it.each<[BookUnit, string, object]>([
  ['page', 'page 12', { from: { section: 12, piece: 1 } }],
  ['page', ' Pages 12 – 15 ', { from: { section: 12, piece: 1 }, to: 15 }],
  ['page', 'p. 7', { from: { section: 7, piece: 1 } }],
  ['page', '7', { from: { section: 7, piece: 1 } }],
  ['chapter', 'chapter 3, part 2', { from: { section: 3, piece: 2 } }],
  ['chapter', 'chapter 3 "II. "The" Sea", part 2/9', { from: { section: 3, piece: 2 } }],
  ['section', 'section 2 "a", lines 40-95', { from: { section: 2, piece: 1 } }],
  ['section', 'lines 40-95', { from: { line: 40 }, to: 95 }],
  ['line', 'line 5', { from: { line: 5 } }],
  ['line', '5-9', { from: { line: 5 }, to: 9 }],
  ['line', 'lines 5-9, part 3/7', { from: { section: 1, piece: 3 } }],
  ['section', 'lines 5-9, part 3', { from: { line: 5 }, to: 9 }],
  ['page', 'chapter 3', { from: { heading: 'chapter 3' } }],
  ['section', 'Chapter 3', { from: { heading: 'Chapter 3' } }],
  ['chapter', 'p. 3', { from: { heading: 'p. 3' } }],
  ['line', 'page 3', { from: { heading: 'page 3' } }],
  ['chapter', 'The Sea', { from: { heading: 'The Sea' } }],
  ['chapter', 'chapter "The Sea"', { from: { heading: 'The Sea' } }],
  ['chapter', '20,000 Leagues', { from: { heading: '20,000 Leagues' } }],
  ['page', '99999999999', { from: { heading: '99999999999' } }],
])('[BT-2] parses a location in a book of %ss: %j', (unit, place, wanted) => {
  expect(parsePlace(unit, place)).toEqual(wanted);
});

it('[BT-2] parses the name of any location back to that location', () => {
  const count = fc.integer({ min: 1, max: 99_999 });
  const title = fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }), { nil: null });
  const line = fc.option(count, { nil: null });
  fc.assert(
    fc.property(count, count, count, title, line, (section, piece, more, heading, first) => {
      const place: BookPlace = {
        ...{ section, title: heading, piece, pieces: piece + more },
        ...{ line: first, last_line: first === null ? null : first + 3 },
      };
      const { from } = parsePlace('chapter', placeName('chapter', place));
      expect(from).toEqual({ section, piece });
      if (first === null) return;
      expect(parsePlace('line', placeName('line', place))).toEqual({ from: { section: 1, piece } });
      const whole = placeName('line', { ...place, piece: 1, pieces: 1 });
      expect(parsePlace('line', whole)).toEqual({ from: { line: first }, to: first + 3 });
    }),
  );
});
