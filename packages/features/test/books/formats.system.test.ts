/** Tests the formats of books: each returns its text, its ranges, its title. */
import { expect, test } from 'vitest';
import { epubOf, pdfOf } from './files.ts';
import { readBook } from './reading.ts';

const NOWHERE = { piece: 1, pieces: 1, line: null, last_line: null };
const texts = (parts: readonly { text: string }[]) => parts.map(({ text }) => text);

test('[BT-2] splits a PDF into pages, and reads its title and author', async () => {
  const bytes = pdfOf(['The first page\nhas two lines.', '', 'A word that is hyphen-\nated (here).'], {
    info: '/Title (Microsoft Word - Waves) /Author (Ann)',
  });
  const book = await readBook(bytes);
  expect(book).toEqual({
    format: 'pdf',
    unit: 'page',
    title: 'Waves',
    author: 'Ann',
    parts: [
      { section: 1, title: null, ...NOWHERE, text: 'The first page\nhas two lines.' },
      { section: 2, title: null, ...NOWHERE, text: '' },
      { section: 3, title: null, ...NOWHERE, text: 'A word that is hyphenated (here).' },
    ],
    progress: [1, 2, 3].map(done => ({ done, of: 3 })),
    notes: ['1 page of 3 have no text and may be images.'],
  });
});

test('[BT-2] splits an EPUB into a chapter for each file with text, named by its contents or its heading', async () => {
  const bytes = epubOf({
    chapters: [
      '<img src="cover.png"/>',
      '<p>It  begins\nhere.</p><p>And &amp; goes&nbsp;on.</p>',
      '<h1>III</h1><ul><li>a<li>b</ul>',
    ],
    names: ['Cover', 'II. The Sea'],
  });
  const { format, unit, title, author, parts } = await readBook(bytes, 'any.bin');
  expect({ format, unit, title, author }).toEqual({
    format: 'epub',
    unit: 'chapter',
    title: 'The Book',
    author: 'Ann Author',
  });
  expect(parts).toEqual([
    { section: 1, title: 'II. The Sea', ...NOWHERE, text: 'It begins here.\n\nAnd & goes on.' },
    { section: 2, title: 'III', ...NOWHERE, text: 'III\n\n- a\n- b' },
  ]);
});

test('[BT-2] splits an HTML page into a section for each heading, without hidden text', async () => {
  const html =
    '<!doctype html><title>Page</title><style>p{}</style><body>Before<script>alert("x")</script><h2>One <b>two</b></h2><p>Text<pre> as\n  is</pre><table><tr><td>a<td>b</table>';
  const { format, unit, title, parts } = await readBook(html);
  expect({ format, unit, title }).toEqual({ format: 'html', unit: 'section', title: 'Page' });
  expect(parts.map(({ title, text }) => [title, text])).toEqual([
    [null, 'Before'],
    ['One two', 'One two\n\nText\n\n as\n  is\n\na b'],
  ]);
});

test('[BT-2] splits Markdown into a section for each heading, with line numbers, ignoring headings in code', async () => {
  const text = 'Before\n\n# One #\ntext\n```\n# code\n```\nTwo\n===\nlast';
  const { format, unit, title, parts } = await readBook(text, 'notes.MD');
  expect({ format, unit, title }).toEqual({ format: 'markdown', unit: 'section', title: 'One' });
  expect(parts.map(({ title, line, last_line }) => [title, line, last_line])).toEqual([
    [null, 1, 2],
    ['One', 3, 7],
    ['Two', 8, 10],
  ]);
  expect(parts[1]?.text).toBe('# One #\ntext\n```\n# code\n```');
});

test('[BT-2] splits a text at its lines, and inside a line that is too long', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1} ${'x'.repeat(50)}`);
  lines[99] = `${'🙂'.repeat(3000)} end`;
  const { format, unit, parts } = await readBook(lines.join('\r\n'), 'a.txt');
  expect({ format, unit }).toEqual({ format: 'text', unit: 'line' });
  expect(parts.every(({ text }) => text.length <= 4000 && text.isWellFormed())).toBe(true);
  expect(parts.map(({ line, last_line }) => [line, last_line])).toEqual([
    [1, 67],
    [68, 99],
    [100, 100],
    [100, 133],
    [134, 199],
    [200, 200],
  ]);
  expect(
    parts
      .map(({ text }) => text)
      .join('')
      .replaceAll('\n', ''),
  ).toBe(lines.join(''));
});

test('[BT-2] splits long chapters at the end of a paragraph', async () => {
  const paragraph = `<p>${'Some words of a tale. '.repeat(50)}</p>`;
  const { parts } = await readBook(epubOf({ chapters: [paragraph.repeat(9)] }));
  expect(parts.map(({ piece, pieces }) => `${piece}/${pieces}`)).toEqual(['1/3', '2/3', '3/3']);
  expect(parts.every(({ text }) => text.startsWith('Some words') && text.endsWith('tale.'))).toBe(true);
});

test.each([
  ['UTF-8', 'Größe', Buffer.from('Größe')],
  ['UTF-8 with a byte order mark', 'Größe', Buffer.from('\ufeffGröße')],
  ['UTF-16', 'Größe', Buffer.from('\ufeffGröße', 'utf16le')],
  ['big-endian UTF-16', 'Größe', Buffer.from('\ufeffGröße', 'utf16le').swap16()],
  ['Windows-1252', 'Größe', Buffer.from('Größe', 'latin1')],
  [
    'the charset that a page declares',
    'Привет',
    Buffer.concat([
      Buffer.from('<html><meta charset=windows-1251><p>'),
      Buffer.from([207, 240, 232, 226, 229, 242]),
    ]),
  ],
  [
    'an unknown charset',
    'Größe',
    Buffer.concat([Buffer.from('<html><meta charset="nonsense"><p>'), Buffer.from('Größe', 'latin1')]),
  ],
  ['control characters', 'ab\tc', Buffer.from('a\x07b\tc\x1b\u00ad')],
])('[BT-2] decodes text: %s', async (_, text, bytes) => {
  expect(texts((await readBook(bytes)).parts)).toEqual([text]);
});

test('[BT-2] detects the format of a file by its content, regardless of its name', async () => {
  expect((await readBook(pdfOf(['x']), 'a.epub')).format).toBe('pdf');
  expect((await readBook(epubOf({ chapters: ['x'] }), 'a.pdf')).format).toBe('epub');
  expect((await readBook('<HTML>x', 'a.txt')).format).toBe('html');
  expect((await readBook('plain', 'a.pdf')).format).toBe('text');
  expect((await readBook('1 < 2', 'a.html')).format).toBe('text');
});
