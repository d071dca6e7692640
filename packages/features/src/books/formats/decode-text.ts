/** Decodes text by its byte order mark, as UTF-8, by the encoding that it declares, or else as Windows-1252. */

/** @param declared the encoding that the file declares, possibly invalid */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = byMark(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(known(declared) ?? 'windows-1252').decode(bytes);
  }
}

/** Returns the encoding of the byte order mark. */
export function byMark([first, second, third]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Returns the encoding that a page or an XML document declares at its beginning. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  // bounded: by those 2,048 bytes.
  return /\b(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(beginning)?.[1];
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // The bytes are not UTF-8: decoding them as UTF-8 has already failed.
    return encoding === 'utf-8' ? undefined : encoding;
  } catch {
    return undefined;
  }
}
