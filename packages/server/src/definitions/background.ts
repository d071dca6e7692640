/** The commands of a kernel in the background, with their flags. */
import type { Command } from 'commander';
import type { LogsFlags } from '../commands/logs.ts';
import type { StatusFlags } from '../commands/status.ts';
import type { Flags } from '../settings/overrides.ts';
import { withSettings } from './flags.ts';

/** The flags that name the data say also which kernel is meant. */
export function addBackground(program: Command): void {
  const up = program
    .command('up')
    .description('start the kernel in the background; says so where it runs already');
  withSettings(up).action(async (flags: Flags) => {
    const commands = await import('../commands/up.ts');
    await commands.up(flags);
  });
  const stop = program
    .command('stop')
    .description('stop the kernel that runs on these data; running turns have their grace to end');
  withSettings(stop).action(async (flags: Flags) => {
    const commands = await import('../commands/stop.ts');
    await commands.stop(flags);
  });
  const status = program
    .command('status')
    .description('say whether a kernel runs on these data, where, and which model answers')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 it answers, 3 none runs, 4 one runs that does not answer, 1 wrong settings.',
    );
  withSettings(status).action(async (flags: StatusFlags) => {
    const commands = await import('../commands/status.ts');
    await commands.status(flags);
  });
  const logs = program
    .command('logs')
    .description(
      'print the log of the kernel in the background: for people on a terminal, else as JSON lines',
    )
    .option('-f, --follow', 'go on with what comes')
    .option('-n, --lines <number>', 'how many of the newest lines', '100');
  withSettings(logs).action(async (flags: LogsFlags) => {
    const commands = await import('../commands/logs.ts');
    await commands.logs(flags);
  });
}
