/** Defines the commands for a kernel in the background. */
import type { Flags } from '@chat-kernel/settings';
import type { Command } from 'commander';
import type { LogsFlags } from '../commands/logs.ts';
import type { StatusFlags } from '../commands/status.ts';
import { withSettings } from './flags.ts';

/** The flags that select the data also select the kernel. */
export function addBackground(program: Command): void {
  const up = program.command('up').description('Start the server in the background');
  withSettings(up).action(async (flags: Flags) => {
    const commands = await import('../commands/up.ts');
    await commands.up(flags);
  });
  const stop = program.command('stop').description('Stop the server after a grace period');
  withSettings(stop).action(async (flags: Flags) => {
    const commands = await import('../commands/stop.ts');
    await commands.stop(flags);
  });
  const status = program
    .command('status')
    .description('Show server status, URL and default model')
    .option('--json', 'Print one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 running, 1 invalid settings, 3 not running, 4 running but not answering.',
    );
  withSettings(status).action(async (flags: StatusFlags) => {
    const commands = await import('../commands/status.ts');
    await commands.status(flags);
  });
  const logs = program
    .command('logs')
    .description('Print the log of the background server: formatted on a terminal, otherwise as JSON lines')
    .option('-f, --follow', 'Continue with new lines')
    .option('-n, --lines <number>', 'Number of last lines', '100');
  withSettings(logs).action(async (flags: LogsFlags) => {
    const commands = await import('../commands/logs.ts');
    await commands.logs(flags);
  });
}
