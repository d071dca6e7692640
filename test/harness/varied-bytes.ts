/** Creates test bytes that are not text and do not repeat within a short distance. */
export const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 17) & 0xff));
