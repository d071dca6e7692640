/** Commands on a client's machine, one after the other; what they do meanwhile, the client shows. */
import { type Hands, OperationError, type ToolOutput, Unanswered } from '@chat-kernel/kernel';
import { type Ran, rendered } from './command-run.ts';
import { CommandOutput } from './output.ts';

/** Commands that fail, or that the owner refuses, do not keep the next from being asked for: they may be independent. */
export async function runOnClient(
  commands: readonly string[],
  timeoutSecs: number,
  hands: Hands,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const ran: Ran[] = [];
  for (const command of commands) {
    signal.throwIfAborted();
    // Each may take all of it: the time that its owner takes to think is not the command's.
    const { answered, ...one } = await runOne(command, timeoutSecs, hands);
    ran.push(one);
    if (!answered) break;
  }
  for (const command of commands.slice(ran.length)) {
    ran.push({ command, output: new CommandOutput(), note: '[not run: the client is silent]', failed: true });
  }
  signal.throwIfAborted();
  return { output: rendered(ran), is_error: ran.some(({ failed }) => failed) };
}

async function runOne(
  command: string,
  timeout_secs: number,
  hands: Hands,
): Promise<Ran & { answered: boolean }> {
  const output = new CommandOutput();
  try {
    const { output: printed, exit_code = 0 } = await hands.shell(command, { timeout_secs });
    output.add(printed);
    const failed = exit_code !== 0;
    return { command, output, ...(failed && { note: `[exit code ${exit_code}]` }), failed, answered: true };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    output.add(error.message);
    return { command, output, failed: true, answered: !(error instanceof Unanswered) };
  }
}
