/** An image as the terminals write it that can draw one. */

/** Columns of a drawn image. */
const COLUMNS = 40;
/** Kitty takes no longer pieces. */
const PIECE_CHARS = 4096;

/** The escape sequence, with a line break after it; null where the protocol can't take the format. */
export function imageSequence(
  bytes: Uint8Array,
  mediaType: string,
  protocol: 'kitty' | 'iterm',
): string | null {
  const data = Buffer.from(bytes).toString('base64');
  if (protocol === 'iterm') {
    return `\u001b]1337;File=inline=1;size=${bytes.length};width=${COLUMNS};preserveAspectRatio=1:${data}\u0007\n`;
  }
  // Of the formats that an image comes in, kitty knows PNG alone.
  if (mediaType !== 'image/png') return null;
  const pieces = data.match(new RegExp(`.{1,${PIECE_CHARS}}`, 'g')) ?? [];
  return `${pieces
    .map((piece, index) => {
      const first = index === 0 ? `f=100,a=T,q=2,c=${COLUMNS},` : '';
      return `\u001b_G${first}m=${index < pieces.length - 1 ? 1 : 0};${piece}\u001b\\`;
    })
    .join('')}\n`;
}
