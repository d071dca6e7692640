/** Reads the files of the built web client, optionally in a compressed form. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { BUILT } from './paths.ts';

export interface BuiltFile {
  bytes: Buffer;
  type: string;
  /** Null if uncompressed. */
  encoding: 'br' | 'gzip' | null;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
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
  // Routes pass one or two plain names. Reject everything else before it reaches the disk.
  if (type === undefined || !/^(?:assets\/)?\w[\w.-]*$/.test(name)) return null;
  for (const { encoding, suffix, accepts } of ENCODINGS) {
    const bytes = accepts.test(accepted) ? await readBuiltFile(name + suffix) : null;
    if (bytes) return { bytes, type, encoding };
  }
  const bytes = await readBuiltFile(name);
  return bytes && { bytes, type, encoding: null };
}

/**
 * Reads the page and inserts the relative path to its root, because a proxy may serve it under any path.
 * @param depth of the requested path: 0 at the root
 */
export async function readPage(depth: number): Promise<string | null> {
  const bytes = await readBuiltFile('index.html');
  const base = depth === 0 ? './' : '../'.repeat(depth);
  return bytes?.toString().replace('<head>', `<head><base href="${base}">`) ?? null;
}

async function readBuiltFile(name: string): Promise<Buffer | null> {
  try {
    return await readFile(join(BUILT, name));
  } catch {
    // Not built, or rebuilt in the meantime.
    return null;
  }
}
