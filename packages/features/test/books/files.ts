/** Creates book files byte by byte: PDF, ZIP and EPUB, valid and hostile. */
import { crc32, deflateRawSync } from 'node:zlib';

/**
 * Creates a PDF with a page for each text and a line for each of its lines. @param info entries such as `/Title (x)`
 */
export function pdfOf(pages: readonly string[], { info = '' } = {}): Buffer {
  const contents = pages.map(text => {
    const lines = text.split('\n').map(line => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`);
    return text === '' ? '' : `BT /F1 12 Tf 20 280 Td ${lines.join(' ')} ET`;
  });
  return pdfOfContents(contents, info);
}

/** Creates a PDF whose pages have these content streams. */
export function pdfOfContents(contents: readonly (string | { deflated: Buffer })[], info = ''): Buffer {
  const pageId = (index: number) => 4 + index * 2;
  const kids = contents.map((_, index) => `${pageId(index)} 0 R`).join(' ');
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${pageId(index) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      streamOf(content),
    ]),
    `<< ${info} >>`,
  ];
  return pdfOfObjects(objects, `/Info ${objects.length} 0 R`);
}

/** Creates a PDF of objects, numbered from 1; the first is the catalog. */
export function pdfOfObjects(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let length = pieces[0]!.length;
  for (const [index, object] of objects.entries()) {
    places.push(length);
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(piece);
    length += piece.length;
  }
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

function streamOf(content: string | { deflated: Buffer }): Buffer {
  const [bytes, filter] =
    typeof content === 'string' ? [Buffer.from(content), ''] : [content.deflated, '/Filter /FlateDecode'];
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${filter} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Creates a ZIP archive of these files, in this order. */
export function zipOf(files: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    // UTF-8 names, deflated.
    header.writeUInt16LE(0x800, 2);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

interface EpubContent {
  title?: string;
  /** Bodies of the chapters. */
  chapters: readonly string[];
  /** Names of the chapters in the table of contents. */
  names?: readonly string[];
  /** Text before the root of each XML document. */
  prolog?: string;
  more?: readonly (readonly [name: string, content: string | Buffer])[];
}

export function epubOf({
  title = 'The Book',
  chapters,
  names = [],
  prolog = '',
  more = [],
}: EpubContent): Buffer {
  const items = chapters.map(
    (_, index) => `<item id="c${index}" href="text/c%20${index}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const refs = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  const links = names.map((name, index) => `<li><a href="text/c%20${index}.xhtml#top">${name}</a></li>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>${prolog}`;
  return zipOf([
    ['mimetype', 'application/epub+zip'],
    [
      'META-INF/container.xml',
      `${xml}<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    ],
    [
      'OEBPS/book.opf',
      `${xml}<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${title}</dc:title><dc:creator>Ann Author</dc:creator></metadata>
      <manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join('')}</manifest><spine>${refs.join('')}</spine></package>`,
    ],
    ['OEBPS/nav.xhtml', `${xml}<html><body><nav><ol>${links.join('')}</ol></nav></body></html>`],
    ...chapters.map(
      (body, index) =>
        [
          `OEBPS/text/c ${index}.xhtml`,
          `${xml}<html><head><title>x</title></head><body>${body}</body></html>`,
        ] as const,
    ),
    ...more,
  ]);
}
