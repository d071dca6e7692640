/**
 * Names of uploaded files. Whoever uploads chooses the name, and then it stands on disks, in headers, in front of a
 * model and in shells: here it is made one that is safe in each of these, and still looks like what it was.
 */

/** File systems take 255, and something may be added to it. */
const MOST_BYTES = 200;
/** A longer ending is no extension. */
const LONGEST_EXTENSION = 16;

/** What a file is called whose name says nothing: `file`, with the usual extension of its type. */
export function safeFileName(wanted: string, mediaType: string): string {
  const last = wanted.normalize('NFC').toWellFormed().split(/[/\\]/).findLast(isName) ?? '';
  const clean = last
    .replace(UNSEEN, '')
    // What Windows takes for something else, and what would end a quoted string.
    .replace(/[<>:"|?*]/g, '_');
  const name = trimmed(shortened(trimmed(clean)));
  if (!isName(name)) return `file${EXTENSIONS[mediaType] ?? ''}`;
  return DEVICE.test(name) ? `_${name}` : name;
}

/** Control characters, line ends, and what turns the direction of writing: `gpj.exe` could be shown as `exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{FEFF}]/gu;
/** Windows opens the device, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

const isName = (text: string): boolean => !/^[.\s]*$/.test(text);

/** Windows drops dots and spaces at the end, so they would be another file there. */
const trimmed = (name: string): string => name.trim().replace(/[.\s]+$/, '');

/** Cut between characters as people see them; the extension stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : '';
  let left = MOST_BYTES - Buffer.byteLength(ending);
  let stem = '';
  for (const { segment } of CHARACTERS.segment(name.slice(0, name.length - ending.length))) {
    left -= Buffer.byteLength(segment);
    if (left < 0) break;
    stem += segment;
  }
  return stem + ending;
}
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/gzip': '.gz',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'application/xml': '.xml',
  'application/zip': '.zip',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/svg+xml': '.svg',
  'image/webp': '.webp',
  'text/css': '.css',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/javascript': '.js',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
};
