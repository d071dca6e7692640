/** Flags that several commands share. */
import type { Command } from 'commander';

/** Adds the flags of all commands that read the settings. */
export function withSettings(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'settings file to read (else CHAT_KERNEL_CONFIG, else ~/.config/chat-kernel/config.yaml)',
    )
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('-p, --port <number>', 'port to listen on, 0 for a free one (default 8787)')
    .option('-d, --data <folder>', 'folder in which the kernel keeps everything')
    .option('--set <path=value>', 'any other setting, such as llm.reasoning=high; may be repeated', collect);
}

/** Adds the flags of the clients. */
export function withAddress(command: Command): Command {
  return command
    .option(
      '--url <address>',
      'the kernel to talk to (default CHAT_KERNEL_URL, else the one of the settings)',
    )
    .option('--token <token>', 'what the proxy before it asks for (default CHAT_KERNEL_TOKEN)');
}

/** For flags that may be repeated. */
export const collect = (value: string, previous: string[] = []): string[] => [...previous, value];
