/** Runs commands on a client's machine, one after the other; the client shows their output while they run. */
import {
  COMMAND_OUTPUT,
  type Hands,
  OperationError,
  Refused,
  type ToolOutput,
  Unanswered,
} from '@chat-kernel/kernel';
import { type CommandRun, rendered } from './command-run.ts';
import { CommandOutput } from './output.ts';

/** Runs all commands, including those after a failed or refused one: they may be independent. */
export async function runOnClient(
  commands: readonly string[],
  time: Parameters<Hands['shell']>[1],
  hands: Hands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const runs: CommandRun[] = [];
  let hasRun = false;
  for (const command of commands) {
    signal.throwIfAborted();
    // Each command gets the full timeout, because the owner's time to decide does not count for the commands.
    const { answered, printed, ...run } = await runOne(command, time, hands);
    hasRun ||= printed;
    runs.push(run);
    if (!answered) break;
  }
  for (const command of commands.slice(runs.length)) {
    const note = '[not run: the client does not respond]';
    runs.push({ command, output: new CommandOutput(), note, failed: true });
  }
  signal.throwIfAborted();
  return {
    output: rendered(runs),
    is_error: runs.some(({ failed }) => failed),
    // The client does not report which hosts a command has reached.
    outside: hasRun ? [COMMAND_OUTPUT] : [],
  };
}

async function runOne(
  command: string,
  time: Parameters<Hands['shell']>[1],
  hands: Hands,
): Promise<CommandRun & { answered: boolean; printed: boolean }> {
  const output = new CommandOutput();
  try {
    const { output: text, exit_code = 0 } = await hands.shell(command, time);
    output.add(text);
    const failed = exit_code !== 0;
    const note = failed ? { note: `[exit code ${exit_code}]` } : {};
    return { command, output, ...note, failed, answered: true, printed: true };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    output.add(error.message);
    const answered = !(error instanceof Unanswered);
    return { command, output, failed: true, answered, printed: answered && !(error instanceof Refused) };
  }
}
