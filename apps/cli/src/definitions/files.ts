/** Defines the commands for stored files. */
import type { Command } from 'commander';
import { run, withSettings } from './flags.ts';

export function addFiles(program: Command): void {
  const move = program
    .command('files')
    .description('Manage stored files and images')
    .command('move')
    .description('Move all stored files to one backend (server stopped)')
    .requiredOption('--to <place>', 'Backend: data_dir, postgres or s3, as in files.store.in')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nA file is deleted from its old backend after its copy is stored and verified. If the command is interrupted, run it again ' +
        'to continue. The setting files.store.in selects the backend of new files.',
    );
  run(withSettings(move), async () => (await import('../commands/files.ts')).moveFiles);
}
