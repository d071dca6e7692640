/** Flags of several commands. */
import type { Command } from 'commander';

/** Adds the flags of all commands that read the settings. */
export function withSettings(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'Settings file (default: $CHAT_KERNEL_CONFIG, or ~/.config/chat-kernel/config.yaml)',
    )
    .option('--host <address>', 'Address to listen on (default: 127.0.0.1)')
    .option('-p, --port <number>', 'Port to listen on, 0 for a free one (default: 8787)')
    .option('-d, --data <folder>', 'Data directory')
    .option('--set <path=value>', 'Any other setting, such as llm.reasoning=high; may be repeated', collect);
}

/** Adds the flags of client commands. */
export function withAddress(command: Command): Command {
  return command
    .option('--url <address>', 'Server address (default: $CHAT_KERNEL_URL, or the server of the settings)')
    .option('--token <token>', 'Access token (default: $CHAT_KERNEL_TOKEN)');
}

/** Collects repeated flags. */
export const collect = (value: string, previous: string[] = []): string[] => [...previous, value];
