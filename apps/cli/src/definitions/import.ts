/** Defines the import command. */
import type { Command } from 'commander';
import { run, withAddress, withSettings } from './flags.ts';

export function addImport(program: Command): void {
  const command = program
    .command('import <file>')
    .description('Import a ChatGPT or Claude export as downloaded, or an export of Chat Kernel')
    .option('--dry-run', 'Show what would be imported')
    .option('--shelf <name>', 'Shelf of the imported chats')
    .option('-q, --quiet', 'Do not print progress')
    .addHelpText(
      'after',
      '\nThe file is a .zip, a folder, a conversations.json or a .jsonl. Conversations are not imported twice. They ' +
        'are sent to the running server of these data, or written to the data directly if none runs.\n' +
        'Exit codes: 0 all imported, 1 import stopped, 2 some conversations could not be imported.',
    );
  run(withSettings(withAddress(command)), async () => (await import('../commands/import.ts')).importFile);
}
