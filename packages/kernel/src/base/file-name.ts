/**
 * Converts names of uploaded files. The uploader chooses the name, and the record of the file keeps it. But the name is
 * also used on disks, in headers, in prompts and in shells. This module creates a name that is safe in all of them, has
 * a single line (WHO-4), and still resembles the original.
 */
import { trimEnd } from './text.ts';

/** The address of an uploaded file for turns that must not know paths of a machine (WHO-3); read_file accepts it. */
export const fileAddress = (id: string): string => `file:${id}`;

/** The maximum length of a name in bytes. File systems permit 255, and something may be added to the name. */
const MAX_BYTES = 200;
/** The maximum length of an extension in characters; a longer ending is not treated as an extension. */
const LONGEST_EXTENSION = 16;

/** A safe name. If no characters remain, the result is `file` with the usual extension of its type. */
export function safeFileName(wanted: string, mediaType: string): string {
  const last = wanted.normalize('NFC').toWellFormed().split(/[/\\]/).findLast(isName) ?? '';
  const clean = last
    .replace(UNSEEN, '')
    // Characters that have a meaning on Windows, or would end a quoted string.
    .replace(/[<>:"|?*]/g, '_');
  const name = trimmed(shortened(trimmed(clean)));
  if (!isName(name)) return `file${EXTENSIONS[mediaType] ?? ''}`;
  return DEVICE.test(name) ? `_${name}` : name;
}

/**
 * Characters that hide something: control characters, line ends, and those that change the writing direction, which
 * could show `gpj.exe` as `exe.jpg`.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{FEFF}]/gu;
/** Names of devices, which Windows opens regardless of the extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i;

const isName = (text: string): boolean => !/^[.\s]*$/.test(text);

/** The name without dots and spaces at its end: Windows drops them, which would refer to another file. */
const trimmed = (name: string): string => trimEnd(name.trim(), /[.\s]/);

/** The name cut to its limit between visible characters; the extension is kept. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : '';
  let left = MAX_BYTES - Buffer.byteLength(ending);
  let stem = '';
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of characters.segment(name.slice(0, name.length - ending.length))) {
    left -= Buffer.byteLength(segment);
    if (left < 0) break;
    stem += segment;
  }
  return stem + ending;
}

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
