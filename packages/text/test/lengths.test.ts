/** Tests that truncated texts never end in half a character, and say that they are truncated. */
import { cutText, cutWithCount, cutWithEllipsis, toSingleLine } from '@chat-kernel/text';
import { expect, test } from 'vitest';

test('cuts a text between characters and keeps one that fits', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('ab😀', 3)).toBe('ab');
});

test('ends a cut text in an ellipsis within the limit', () => {
  expect(cutWithEllipsis('abc', 3)).toBe('abc');
  expect(cutWithEllipsis('abcd', 3)).toBe('ab…');
  expect(cutWithEllipsis('a😀bc', 3)).toBe('a…');
});

test('counts the characters after the cut', () => {
  expect(cutWithCount('abc', 3)).toBe('abc');
  expect(cutWithCount('ab😀c', 3)).toBe('ab [3 more characters]');
  expect(cutWithCount('abcd', 3, '\n')).toBe('abc\n[1 more characters]');
});

test('joins a text to one line without white space at its ends', () => {
  expect(toSingleLine(' \n a\t\r\n b\u00a0\u2028c ')).toBe('a b c');
});
