/** Runs a command of the program in the process of the test. */
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { commandLine } from '../src/command-line.ts';
import { explained } from '../src/commands/run.ts';

/** The arguments of the program, or a command that it would call. */
type WhatToRun = readonly string[] | (() => Promise<void>);
interface RunOptions {
  env?: Record<string, string>;
  stdin?: Readable;
  isTTY?: boolean;
}
interface Ended {
  out: string;
  err: string;
  code: number;
}
interface Started {
  stdout: Output;
  stderr: Output;
  ended: Promise<Ended>;
  /** Whether the command has ended the process itself. */
  hasExited(): boolean;
}

class Output extends Writable {
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.text += piece;
    done();
  }
}

/** Runs `chat-kernel <words...>` with `home` as home and working directory, and without the variables of the test. */
export const runInProcess = (command: WhatToRun, home: string, options?: RunOptions): Promise<Ended> =>
  startInProcess(command, home, options).ended;

/** Starts the command. One at a time, because it has the process to itself. */
export function startInProcess(
  command: WhatToRun,
  home: string,
  { env = {}, stdin = Readable.from([]), isTTY = false }: RunOptions = {},
): Started {
  const [stdout, stderr] = [new Output(isTTY), new Output(isTTY)];
  const { exitCode } = process;
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const setEnvironment = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, variables);
  };
  let exited: Ended | undefined;
  const end = (code = process.exitCode): Ended => ({
    out: stdout.text,
    err: stderr.text,
    code: Number(code ?? 0),
  });
  const spies = [
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as never),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(stderr as never),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
    vi.spyOn(process, 'exit').mockImplementation(code => {
      exited ??= end(code as number | undefined);
      throw new Error('The process has ended.');
    }),
  ];
  process.exitCode = undefined;
  process.chdir(home);
  // No program is found in this PATH, and no Ollama at this address.
  setEnvironment({ HOME: home, PATH: home, OLLAMA_HOST: '127.0.0.1:1', ...env });
  const running =
    typeof command === 'function'
      ? explained(command, 1)
      : commandLine().parseAsync(command, { from: 'user' });
  const restore = () => {
    for (const spy of spies) spy.mockRestore();
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.exitCode = exitCode;
  };
  const ended = running
    .catch(error => {
      if (!exited) throw error;
    })
    .then(() => exited ?? end())
    .finally(restore);
  return { stdout, stderr, ended, hasExited: () => exited !== undefined };
}
