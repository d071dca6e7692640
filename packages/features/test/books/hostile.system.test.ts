/** Tests broken and hostile files: each is rejected with a clear message in time. */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { workplace } from '../../../tools/test/workplace.ts';
import { BookReader } from '../../src/books/book-reader.ts';
import { startConfined } from '../../src/books/confined.ts';
import { BOOK_LIMITS } from '../../src/books/limits.ts';
import { epubOf, pdfOf, pdfOfContents, pdfOfObjects, zipOf } from './files.ts';
import { readBook, refusal } from './reading.ts';

const CONTAINER = ['META-INF/container.xml', '<rootfile full-path="a.opf"/>'] as const;
const packageOf = (items: string, refs: string) =>
  ['a.opf', `<package><manifest>${items}</manifest><spine>${refs}</spine></package>`] as const;
const PAGE = '<item id="a" href="a.html" media-type="text/html"/>';

test.each([
  ['an empty file', Buffer.alloc(0), 'is empty (0 bytes)'],
  ['white space', Buffer.from(' \n\t '), 'contains only white space'],
  [
    'an image',
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'is an image or audio file; supported formats: PDF, EPUB, HTML, Markdown, plain text',
  ],
  ['random bytes', Buffer.from([1, 2, 0, 3]), 'is not text; supported formats'],
  ['HTML without text', Buffer.from('<html><script>x</script>'), 'is an HTML page without any text'],
  ['a truncated PDF', pdfOf(['x']).subarray(0, 60), 'is a corrupt PDF'],
  ['garbage after the PDF signature', Buffer.from('%PDF-1.7 garbage'), 'is a corrupt PDF'],
  ['a scan', pdfOf(['', '']), 'has no text on its 2 pages: it is a scan'],
  ['an encrypted PDF', encryptedPdf(), 'is a password-protected PDF'],
  ['a truncated archive', epubOf({ chapters: ['x'] }).subarray(0, 200), 'is a corrupt archive'],
  ['a ZIP archive', zipOf([['a.txt', 'x']]), 'is a ZIP archive, not an EPUB'],
  [
    'an EPUB inside a ZIP archive',
    zipOf([['a.epub', epubOf({ chapters: ['x'] })]]),
    'is a ZIP archive, not an EPUB',
  ],
  ['an office document', zipOf([['[Content_Types].xml', '']]), 'is an office document'],
  [
    'names that lead out of the archive',
    zipOf([CONTAINER, ['../../../tmp/evil', 'x']]),
    'is a corrupt archive (invalid relative path',
  ],
  ['an absolute name', zipOf([CONTAINER, ['/etc/evil', 'x']]), 'is a corrupt archive (absolute path'],
  ['an EPUB without its document', zipOf([CONTAINER]), 'is an EPUB without a package document'],
  ['an EPUB without chapters', zipOf([CONTAINER, packageOf('', '')]), 'is an EPUB without any chapters'],
  [
    'an EPUB whose files are missing',
    zipOf([CONTAINER, packageOf(PAGE, '<itemref idref="a"/>')]),
    'is an EPUB without any text',
  ],
  [
    'an EPUB with DRM',
    zipOf([
      CONTAINER,
      packageOf(PAGE, '<itemref idref="a"/>'),
      ['a.html', 'x'],
      [
        'META-INF/encryption.xml',
        '<enc:EncryptionMethod Algorithm="aes"/><enc:CipherReference URI="a.html"/>',
      ],
    ]),
    'is an EPUB protected by DRM',
  ],
])('[BT-2] rejects %s with an error message', async (_, bytes, sentence) => {
  expect(await refusal(bytes)).toContain(sentence);
});

test('[BT-2] stops an archive bomb at the limits, and names them', async () => {
  const zeros = epubOf({ chapters: ['x'.repeat(3_000_000)] });
  expect(zeros.length).toBeLessThan(10_000);
  expect(await refusal(zeros, 'a', { entry_bytes: 1_000_000 })).toBe(
    'contains a file larger than 1000000 bytes',
  );
  expect(await refusal(zeros, 'a', { unpacked_bytes: 1_000_000 })).toMatch(
    /^is larger than 1000000 bytes when/,
  );
  expect(await refusal(zeros, 'a', { chars: 1_000_000 })).toMatch(
    /^is too long; the limit is 1000000 characters$/,
  );
  const many = zipOf(Array.from({ length: 300 }, (_, index) => [`${index}`, ''] as const));
  expect(await refusal(many, 'a', { entries: 200 })).toBe('contains more than 200 files');
});

test('[BT-2] stops at an archive that lists one file as a chapter a million times', async () => {
  const bomb = zipOf([CONTAINER, packageOf(PAGE, '<itemref idref="a"/>'.repeat(300_000)), ['a.html', 'x']]);
  expect(await refusal(bomb)).toBe('has 300000 chapters; the limit is 20000');
});

test('[BT-2] does not resolve entities of a document, regardless of their size or target', async () => {
  const prolog =
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY file SYSTEM "file:///etc/passwd">]>';
  const book = await readBook(epubOf({ title: '&file;', chapters: ['<p>&b;&file;</p>'], prolog }));
  expect(JSON.stringify(book)).not.toMatch(/haha|root:/);
});

test('[BT-2] reads a self-referencing PDF to its end', async () => {
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

test('[BT-2] rejects a PDF with more pages than allowed by its page count', async () => {
  expect(await refusal(pdfOf(['a', 'b', 'c']), 'a', { sections: 2 })).toBe('has 3 pages; the limit is 2');
});

test('[BT-2] ends a reader that uses too much memory', async () => {
  const bomb = pdfOfContents([{ deflated: deflateSync(Buffer.alloc(400_000_000, ' ')) }]);
  expect(await refusal(bomb, 'a', { memory_bytes: 250_000_000 })).toBe(
    'takes more than 250.0 MB of memory to read',
  );
});

test('[BT-2] ends a reader that takes too long, and the reader of a canceled call', async () => {
  const slow = pdfOfContents([`BT /F1 12 Tf ${'(x) Tj '.repeat(3_000_000)} ET`]);
  const begun = performance.now();
  expect(await refusal(slow, 'a', { silent_secs: 0.5 })).toBe(
    'took more than 0.5 seconds for one step; the file may be corrupt',
  );
  expect(performance.now() - begun).toBeLessThan(30_000);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('given up')), 400);
  await expect(readBook(slow, 'a', {}, stop.signal)).rejects.toThrow(/given up|aborted/);
});

test('[BT-2] leaves no files of a reader that is stopped early', async () => {
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

test('[BT-2] truncates endless titles while reading', async () => {
  const html = `<html><title>${'long '.repeat(1_000_000)}</title><body>text</body></html>`;
  expect((await readBook(html)).title).toHaveLength(2000);
});

test('[BT-2] rejects a file that is too large during its upload', async () => {
  expect(await refusal(Buffer.alloc(2_000_000, 'x'), 'a', { file_bytes: 1_000_000 })).toBe(
    'is too large; the limit for books is 1.0 MB',
  );
});

test('[BT-2] denies the reader process writes, network, child processes and secrets', async () => {
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

/** Creates a PDF with an unknown password: its keys match no password. */
function encryptedPdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
  ];
  return pdfOfObjects(objects, `/Encrypt 3 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`);
}
