/** `chat-kernel completion SHELL`: prints a script that completes commands and flags. */
import { bashCompletion } from '../manual/bash.ts';
import type { CommandFacts } from '../manual/facts.ts';
import { fishCompletion } from '../manual/fish.ts';
import { SHELLS, type Shell } from '../manual/values.ts';
import { zshCompletion } from '../manual/zsh.ts';

const SCRIPTS: Record<Shell, (program: CommandFacts) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
const USAGE = 2;

export function printCompletion(name: string, program: CommandFacts): void {
  const shell = SHELLS.find(each => each === name);
  if (shell === undefined) {
    process.stderr.write(
      `chat-kernel completion: The shell must be one of ${SHELLS.join(', ')}, not ${name}.\n`,
    );
    process.exitCode = USAGE;
  } else process.stdout.write(SCRIPTS[shell](program));
}
