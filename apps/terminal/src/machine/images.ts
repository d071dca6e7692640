/** Images for a message, from files and from the clipboard, recognised by their bytes. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Chip } from '../editor/state.ts';

type ImageChip = Extract<Chip, { kind: 'image' }>;

const MAX_BYTES = 20 * 1024 * 1024;

/** @throws Error with a sentence for the owner */
export async function readImage(path: string): Promise<ImageChip> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new Error(`${basename(path)} is larger than 20 MiB`);
    return chipOf(await file.readFile(), basename(path));
  } finally {
    await file.close();
  }
}

/** Returns the image in the clipboard; null where there is none, or no program that can read it. */
export async function clipboardImage(): Promise<ImageChip | null> {
  for (const [program, ...words] of CLIPBOARDS[process.platform] ?? CLIPBOARDS.linux!) {
    const bytes = await output(program!, words);
    if (bytes !== null && mediaTypeOf(bytes) !== null) return chipOf(bytes, 'clipboard');
  }
  return null;
}

const CLIPBOARDS: Partial<Record<NodeJS.Platform, string[][]>> = {
  linux: [
    ['wl-paste', '--no-newline', '--type', 'image/png'],
    ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
  ],
  darwin: [['pngpaste', '-']],
};

function output(program: string, words: string[]): Promise<Buffer | null> {
  const options = { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: 5000 } as const;
  return new Promise(resolve => {
    // A program that is missing, or finds no image, fails.
    execFile(program, words, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

function chipOf(bytes: Buffer, name: string): ImageChip {
  const media_type = mediaTypeOf(bytes);
  if (media_type === null) throw new Error(`${name} is no image of the kinds png, jpeg, gif and webp`);
  return { kind: 'image', name, media_type, data: bytes.toString('base64') };
}

function mediaTypeOf(bytes: Buffer): string | null {
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null;
}
