/** Lets the model run commands on the machine that the call works on, several in a call (BT-1, OP-1, OP-13). */
import { existsSync } from 'node:fs';
import {
  OperationError,
  type OwnChange,
  type ToolContext,
  type ToolOutput,
  Unanswered,
} from '@chat-kernel/kernel';
import { z } from 'zod';
import { type MachinePaths, PathError } from './machine/machine-path.ts';
import { type CommandRun, rendered } from './shell/command-run.ts';
import { commandEnvironment } from './shell/environment.ts';
import { runOnClient } from './shell/on-client.ts';
import { CommandOutput } from './shell/output.ts';
import { type RunningCommand, startCommand } from './shell/running-command.ts';
import type { Sandbox } from './shell/sandbox.ts';
import { defineTool } from './tool/define.ts';
import { Snapshots } from './tool/snapshots.ts';

const MAX_TIMEOUT_SECS = 3600;
/** Shells of one turn that run at once; further calls wait (SAFE-6). */
const MOST_SHELLS = 16;

export interface ShellToolOptions {
  paths: MachinePaths;
  sandbox: Sandbox;
  /** The timeout of a call that names none. */
  timeout_secs: number;
  /** The kernel's environment, of which commands get a few harmless variables. */
  environment: Readonly<Record<string, string | undefined>>;
}

export const shell = ({ paths, sandbox, timeout_secs: usual, environment }: ShellToolOptions) =>
  defineTool({
    name: 'shell',
    description:
      'Runs shell commands on the machine you work on, one after the other, each in a shell of its own, in the working directory of the chat. A command that fails does not keep the next from running: use && where it should. There is no input, and what still runs in the background may end with the call. Each output stands under a line "== command".',
    input: z.object({
      commands: z.array(z.string().min(1)).min(1).max(50),
      timeout_secs: z
        .number()
        .positive()
        .max(MAX_TIMEOUT_SECS)
        .optional()
        .describe(`Seconds that all commands may take together; default ${usual}.`),
    }),
    group: 'shell',
    icon: '💻',
    on_machine: true,
    master_only: true,
    at_once: MOST_SHELLS,
    outside_effect: true,
    async run({ commands, timeout_secs: chosen }, context) {
      const timeout_secs = chosen ?? usual;
      if (context.hands !== null) {
        const time = { timeout_secs, chosen: chosen !== undefined };
        return runOnClient(commands, time, context.hands, context.signal);
      }
      try {
        // The directory is checked first: a missing one would look like a missing shell.
        const cwd = await paths.workdir(context.chat);
        const change = { workdir: cwd, timeout_secs, sandbox: await sandbox.kind() };
        // The time in which the owner decides is not the commands'.
        const refusals = await refusalsOf(commands, change, context);
        const enclosure = await sandbox.enter(cwd);
        try {
          const env = { ...commandEnvironment(environment), ...enclosure.env };
          const ran = await runAll(commands, refusals, timeout_secs, context, async (command, onText) =>
            startCommand(await enclosure.around([SHELL, '-c', command]), { cwd, env, onText }),
          );
          return { ...ran, output: [ran.output, ...enclosure.notes(ran.output)].join('\n') };
        } finally {
          await enclosure.leave();
        }
      } catch (error) {
        if (error instanceof PathError) return { output: error.message, is_error: true };
        throw error;
      }
    },
  });

/** People and models write for bash. */
const SHELL =
  ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(path => existsSync(path)) ?? '/bin/sh';

/** Asks the owner about each command (WHO-6); returns what the model reads in place of the output of those that may not run. */
async function refusalsOf(
  commands: readonly string[],
  change: Pick<OwnChange & { action: 'shell' }, 'workdir' | 'timeout_secs' | 'sandbox'>,
  { consent, signal }: ToolContext,
): Promise<(string | undefined)[]> {
  const refusals: (string | undefined)[] = [];
  let silent: Unanswered | undefined;
  for (const command of commands) {
    try {
      // Nobody is waited for again who was silent once.
      if (silent) throw silent;
      await consent({ action: 'shell', command, ...change });
      refusals.push(undefined);
    } catch (error) {
      if (signal.aborted || !(error instanceof OperationError)) throw error;
      if (error instanceof Unanswered) silent = error;
      refusals.push(error.message);
    }
  }
  return refusals;
}

type StartCommand = (command: string, onText: (text: string) => void) => Promise<RunningCommand>;

async function runAll(
  commands: readonly string[],
  refusals: readonly (string | undefined)[],
  timeoutSecs: number,
  { signal, progress }: ToolContext,
  start: StartCommand,
): Promise<ToolOutput> {
  const runs: CommandRun[] = [];
  const ends: (() => void)[] = [];
  const endAll = () => {
    for (const end of ends.splice(0)) end();
  };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutSecs * 1000);
  const stop = AbortSignal.any([signal, timeout.signal]);
  stop.addEventListener('abort', endAll);
  const snapshots = new Snapshots(() => rendered(runs), progress);
  try {
    for (const [index, command] of commands.entries()) {
      signal.throwIfAborted();
      const output = new CommandOutput();
      const current: CommandRun = { command, output, failed: false };
      runs.push(current);
      const refusal = refusals[index];
      if (refusal !== undefined) {
        output.add(refusal);
        current.failed = true;
        continue;
      }
      if (timeout.signal.aborted) {
        Object.assign(current, { note: '[not run: the time of this call was over]', failed: true });
        continue;
      }
      const running = await start(command, text => {
        output.add(text);
        snapshots.changed();
      });
      ends.push(running.end);
      // A stop before the command had begun found nothing to end.
      if (stop.aborted) endAll();
      const code = await running.over;
      Object.assign(current, verdict(code, timeout.signal.aborted, timeoutSecs));
    }
    signal.throwIfAborted();
    return { output: rendered(runs), is_error: runs.some(({ failed }) => failed) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', endAll);
    snapshots.stop();
    endAll();
  }
}

function verdict(
  code: number | null,
  late: boolean,
  timeoutSecs: number,
): Pick<CommandRun, 'note' | 'failed'> {
  if (code === 0) return { failed: false };
  if (late) {
    const more = timeoutSecs < MAX_TIMEOUT_SECS ? '; timeout_secs can be raised' : '';
    return { note: `[stopped: the ${timeoutSecs} seconds of this call were over${more}]`, failed: true };
  }
  return { note: code === null ? '[killed by a signal]' : `[exit code ${code}]`, failed: true };
}
