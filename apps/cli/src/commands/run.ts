/** Runs commands: loads their code, and explains their failures. */
import type { Command } from 'commander';

/**
 * Lets the command run a function that is loaded only then, with the arguments and the flags.
 * @param exitCode if it fails
 */
export const run = <Given extends unknown[]>(
  command: Command,
  load: () => Promise<(...given: Given) => unknown>,
  exitCode = 1,
): Command =>
  command.action((...given: [...Given, Command]) =>
    explained(async () => {
      const act = await load();
      await act(...(given.slice(0, -1) as Given));
    }, exitCode),
  );

/** Explains an error of the work on stderr. */
export async function explained(work: () => Promise<void>, exitCode: number): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { explain } = await import('@chat-kernel/settings/start-failure');
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = exitCode;
  }
}

/** The exit code of wrong flags. */
export const USAGE = 2;

/** Says what is wrong with the flags of the command. */
export function usage(command: string, sentence: string): void {
  process.stderr.write(`chat-kernel ${command}: ${sentence}\n`);
  process.exitCode = USAGE;
}
