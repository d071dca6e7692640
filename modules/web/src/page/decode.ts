/**
 * Decodes text: by its byte order mark, by the charset of the response or the page, as UTF-8 if it is valid, or else as
 * Windows-1252.
 */

/** @param charset from the Content-Type header */
export function decode(bytes: Uint8Array, charset: string | undefined): string {
  const marked = BYTE_ORDER_MARKS.find(({ mark }) =>
    mark.every((byte, index) => bytes[index] === byte),
  )?.label;
  for (const label of [marked, charset, declaredCharset(bytes)]) {
    const decoder = label === undefined ? undefined : createDecoder(label);
    if (decoder !== undefined) return decoder.decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

/** The encoding declared at the start of a page or XML document. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  // bounded: by the 1,024 bytes.
  const pattern = /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i;
  const [, label] = pattern.exec(beginning) ?? [];
  // The label was readable as ASCII, so the text is not UTF-16.
  return label?.replace(/^utf-16.*/i, 'utf-8');
}

/** Returns undefined for an unknown encoding. */
function createDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
