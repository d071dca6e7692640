/** Tests that a disk that is too full to open the database is named, on a real small disk. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../src/database/sqlite.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Mounts a disk of 4 MiB. Undefined if that is not allowed: it needs root, and many containers forbid it. */
function mountDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'chat-kernel-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmdirSync(directory);
    return undefined;
  }
}

test('[SAFE-2] a disk that is too full to open the database is named', async context => {
  const disk = mountDisk();
  if (disk === undefined) return context.skip('mounting a disk is not allowed here');
  const other = join(disk, 'other');
  try {
    await openSqlite(disk, quiet).close();
    expect(() => writeFileSync(other, Buffer.alloc(4 * 1024 * 1024))).toThrow('ENOSPC');
    const sentence = `The database ${join(disk, 'chat-kernel.db')} can't be opened: the disk is full. Free some space`;
    expect(() => openSqlite(disk, quiet)).toThrow(sentence);
    rmSync(other);
    await openSqlite(disk, quiet).close();
  } finally {
    execFileSync('umount', [disk]);
    rmdirSync(disk);
  }
});
