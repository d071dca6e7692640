/** The command that prints what shells want for completion. */
import type { Command } from 'commander';

export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print what completes these commands in bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash, in ~/.bashrc: source <(chat-kernel completion bash)' +
        '\nzsh, in ~/.zshrc, behind compinit: source <(chat-kernel completion zsh)' +
        '\nfish: chat-kernel completion fish > ~/.config/fish/completions/chat-kernel.fish',
    )
    .action(async (shell: string) => {
      const { printCompletion } = await import('../commands/completion.ts');
      const { factsOf } = await import('../manual/facts.ts');
      printCompletion(shell, factsOf(program));
    });
}
