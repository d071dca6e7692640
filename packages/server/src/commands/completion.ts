/** `chat-kernel completion SHELL`: the script by which a shell completes the commands and their flags. */
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
    process.stderr.write(`chat-kernel completion: ${name} is none of ${SHELLS.join(', ')}\n`);
    process.exitCode = USAGE;
  } else process.stdout.write(SCRIPTS[shell](program));
}
