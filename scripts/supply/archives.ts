/** Hashes single files of archives. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

/** Returns the SHA-256 of a file in a .tar.gz archive, in hexadecimal. @throws if the archive does not contain it */
export async function memberSha256(archive: string, member: string): Promise<string> {
  const tar = spawn('tar', ['-xzOf', archive, member], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(tar, 'close');
  const hash = createHash('sha256');
  await pipeline(tar.stdout, hash);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${archive} does not contain ${member}.`);
  return hash.digest('hex');
}
