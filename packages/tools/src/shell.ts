/** Lets the model run commands on the machine that the call works on, several per call (BT-1, OP-1, OP-13). */
import { existsSync } from 'node:fs';
import {
  commandEnvironment,
  gitEnvironment,
  type MachinePaths,
  PathError,
  type RunningCommand,
  type Sandbox,
  startCommand,
} from '@chat-kernel/hands/own-machine';
import {
  COMMAND_OUTPUT,
  type LocalOperation,
  OperationError,
  type Permitted,
  type ToolContext,
  type ToolOutput,
  Unanswered,
} from '@chat-kernel/kernel';
import { sandboxException } from '@chat-kernel/protocol';
import { z } from 'zod';
import { isUnconfined } from './machine/is-unconfined.ts';
import { askAboutHosts } from './shell/ask-about-hosts.ts';
import { type CommandRun, rendered } from './shell/command-run.ts';
import { Deadline } from './shell/deadline.ts';
import { runOnClient } from './shell/on-client.ts';
import { CommandOutput } from './shell/output.ts';
import { defineTool } from './tool/define.ts';
import { Snapshots } from './tool/snapshots.ts';

const MAX_TIMEOUT_SECS = 3600;
/** The reason of the model that the user reads in a dialog. */
const MAX_REASON_CHARS = 300;
/** Maximum concurrent shells of one turn; further calls wait (SAFE-6). */
const MAX_SHELLS = 16;

export interface ShellToolOptions {
  paths: MachinePaths;
  sandbox: Sandbox;
  /** The default timeout of a call. */
  timeout_secs: number;
  /** The kernel's environment, of which commands get a few harmless variables. */
  environment: Readonly<Record<string, string | undefined>>;
}

export const shell = ({ paths, sandbox, timeout_secs: usual, environment }: ShellToolOptions) =>
  defineTool({
    name: 'shell',
    description:
      'Runs shell commands on the working machine, one after the other, each in its own shell, in the working directory of the chat. A failed command does not stop the next one; use && for that. Commands get no input. Background processes may end with the call. Each output follows a line "== command".',
    input: z.object({
      commands: z.array(z.string().min(1)).min(1).max(50),
      timeout_secs: z
        .number()
        .positive()
        .max(MAX_TIMEOUT_SECS)
        .optional()
        .describe(`Timeout for all commands together, in seconds; default ${usual}.`),
      outside_sandbox: z
        .string()
        .trim()
        .min(1)
        .max(MAX_REASON_CHARS)
        .optional()
        .describe(
          'Runs the commands without the sandbox, if it has blocked something that they need. Say why: the user is asked and reads this.',
        ),
      protected: z
        .boolean()
        .optional()
        .describe(
          'True: the commands may change files such as AGENTS.md, .vscode and .github/workflows, which are read-only in the sandbox. The user is asked.',
        ),
    }),
    group: 'shell',
    icon: '💻',
    on_machine: true,
    master_only: true,
    at_once: MAX_SHELLS,
    outside_effect: true,
    effects: ['execute'],
    asks_itself: true,
    operations: ({ commands }) => commands,
    async run({ commands, timeout_secs = usual, outside_sandbox, protected: isProtected = false }, context) {
      const exceptions = {
        ...(outside_sandbox !== undefined && { outside_sandbox }),
        ...(isProtected && { protected: true as const }),
      };
      if (context.hands !== null) {
        return runOnClient(commands, { timeout_secs, ...exceptions }, context.hands, context.signal);
      }
      try {
        // The directory is checked first: a missing one would be reported as a missing shell.
        const cwd = await paths.workdir(context.chat);
        const exception = sandboxException(exceptions);
        const isOutsideSandbox = exception === 'outside_sandbox';
        const change = {
          workdir: cwd,
          timeout_secs,
          sandbox: isOutsideSandbox ? 'none' : await sandbox.kind(),
          ...exceptions,
          ...(exception !== undefined && { target: exception, isOutsideSandbox, isProtected }),
          ...((await isUnconfined(cwd, { paths, sandbox })) && { isUnconfined: true }),
        } as const;
        // The owner's time to decide does not count for the commands.
        const verdicts = await askAboutAll(commands, change, context);
        const deadline = new Deadline(timeout_secs * 1000);
        const mayReach = askAboutHosts(context, work => deadline.except(work));
        const enclosure = await sandbox.enter(cwd, exceptions, mayReach);
        try {
          const env = { ...commandEnvironment(environment), ...enclosure.env };
          const plainGit = verdicts.some(({ by_prefix }) => by_prefix) ? await gitEnvironment(cwd, env) : {};
          const { serve } = enclosure;
          const start: StartCommand = async (command, by_prefix, onText) =>
            startCommand(await enclosure.around([SHELL, '-c', command]), {
              cwd,
              env: by_prefix ? { ...env, ...plainGit } : env,
              serve,
              onText,
            });
          const ran = await runAll(commands, verdicts, { timeout_secs, deadline }, context, start);
          const hasRun = verdicts.some(({ refusal }) => refusal === undefined);
          return {
            ...ran,
            output: [ran.output, ...enclosure.notes(ran.output, ran.is_error === true)].join('\n'),
            outside:
              change.sandbox === 'none'
                ? hasRun
                  ? [COMMAND_OUTPUT]
                  : []
                : enclosure.reached().map(host => `web:${host}`),
          };
        } finally {
          deadline.clear();
          await enclosure.leave();
        }
      } catch (error) {
        if (error instanceof PathError) return { output: error.message, is_error: true };
        throw error;
      }
    },
  });

/** Users and models write commands for bash. */
const SHELL =
  ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(path => existsSync(path)) ?? '/bin/sh';

/** Whether a command may run. */
interface CommandVerdict extends Permitted {
  /** The text for the model in place of its output. */
  refusal?: string;
}

/** Asks the owner about each command (WHO-6). */
async function askAboutAll(
  commands: readonly string[],
  change: Omit<LocalOperation & { action: 'shell' }, 'action' | 'command'>,
  { consent, signal }: ToolContext,
): Promise<CommandVerdict[]> {
  const verdicts: CommandVerdict[] = [];
  let silent: Unanswered | undefined;
  for (const command of commands) {
    try {
      // After one timeout, fail the remaining approvals immediately.
      if (silent) throw silent;
      verdicts.push(await consent({ action: 'shell', command, ...change }));
    } catch (error) {
      if (signal.aborted || !(error instanceof OperationError)) throw error;
      if (error instanceof Unanswered) silent = error;
      verdicts.push({ refusal: error.message, by_prefix: false });
    }
  }
  return verdicts;
}

type StartCommand = (
  command: string,
  by_prefix: boolean,
  onText: (text: string) => void,
) => Promise<RunningCommand>;

async function runAll(
  commands: readonly string[],
  verdicts: readonly CommandVerdict[],
  { timeout_secs: timeoutSecs, deadline }: { timeout_secs: number; deadline: Deadline },
  { signal, progress }: ToolContext,
  start: StartCommand,
): Promise<ToolOutput> {
  const runs: CommandRun[] = [];
  const ends: (() => void)[] = [];
  const endAll = () => {
    for (const end of ends.splice(0)) end();
  };
  const stop = AbortSignal.any([signal, deadline.signal]);
  stop.addEventListener('abort', endAll);
  const snapshots = new Snapshots(() => rendered(runs), progress);
  try {
    for (const [index, command] of commands.entries()) {
      signal.throwIfAborted();
      const output = new CommandOutput();
      const current: CommandRun = { command, output, failed: false };
      runs.push(current);
      const { refusal, by_prefix } = verdicts[index]!;
      if (refusal !== undefined) {
        output.add(refusal);
        current.failed = true;
        continue;
      }
      if (deadline.signal.aborted) {
        Object.assign(current, { note: '[not run: the call timed out]', failed: true });
        continue;
      }
      const running = await start(command, by_prefix, text => {
        output.add(text);
        snapshots.changed();
      });
      ends.push(running.end);
      // An earlier stop, before the command had begun, found nothing to end.
      if (stop.aborted) endAll();
      const code = await running.over;
      Object.assign(current, verdict(code, deadline.signal.aborted, timeoutSecs));
    }
    signal.throwIfAborted();
    return { output: rendered(runs), is_error: runs.some(({ failed }) => failed) };
  } finally {
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
    const more = timeoutSecs < MAX_TIMEOUT_SECS ? '; you can raise timeout_secs' : '';
    return { note: `[stopped: the call timed out after ${timeoutSecs} seconds${more}]`, failed: true };
  }
  return { note: code === null ? '[killed by a signal]' : `[exit code ${code}]`, failed: true };
}
