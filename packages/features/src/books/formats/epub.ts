/** Opens an EPUB as a book: each file of its reading order that has text is a chapter. */
import { type BookLimits, BookProblem } from '../limits.ts';
import { ZipArchive } from './archive.ts';
import { declaredEncoding, decodeText } from './decode-text.ts';
import { htmlText } from './html-text.ts';
import type { BookSection, OpenedBook } from './opened.ts';
import {
  encryptedFiles,
  type PackageDocument,
  readContents,
  readPackage,
  rootFile,
} from './package-document.ts';

/** @throws BookProblem */
export async function openEpub(bytes: Uint8Array, limits: BookLimits): Promise<OpenedBook> {
  const archive = await ZipArchive.open(bytes, limits);
  const container = await readText(archive, 'META-INF/container.xml');
  if (container === undefined) throw new BookProblem(noEpub(archive));
  const root = rootFile(container);
  const xml = root === undefined ? undefined : await readText(archive, root);
  if (root === undefined || xml === undefined) throw new BookProblem('is an EPUB without a package document');
  const document = readPackage(xml, root);
  const { title, author, spine } = document;
  if (spine.length === 0) throw new BookProblem('is an EPUB without any chapters');
  if (spine.length > limits.sections) {
    throw new BookProblem(`has ${spine.length} chapters; the limit is ${limits.sections}`);
  }
  const locked = encryptedFiles((await readText(archive, 'META-INF/encryption.xml')) ?? '');
  if (spine.some(path => locked.has(path))) {
    throw new BookProblem('is an EPUB protected by DRM, which cannot be opened');
  }
  const missing: string[] = [];
  return {
    format: 'epub',
    unit: 'chapter',
    title,
    author,
    of: null,
    sections: readChapters(archive, document, missing),
    notes: () => (missing.length > 0 ? [`${missing.length} of its files are missing.`] : []),
  };
}

async function* readChapters(
  archive: ZipArchive,
  { spine, contents }: PackageDocument,
  missing: string[],
): AsyncGenerator<BookSection> {
  const names = new Map<string, string>();
  for (const path of contents) {
    const found = readContents((await readText(archive, path)) ?? '', path);
    for (const [file, name] of found) if (!names.has(file)) names.set(file, name);
  }
  let chapters = 0;
  for (const path of spine) {
    const html = await readText(archive, path);
    if (html === undefined) {
      missing.push(path);
      continue;
    }
    const { sections } = htmlText(html);
    // A cover, for example, has no text.
    if (sections.length === 0) continue;
    chapters++;
    yield {
      title: names.get(path) ?? sections.find(({ title }) => title !== null)?.title ?? null,
      text: sections.map(({ text }) => text).join('\n\n'),
    };
  }
  if (chapters === 0) throw new BookProblem('is an EPUB without any text');
}

async function readText(archive: ZipArchive, path: string): Promise<string | undefined> {
  const bytes = await archive.read(path);
  return bytes && decodeText(bytes, declaredEncoding(bytes));
}

function noEpub(archive: ZipArchive): string {
  if (archive.has('[Content_Types].xml') || archive.has('content.xml')) {
    return 'is an office document. Save it as PDF, HTML or text first';
  }
  return 'is a ZIP archive, not an EPUB. Extract it and add the files in it';
}
