/**
 * Provides one Postgres server for the test files of a run, which starts when the first of them requests it. It runs
 * under a process that holds a pipe to this one and ends when the pipe closes, so that no server is left even if the
 * run is killed.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, '../../packages/storage/test/postgres-server.ts');

/** A server that takes longer to end is reported as an error: the run must not wait for it forever. */
const END_MS = 120_000;

/**
 * Sets TEST_POSTGRES to an address that responds with the server's port, or with status 500 and the reason why there is
 * none.
 */
export default async function setup(): Promise<() => Promise<void>> {
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

/** @throws Error with the output of the process, if it ends without a port */
async function readPort(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<string> {
  const errors = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
  if (line === undefined) throw new Error(await errors);
  return String(line).trim();
}
