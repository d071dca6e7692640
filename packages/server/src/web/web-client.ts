/**
 * Provides the web client: its built files, and in a checkout the build itself, which runs in a separate process once in
 * the lifetime of this one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Log } from '@chat-kernel/kernel';
import { builtFile, readPage } from './built-files.ts';
import { BUILD_PROGRAM } from './paths.ts';

type Build = Pick<ChildProcess, 'on' | 'kill'> & { stdout: Readable; stderr: Readable };
type StartBuild = () => Build;

export class WebClient {
  /** The last output of the build; null while none runs. */
  building: string | null = null;
  readonly page = readPage;
  readonly file = builtFile;
  readonly #log: Log;
  readonly #start: StartBuild | null;
  #known: Promise<void> | undefined;
  #process: Build | undefined;

  /** @param start starts the build; null if there is nothing to build */
  constructor(log: Log, start = findBuild()) {
    this.#log = log;
    this.#start = start;
  }

  /**
   * Builds the client if it is missing or older than its sources; a shipped build stays unchanged. Resolves once it is
   * known whether a build is needed; the build itself continues.
   */
  prepare(): Promise<void> {
    this.#known ??= this.#start ? this.#follow(this.#start()) : Promise.resolve();
    return this.#known;
  }

  #follow(build: Build): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#process = build;
    const errors: Buffer[] = [];
    build.stderr.on('data', piece => errors.push(piece));
    createInterface(build.stdout).on('line', line => {
      this.building = line;
      resolve();
      this.#log.info({}, line);
    });
    const end = (problem: unknown) => {
      this.building = null;
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
