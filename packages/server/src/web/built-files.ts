/** The files of the built web client, each also compressed. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { BUILT } from './places.ts';

export interface BuiltFile {
  bytes: Buffer;
  type: string;
  /** Null: as it is. */
  encoding: 'br' | 'gzip' | null;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const ENCODINGS = [
  { encoding: 'br', suffix: '.br', accepts: /\bbr\b/ },
  { encoding: 'gzip', suffix: '.gz', accepts: /\bgzip\b/ },
] as const;

/** @param accepted the Accept-Encoding of the request */
export async function builtFile(name: string, accepted = ''): Promise<BuiltFile | null> {
  const type = TYPES[extname(name)];
  // A route gives one or two plain names; nothing else is looked for on the disk.
  if (type === undefined || !/^(?:assets\/)?\w[\w.-]*$/.test(name)) return null;
  for (const { encoding, suffix, accepts } of ENCODINGS) {
    const bytes = accepts.test(accepted) ? await bytesOf(name + suffix) : null;
    if (bytes) return { bytes, type, encoding };
  }
  const bytes = await bytesOf(name);
  return bytes && { bytes, type, encoding: null };
}

/**
 * The page, with the way back to its root. It is relative: under which path a proxy shows the kernel, the kernel need
 * not know. @param depth of the address that was asked for: 0 at the root
 */
export async function readPage(depth: number): Promise<string | null> {
  const bytes = await bytesOf('index.html');
  const base = depth === 0 ? './' : '../'.repeat(depth);
  return bytes?.toString().replace('<head>', `<head><base href="${base}">`) ?? null;
}

async function bytesOf(name: string): Promise<Buffer | null> {
  try {
    return await readFile(join(BUILT, name));
  } catch {
    // Not built, or built anew meanwhile.
    return null;
  }
}
