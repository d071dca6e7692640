/**
 * Keeps the fast suite fast and its results independent of the machine. A test that starts a program, opens a Postgres
 * or connects to another machine fails. No timer of more than 200 ms ever ends, so a test that waits for one times out,
 * and says so; the time that a slow machine takes ends none either.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach } from 'vitest';

const LONGEST_MS = 200;
/** Node's longest: 25 days. */
const NEVER_MS = 2 ** 31 - 1;
const ELSEWHERE = 'A test that needs this belongs in a file whose name ends with .system.test.ts.';
const LOOPBACK = /^(127\.[\d.]+|localhost|::1|::ffff:127\.[\d.]+)$/;

/** Shared by the files of a process, which each load this module. */
interface Guard {
  /** Sentences about refused calls since the last report. */
  refused: Set<string>;
  /** Timers that did not end, as text. */
  waits: Set<string>;
}

const shared = globalThis as { fastSuite?: Guard };
shared.fastSuite ??= install();
const guard = shared.fastSuite;
// A timer that the files before this one have left is nothing to this one.
guard.waits.clear();

/** Throws what was refused since the last call, even if the code that asked for it has caught the error. */
function report(): void {
  const refused = [...guard.refused];
  guard.refused.clear();
  if (refused.length > 0) throw new Error(`${refused.join('\n')}\n${ELSEWHERE}`);
}
afterAll(report);
afterEach(({ task }) => {
  const waits = [...guard.waits];
  guard.waits.clear();
  report();
  if (task.result?.state === 'fail' && waits.length > 0)
    throw new Error(
      `No timer of more than ${LONGEST_MS} ms ends in the fast suite. Move the clock, or wait for what happens. ` +
        `${ELSEWHERE} The timers of this test:\n${waits.join('\n')}`,
    );
});

function install(): Guard {
  const guard: Guard = { refused: new Set(), waits: new Set() };
  const refuse = (what: string): never => {
    guard.refused.add(what);
    throw new Error(`${what} ${ELSEWHERE}`);
  };
  const refuseProgram = (name: string): never => refuse(`The fast suite starts no program, such as ${name}.`);

  const spawn = ({ file }: { file: string }): never => refuseProgram(file);
  Object.assign(childProcess.ChildProcess.prototype, { spawn });
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    Object.assign(childProcess, { [name]: refuseProgram });
  Object.assign(pg.Client.prototype, { connect: () => refuse('The fast suite opens no Postgres.') });

  const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket;
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...args: unknown[]) {
      // The calls of Node's own code put all arguments into one array.
      const [target, second] = (Array.isArray(args[0]) ? args[0] : args) as [unknown, unknown];
      const options = target as net.TcpNetConnectOpts;
      const host =
        typeof target === 'object' ? options.host : typeof second === 'string' ? second : undefined;
      // A test with a lookup of its own decides where a name leads.
      if (host !== undefined && !LOOPBACK.test(host) && !options.lookup)
        refuse(`The fast suite connects only to this machine, not to ${host}.`);
      return connect.apply(this, args);
    },
  });

  const end = (ms: unknown): unknown => {
    if (!(Number(ms) > LONGEST_MS)) return ms;
    const place = new Error().stack?.split('\n').find(line => /\/(src|test)\//.test(line));
    guard.waits.add(`  ${ms} ms ${place?.trim() ?? ''}`);
    return NEVER_MS;
  };
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const real = globalThis[name] as (...args: unknown[]) => unknown;
    const guarded = (callback: unknown, ms: unknown, ...args: unknown[]) => real(callback, end(ms), ...args);
    Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(real));
    Object.assign(globalThis, { [name]: guarded });
    Object.assign(timers, { [name]: guarded });
    const promise = timersPromises[name] as (...args: unknown[]) => unknown;
    Object.assign(timersPromises, { [name]: (ms: unknown, ...args: unknown[]) => promise(end(ms), ...args) });
  }
  const timeout = AbortSignal.timeout;
  AbortSignal.timeout = ms => (end(ms) === ms ? timeout.call(AbortSignal, ms) : new AbortController().signal);
  syncBuiltinESMExports();
  return guard;
}
