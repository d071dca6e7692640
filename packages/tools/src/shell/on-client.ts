/** Commands on a client's machine, one after the other; the client shows their output meanwhile. */
import { type Hands, OperationError, type ToolOutput, Unanswered } from '@chat-kernel/kernel';
import { type CommandRun, rendered } from './command-run.ts';
import { CommandOutput } from './output.ts';

/** Runs all commands, those after a failed or refused one too: they may be independent. */
export async function runOnClient(
  commands: readonly string[],
  time: Parameters<Hands['shell']>[1],
  hands: Hands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const runs: CommandRun[] = [];
  for (const command of commands) {
    signal.throwIfAborted();
    // Each command gets the whole timeout, because its owner's time to think is not the command's.
    const { answered, ...run } = await runOne(command, time, hands);
    runs.push(run);
    if (!answered) break;
  }
  for (const command of commands.slice(runs.length)) {
    const note = '[not run: the client is silent]';
    runs.push({ command, output: new CommandOutput(), note, failed: true });
  }
  signal.throwIfAborted();
  return { output: rendered(runs), is_error: runs.some(({ failed }) => failed) };
}

async function runOne(
  command: string,
  time: Parameters<Hands['shell']>[1],
  hands: Hands,
): Promise<CommandRun & { answered: boolean }> {
  const output = new CommandOutput();
  try {
    const { output: printed, exit_code = 0 } = await hands.shell(command, time);
    output.add(printed);
    const failed = exit_code !== 0;
    return { command, output, ...(failed && { note: `[exit code ${exit_code}]` }), failed, answered: true };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    output.add(error.message);
    return { command, output, failed: true, answered: !(error instanceof Unanswered) };
  }
}
