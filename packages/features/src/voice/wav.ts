/**
 * Reads the length of WAV files and joins several into one. Their headers contain the length, so they cannot simply be
 * concatenated.
 */

interface WavParts {
  /** The body of the chunk `fmt `. */
  format: Uint8Array;
  bytesPerSecond: number;
  data: Uint8Array;
}

/**
 * Returns the parts of a WAV file; null if it is not one. A length beyond the end, as in streams, means up to the end.
 */
function wavParts(bytes: Uint8Array): WavParts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || nameAt(bytes, 0) !== 'RIFF' || nameAt(bytes, 8) !== 'WAVE') return null;
  let format: Uint8Array | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const start = at + 8;
    const end = Math.min(start + view.getUint32(at + 4, true), bytes.length);
    const name = nameAt(bytes, at);
    if (name === 'fmt ' && end - start >= 16) format = bytes.subarray(start, end);
    if (name === 'data') {
      if (format === undefined) return null;
      const bytesPerSecond = new DataView(format.buffer, format.byteOffset).getUint32(8, true);
      return { format, bytesPerSecond, data: bytes.subarray(start, end) };
    }
    at = end + ((end - start) % 2);
  }
  return null;
}

/** Returns the seconds of a WAV file; null if it is not one. */
export function wavSeconds(bytes: Uint8Array): number | null {
  const parts = wavParts(bytes);
  return parts === null || parts.bytesPerSecond === 0 ? null : parts.data.length / parts.bytesPerSecond;
}

/** Joins WAV files of one format; null if a file is not a WAV, or has another format than the first. */
export function joinedWav(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | null {
  const parts = files.map(wavParts);
  const first = parts[0];
  if (!first) return null;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (part === null || Buffer.compare(part.format, first.format) !== 0) return null;
    pieces.push(part.data);
  }
  const data = Buffer.concat(pieces);
  const head = Buffer.alloc(8);
  const chunk = (name: string, length: number) => {
    head.write(name, 0, 'latin1');
    head.writeUInt32LE(length, 4);
    return Buffer.from(head);
  };
  const padding = data.length % 2;
  const length = 4 + 8 + first.format.length + 8 + data.length + padding;
  return Buffer.concat([
    chunk('RIFF', length),
    Buffer.from('WAVE', 'latin1'),
    chunk('fmt ', first.format.length),
    first.format,
    chunk('data', data.length),
    data,
    Buffer.alloc(padding),
  ]);
}

const nameAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
