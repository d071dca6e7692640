/** Defines the command that prints shell completion. */
import type { Command } from 'commander';

export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('Print the completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash, in ~/.bashrc: source <(chat-kernel completion bash)' +
        '\nzsh, in ~/.zshrc, after compinit: source <(chat-kernel completion zsh)' +
        '\nfish: chat-kernel completion fish > ~/.config/fish/completions/chat-kernel.fish',
    )
    .action(async (shell: string) => {
      const { printCompletion } = await import('../commands/completion.ts');
      const { toCommandFacts } = await import('../manual/facts.ts');
      printCompletion(shell, toCommandFacts(program));
    });
}
