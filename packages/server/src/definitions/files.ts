/** The commands about files that were uploaded. */
import type { Command } from 'commander';
import type { MoveFlags } from '../commands/files.ts';
import { withSettings } from './flags.ts';

export function addFiles(program: Command): void {
  const move = program
    .command('files')
    .description('see to the bytes of files and images')
    .command('move')
    .description('bring the bytes of all files and images to one place, while no kernel runs')
    .requiredOption('--to <place>', 'data_dir, postgres or s3, as files.store.in has it')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nEach is removed from where it was once its copy is safe and was read back. Run it again where it was interrupted: it ' +
        'goes on. Where new ones go is up to files.store.in.',
    );
  withSettings(move).action(async (flags: MoveFlags) => {
    const { moveFiles } = await import('../commands/files.ts');
    await moveFiles(flags);
  });
}
