/** Builds escape sequences that draw an image, for kitty and iTerm2. */

/** Width of an image, in columns. */
const COLUMNS = 40;
/** Maximum chunk size of kitty. */
const PIECE_CHARS = 4096;

/** Returns the sequence and a newline; null if the protocol does not support the format. */
export function imageSequence(
  bytes: Uint8Array,
  mediaType: string,
  protocol: 'kitty' | 'iterm',
): string | null {
  const data = Buffer.from(bytes).toString('base64');
  if (protocol === 'iterm') {
    return `\u001b]1337;File=inline=1;size=${bytes.length};width=${COLUMNS};preserveAspectRatio=1:${data}\u0007\n`;
  }
  // Kitty supports only PNG.
  if (mediaType !== 'image/png') return null;
  const pieces = data.match(new RegExp(`.{1,${PIECE_CHARS}}`, 'g')) ?? [];
  return `${pieces
    .map((piece, index) => {
      const first = index === 0 ? `f=100,a=T,q=2,c=${COLUMNS},` : '';
      return `\u001b_G${first}m=${index < pieces.length - 1 ? 1 : 0};${piece}\u001b\\`;
    })
    .join('')}\n`;
}
