/** Builds the web client in a separate process, once in the lifetime of this one, and reports its progress. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Log } from '@chat-kernel/kernel';
import { BUILD_PROGRAM } from './paths.ts';

type Build = Pick<ChildProcess, 'on' | 'kill'> & { stdout: Readable; stderr: Readable };
type StartBuild = () => Build;

export class Builder {
  /** Its last output; null while it does not run. */
  said: string | null = null;
  readonly #log: Log;
  readonly #start: StartBuild | null;
  #known: Promise<void> | undefined;
  #process: Build | undefined;

  /** @param start starts the build; null if there is nothing to build */
  constructor(log: Log, start = findBuild()) {
    this.#log = log;
    this.#start = start;
  }

  /** Resolves once it is known whether a build is needed; the build itself continues. */
  begin(): Promise<void> {
    this.#known ??= this.#start ? this.#follow(this.#start()) : Promise.resolve();
    return this.#known;
  }

  #follow(build: Build): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#process = build;
    const errors: Buffer[] = [];
    build.stderr.on('data', piece => errors.push(piece));
    createInterface(build.stdout).on('line', line => {
      this.said = line;
      resolve();
      this.#log.info({}, line);
    });
    const end = (problem: unknown) => {
      this.said = null;
      resolve();
      if (problem) this.#log.warn({ problem: String(problem) }, 'building the web client failed');
    };
    build.on('error', end);
    build.on('close', code => end(code === 0 || code === null ? null : Buffer.concat(errors)));
    return promise;
  }

  stop(): void {
    this.#process?.kill();
  }
}

function findBuild(): StartBuild | null {
  if (BUILD_PROGRAM === null || !existsSync(BUILD_PROGRAM)) return null;
  const program = BUILD_PROGRAM;
  // At the lowest priority: clients of the API come first.
  return () => spawn('nice', [process.execPath, program], { stdio: ['ignore', 'pipe', 'pipe'] });
}
