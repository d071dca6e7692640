/** Bytes to send about: no text, and no two places of them look alike for long. */
export const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 17) & 0xff));
