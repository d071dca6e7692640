/** Broken and hostile files: a clear sentence for each, in time, and nothing else. */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BookReader } from '../../src/books/book-reader.ts';
import { startConfined } from '../../src/books/confined.ts';
import { BOOK_LIMITS } from '../../src/books/limits.ts';
import { workplace } from '../workplace.ts';
import { epubOf, pdfOf, pdfOfContents, pdfOfObjects, zipOf } from './files.ts';
import { readBook, refusal } from './reading.ts';

const CONTAINER = ['META-INF/container.xml', '<rootfile full-path="a.opf"/>'] as const;
const packageOf = (items: string, refs: string) =>
  ['a.opf', `<package><manifest>${items}</manifest><spine>${refs}</spine></package>`] as const;
const PAGE = '<item id="a" href="a.html" media-type="text/html"/>';

test.each([
  ['nothing', Buffer.alloc(0), 'is empty: it has 0 bytes'],
  ['white space', Buffer.from(' \n\t '), 'holds nothing but white space'],
  [
    'a picture',
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'is an image or a sound; books are made of PDF, EPUB, HTML, Markdown and plain text',
  ],
  ['random bytes', Buffer.from([1, 2, 0, 3]), 'is no text; books are made of'],
  ['HTML without text', Buffer.from('<html><script>x</script>'), 'is an HTML page without any text'],
  ['a cut PDF', pdfOf(['x']).subarray(0, 60), 'is a broken PDF'],
  ['garbage behind the sign of PDF', Buffer.from('%PDF-1.7 garbage'), 'is a broken PDF'],
  ['a scan', pdfOf(['', '']), 'has no text on its 2 pages: it is a scan'],
  ['an encrypted PDF', encryptedPdf(), 'is a PDF that is protected by a password'],
  ['a cut archive', epubOf({ chapters: ['x'] }).subarray(0, 200), 'is a broken archive'],
  ['an archive of anything', zipOf([['a.txt', 'x']]), 'is a ZIP archive and no EPUB'],
  [
    'an archive in an archive',
    zipOf([['a.epub', epubOf({ chapters: ['x'] })]]),
    'is a ZIP archive and no EPUB',
  ],
  ['an office document', zipOf([['[Content_Types].xml', '']]), 'is an office document'],
  [
    'names that lead out',
    zipOf([CONTAINER, ['../../../tmp/evil', 'x']]),
    'is a broken archive (invalid relative path',
  ],
  ['an absolute name', zipOf([CONTAINER, ['/etc/evil', 'x']]), 'is a broken archive (absolute path'],
  ['an EPUB without its document', zipOf([CONTAINER]), 'is an EPUB without a package document'],
  ['an EPUB without chapters', zipOf([CONTAINER, packageOf('', '')]), 'is an EPUB without any chapters'],
  [
    'an EPUB whose files are missing',
    zipOf([CONTAINER, packageOf(PAGE, '<itemref idref="a"/>')]),
    'is an EPUB without any text',
  ],
  [
    'a locked EPUB',
    zipOf([
      CONTAINER,
      packageOf(PAGE, '<itemref idref="a"/>'),
      ['a.html', 'x'],
      [
        'META-INF/encryption.xml',
        '<enc:EncryptionMethod Algorithm="aes"/><enc:CipherReference URI="a.html"/>',
      ],
    ]),
    'is an EPUB that is locked (DRM)',
  ],
])('[BT-2] %s is refused with a sentence', async (_, bytes, sentence) => {
  expect(await refusal(bytes)).toContain(sentence);
});

test('[BT-2] a bomb of an archive is stopped at the limits, which are named', async () => {
  const zeros = epubOf({ chapters: ['x'.repeat(3_000_000)] });
  expect(zeros.length).toBeLessThan(10_000);
  expect(await refusal(zeros, 'a', { entry_bytes: 1_000_000 })).toBe(
    'holds a file of more than 1000000 bytes',
  );
  expect(await refusal(zeros, 'a', { unpacked_bytes: 1_000_000 })).toMatch(
    /^has more than 1000000 bytes when/,
  );
  expect(await refusal(zeros, 'a', { chars: 1_000_000 })).toMatch(
    /^is too long: .* at most 1000000 characters$/,
  );
  const many = zipOf(Array.from({ length: 300 }, (_, index) => [`${index}`, ''] as const));
  expect(await refusal(many, 'a', { entries: 200 })).toBe('holds more than 200 files');
});

test('[BT-2] one file that is a chapter a million times is stopped', async () => {
  const bomb = zipOf([CONTAINER, packageOf(PAGE, '<itemref idref="a"/>'.repeat(300_000)), ['a.html', 'x']]);
  expect(await refusal(bomb)).toBe('has 300000 chapters; a book may have at most 20000');
});

test('[BT-2] entities of a document are not resolved, whatever they grow to or point at', async () => {
  const prolog =
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY file SYSTEM "file:///etc/passwd">]>';
  const book = await readBook(epubOf({ title: '&file;', chapters: ['<p>&b;&file;</p>'], prolog }));
  expect(JSON.stringify(book)).not.toMatch(/haha|root:/);
});

test('[BT-2] a PDF that calls itself is read to its end', async () => {
  const loop =
    '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream';
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 4 0 R >> >> >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>',
    page,
    loop,
  ];
  expect(await refusal(pdfOfObjects(objects), 'a', { silent_secs: 5 })).toMatch(
    /^(has no text|is a |took more)/,
  );
});

test('[BT-2] a PDF with more pages than allowed is refused by their number', async () => {
  expect(await refusal(pdfOf(['a', 'b', 'c']), 'a', { sections: 2 })).toBe(
    'has 3 pages; a book may have at most 2',
  );
});

test('[BT-2] a reader that takes too much memory is ended', async () => {
  const bomb = pdfOfContents([{ deflated: deflateSync(Buffer.alloc(400_000_000, ' ')) }]);
  expect(await refusal(bomb, 'a', { memory_bytes: 250_000_000 })).toBe(
    'takes more than 250.0 MB of memory to read',
  );
});

test('[BT-2] a reader that takes too long is ended, and so is the reader of a call that is given up', async () => {
  const slow = pdfOfContents([`BT /F1 12 Tf ${'(x) Tj '.repeat(3_000_000)} ET`]);
  const begun = performance.now();
  expect(await refusal(slow, 'a', { silent_secs: 0.5 })).toBe(
    'took more than 0.5 seconds for one step: it may be broken',
  );
  expect(performance.now() - begun).toBeLessThan(30_000);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('given up')), 400);
  await expect(readBook(slow, 'a', {}, stop.signal)).rejects.toThrow(/given up|aborted/);
});

test('[BT-2] a reader that is stopped halfway leaves nothing', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
  const before = timers();
  const { signal } = new AbortController();
  const reader = new BookReader('a', BOOK_LIMITS, signal);
  await reader.feed(Readable.from([pdfOf(['One.', 'Two.'])]));
  expect(await reader.facts()).toMatchObject({ format: 'pdf' });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  reader.stop();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await expect.poll(timers).toBeLessThanOrEqual(before);
});

test('[BT-2] titles without end are cut where they are read', async () => {
  const html = `<html><title>${'long '.repeat(1_000_000)}</title><body>text</body></html>`;
  expect((await readBook(html)).title).toHaveLength(2000);
});

test('[BT-2] a file that is too large is refused while it comes', async () => {
  expect(await refusal(Buffer.alloc(2_000_000, 'x'), 'a', { file_bytes: 1_000_000 })).toBe(
    'is too large: a book may have at most 1.0 MB',
  );
});

test('[BT-2] the process that reads may write nothing, reach no network, start nothing, and knows no secret', async () => {
  const place = workplace();
  const path = place.write(
    'probe.mjs',
    `import { connect } from 'node:net';
    import { readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    const tried = work => { try { work(); return 'done'; } catch (error) { return error.code; } };
    const net = await new Promise(resolve => {
      connect(9, '127.0.0.1').on('error', error => resolve(error.code)).on('connect', () => resolve('done'));
    });
    const read = tried(() => readFileSync('/etc/passwd'));
    const wrote = tried(() => writeFileSync(process.argv[2] + '/evil', ''));
    const ran = tried(() => spawnSync('true'));
    console.log(JSON.stringify({ net, read, wrote, ran, keys: Object.keys(process.env) }));`,
  );
  const child = startConfined(path, [place.path], BOOK_LIMITS);
  const { keys, ...denied } = JSON.parse(await text(child.stdout));
  const no = 'ERR_ACCESS_DENIED';
  expect(denied).toEqual({ net: no, read: no, wrote: no, ran: no });
  // The shell itself sets these variables.
  expect(keys.filter((key: string) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(key))).toEqual([]);
});

/** Makes a PDF with a password that nobody knows: its keys fit no password. */
function encryptedPdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
  ];
  return pdfOfObjects(objects, `/Encrypt 3 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`);
}
