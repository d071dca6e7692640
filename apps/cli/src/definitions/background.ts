/** Defines the commands for a kernel in the background. */
import type { Command } from 'commander';
import { run } from '../commands/run.ts';
import { withSettings } from './flags.ts';

/** The flags that select the data also select the kernel. */
export function addBackground(program: Command): void {
  const up = program.command('up').description('Start the server in the background');
  run(withSettings(up), async () => (await import('../commands/up.ts')).up);
  const stop = program.command('stop').description('Stop the server after a grace period');
  run(withSettings(stop), async () => (await import('../commands/stop.ts')).stop);
  const status = program
    .command('status')
    .description('Show server status, URL and default model')
    .option('--json', 'Print one JSON object')
    .addHelpText(
      'after',
      '\nExit codes: 0 running, 1 invalid settings, 3 not running, 4 running but not answering.',
    );
  run(withSettings(status), async () => (await import('../commands/status.ts')).status);
  const logs = program
    .command('logs')
    .description('Print the log of the background server: formatted on a terminal, otherwise as JSON lines')
    .option('-f, --follow', 'Continue with new lines')
    .option('-n, --lines <number>', 'Number of last lines', '100');
  run(withSettings(logs), async () => (await import('../commands/logs.ts')).logs);
}
