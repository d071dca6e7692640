/** The command that imports, with its flags. */
import type { Command } from 'commander';
import type { ImportFlags } from '../commands/import.ts';
import { withAddress, withSettings } from './flags.ts';

export function addImport(program: Command): void {
  const command = program
    .command('import <file>')
    .description(
      'import the conversations of a ChatGPT or Claude export, as it was downloaded, or an export of this program',
    )
    .option('--dry-run', 'write nothing, and say what would come')
    .option('--shelf <name>', 'the shelf on which the chats stand')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nThe file is a .zip, a folder, a conversations.json or a .jsonl. What was imported before is not imported again. It ' +
        'goes to the kernel that runs on these data, or into the data themselves where none runs.\n' +
        'Exit codes: 0 all of it is there, 1 it broke off, 2 some conversations could not be imported.',
    );
  withSettings(withAddress(command)).action(async (file: string, flags: ImportFlags) => {
    const { importFile } = await import('../commands/import.ts');
    await importFile(file, flags);
  });
}
