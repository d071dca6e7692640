/** Tests the safe names of uploaded files. */
import { expect, it } from 'vitest';
import { safeFileName } from '../src/base/file-name.ts';

it.each([
  ['application/gzip', 'file.gz'],
  ['application/json', 'file.json'],
  ['application/pdf', 'file.pdf'],
  ['application/xml', 'file.xml'],
  ['application/zip', 'file.zip'],
  ['audio/mpeg', 'file.mp3'],
  ['audio/ogg', 'file.ogg'],
  ['audio/wav', 'file.wav'],
  ['image/gif', 'file.gif'],
  ['image/jpeg', 'file.jpg'],
  ['image/png', 'file.png'],
  ['image/svg+xml', 'file.svg'],
  ['image/webp', 'file.webp'],
  ['text/css', 'file.css'],
  ['text/csv', 'file.csv'],
  ['text/html', 'file.html'],
  ['text/javascript', 'file.js'],
  ['text/markdown', 'file.md'],
  ['text/plain', 'file.txt'],
  ['video/mp4', 'file.mp4'],
  ['video/webm', 'file.webm'],
  ['application/x-unknown', 'file'],
])('names a file of type %s without a usable name %s', (mediaType, name) => {
  for (const unusable of ['', '..', 'folder/', '\u202E', ' . ']) {
    const expected = unusable === 'folder/' ? 'folder' : name;
    expect(safeFileName(unusable, mediaType)).toBe(expected);
  }
});

it('drops dots and spaces at the end of a name, and folders before it', () => {
  expect(safeFileName('notes.txt. . ', 'text/plain')).toBe('notes.txt');
  expect(safeFileName('C:\\temp\\notes.txt', 'text/plain')).toBe('notes.txt');
});

it('keeps a name of 200 bytes, and shortens a longer one before its extension', () => {
  const longest = `${'x'.repeat(196)}.txt`;
  expect(safeFileName(longest, 'text/plain')).toBe(longest);
  expect(safeFileName(`x${longest}`, 'text/plain')).toBe(longest);
  // The extension is treated as one up to 16 characters with its dot.
  const ending = `.${'e'.repeat(15)}`;
  expect(safeFileName(`${'x'.repeat(300)}${ending}`, '')).toBe(`${'x'.repeat(184)}${ending}`);
  expect(safeFileName(`${'x'.repeat(300)}${ending}e`, '')).toBe('x'.repeat(200));
});
