/**
 * Starts programs that end with all processes they have started, and never outlive the kernel, even after a crash: a
 * supervisor watches a pipe whose other end is the kernel's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProcessEnvironment } from './environment.ts';
import { signalGroup } from './process-group.ts';

export interface SupervisedProgram {
  child: ChildProcess;
  /** Resolves with a sentence about how the program itself ended, or why it could not be started. */
  ended: Promise<string>;
  /** Ends all processes of its session, also if the program has ended: SIGTERM, then SIGKILL after 2 s. */
  end(): void;
}

interface ProgramOptions {
  env: ProcessEnvironment;
  /** Absent: the working directory of the kernel. */
  cwd?: string | undefined;
  /** Its descriptors. 3 is a pipe for the supervisor, which the program does not have; 5 is the last. */
  stdio?: ('ignore' | 'pipe')[];
}

const SUPERVISE = fileURLToPath(new URL('supervise.sh', import.meta.url));
/** Time after which a program that still runs is killed directly; by then the supervisor has used its 2 seconds. */
const FORCE_MS = 4000;
/** Exit codes of a shell that cannot run its command. */
const NOT_RUN: Partial<Record<number, string>> = { 126: 'is not executable', 127: 'was not found' };

/** Starts `words` in a new session. */
export function startSupervised(
  words: readonly string[],
  { env, cwd, stdio = ['pipe', 'pipe', 'pipe', 'pipe'] }: ProgramOptions,
): SupervisedProgram {
  const child = spawn('/bin/sh', [SUPERVISE, ...words], { cwd, env, detached: true, stdio });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('error', error => {
    // The system reports a missing directory as a missing shell.
    const why = cwd === undefined || existsSync(cwd) ? error.message : `there is no directory ${cwd}`;
    resolve(`the program could not be started: ${why}`);
  });
  child.once('exit', (code, signal) => {
    const why = NOT_RUN[code ?? 0];
    if (code === null) resolve(`the program was terminated by ${signal}`);
    else resolve(`the program ended with code ${code}${why ? `: ${words[0]} ${why}` : ''}`);
  });
  // The exit explains how the program ended; a broken pipe adds nothing. A program that did not start may have no pipes.
  for (const pipe of child.stdio ?? []) pipe?.on('error', () => {});
  return {
    child,
    ended,
    end() {
      child.stdio?.[3]?.destroy();
      const force = () => {
        // The program may have killed its watcher.
        if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, 'SIGKILL');
      };
      setTimeout(force, FORCE_MS).unref();
    },
  };
}
