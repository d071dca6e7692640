/** Extracts the text of a PDF, page by page. */
import { getDocumentProxy } from 'unpdf';
import type { Readable } from './readable.ts';

/** @throws Error if it is corrupt or encrypted */
export async function readPdf(bytes: Uint8Array): Promise<Readable> {
  // These options prevent the parser from fetching anything.
  const pdf = await getDocumentProxy(bytes, {
    useSystemFonts: false,
    useWorkerFetch: false,
    isImageDecoderSupported: false,
    verbosity: 0,
  });
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    texts.push(`[page ${number}]\n${text.trim()}`);
  }
  return { title: null, source: `PDF of ${pdf.numPages} pages`, text: texts.join('\n\n') };
}
