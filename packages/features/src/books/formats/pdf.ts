/** Opens a PDF page by page. A broken page does not prevent reading the others. */
import { getDocumentProxy } from 'unpdf';
import { type BookLimits, BookProblem } from '../limits.ts';
import type { BookSection, OpenedBook } from './opened.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** @throws BookProblem */
export async function openPdf(bytes: Uint8Array, limits: BookLimits): Promise<OpenedBook> {
  const pdf = await open(bytes);
  const of = pdf.numPages;
  if (of > limits.sections) {
    throw new BookProblem(`has ${of} pages; the limit is ${limits.sections}`);
  }
  const info = await pdf.getMetadata().then(
    ({ info }) => info as Record<string, unknown>,
    // A missing author does not justify a failure.
    (): Record<string, unknown> => ({}),
  );
  const counts = { empty: 0, broken: 0 };
  return {
    format: 'pdf',
    unit: 'page',
    title: parseMetadataText(info.Title)?.replace(/^Microsoft \w+ - /, '') ?? null,
    author: parseMetadataText(info.Author),
    of,
    sections: readPages(pdf, counts),
    notes: () => [
      ...(counts.broken > 0 ? [`${pages(counts.broken)} could not be read.`] : []),
      ...(counts.empty > 0 ? [`${pages(counts.empty)} of ${of} have no text and may be images.`] : []),
    ],
  };
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // The parser takes over the bytes it receives, so it receives a copy. The options prevent all fetching.
    return await getDocumentProxy(new Uint8Array(bytes), {
      useSystemFonts: false,
      useWorkerFetch: false,
      isImageDecoderSupported: false,
      verbosity: 0,
    });
  } catch (error) {
    const { name = '', message = '' } = error as Error;
    if (name === 'PasswordException') {
      throw new BookProblem('is a password-protected PDF. Save a copy without a password first');
    }
    throw new BookProblem(`is a corrupt PDF (${message.slice(0, 200)})`, { cause: error });
  }
}

async function* readPages(
  pdf: PdfDocument,
  counts: { empty: number; broken: number },
): AsyncGenerator<BookSection> {
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number).catch(() => undefined);
    if (text === undefined) counts.broken++;
    else if (text.trim() === '') counts.empty++;
    chars += text?.trim().length ?? 0;
    yield { title: null, text: text ?? '' };
  }
  if (chars > 0) return;
  throw new BookProblem(
    counts.empty === 0
      ? 'is a PDF without readable pages'
      : `has no text on its ${pages(pdf.numPages)}: it is a scan or contains only images. Run OCR first`,
  );
}

async function pageText(pdf: PdfDocument, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  try {
    const { items } = await page.getTextContent();
    const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    // Removes the hyphenation at line ends.
    return text.replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1');
  } finally {
    page.cleanup();
  }
}

function parseMetadataText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || /^untitled/i.test(text) ? null : text;
}

const pages = (count: number): string => (count === 1 ? '1 page' : `${count} pages`);
