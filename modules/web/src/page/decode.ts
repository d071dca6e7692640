/** The text of bytes: by their mark, by what the server or the page says, else UTF-8 where they are it, else Windows-1252. */

/** @param charset of the header content-type */
export function decode(bytes: Uint8Array, charset: string | undefined): string {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))?.label;
  for (const label of [marked, charset, declared(bytes)]) {
    const decoder = label === undefined ? undefined : decoderOf(label);
    if (decoder !== undefined) return decoder.decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
];

/** What a page or an XML document says at its beginning. */
function declared(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  // bounded: by those 1,024 bytes.
  const pattern = /<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i;
  const [, label] = pattern.exec(beginning) ?? [];
  // Whoever could read that has bytes which are no UTF-16.
  return label?.replace(/^utf-16.*/i, 'utf-8');
}

/** Undefined for an encoding that nobody knows. */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
