/** Reads images from files and the clipboard, and detects their type from the bytes. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Chip } from '../editor/state.ts';

type ImageChip = Extract<Chip, { kind: 'image' }>;

const MAX_BYTES = 20 * 1024 * 1024;

/** @throws Error with a sentence for the user */
export async function readImage(path: string): Promise<ImageChip> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new Error(`${basename(path)} is larger than 20 MiB.`);
    return toImageChip(await file.readFile(), basename(path));
  } finally {
    await file.close();
  }
}

/** Returns the image in the clipboard; null without an image, or without a program to read it. */
export async function clipboardImage(): Promise<ImageChip | null> {
  for (const [program, ...args] of CLIPBOARDS[process.platform] ?? CLIPBOARDS.linux!) {
    const bytes = await output(program!, args);
    if (bytes !== null && detectMediaType(bytes) !== null) return toImageChip(bytes, 'clipboard');
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

function output(program: string, args: string[]): Promise<Buffer | null> {
  const options = { encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: 5000 } as const;
  return new Promise(resolve => {
    // The program is missing or found no image.
    execFile(program, args, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

function toImageChip(bytes: Buffer, name: string): ImageChip {
  const media_type = detectMediaType(bytes);
  if (media_type === null) throw new Error(`${name} is not a PNG, JPEG, GIF or WebP image.`);
  return { kind: 'image', name, media_type, data: bytes.toString('base64') };
}

function detectMediaType(bytes: Buffer): string | null {
  const starts = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null;
}
