/** THE LIST of built-in tools. */
import type { Tool } from '@chat-kernel/kernel';
import { askQuestions } from './ask-questions.ts';
import { editFile } from './edit-file.ts';
import { MachinePaths } from './machine-path.ts';
import { plan } from './plan.ts';
import { readFile } from './read-file.ts';
import { type ShellOptions, shell } from './shell.ts';
import { thinkHarder } from './think-harder.ts';
import { workdir } from './workdir.ts';
import { writeFile } from './write-file.ts';

export { sandboxProblem } from './shell/sandbox.ts';

export interface BuiltinTools {
  /** Real paths of what no tool may touch: the kernel's data directory, settings and key files. */
  forbidden: readonly string[];
  /** Real paths of directories in these that may be read all the same: uploaded files. */
  readable: readonly string[];
  shell: Pick<ShellOptions, 'sandbox' | 'timeout_secs'>;
  /** The kernel's. */
  environment: ShellOptions['environment'];
  /** How long a question waits for its answer. */
  question_timeout_secs: number;
}

export function builtinTools({
  forbidden,
  readable,
  shell: settings,
  environment,
  question_timeout_secs,
}: BuiltinTools): Tool[] {
  const paths = new MachinePaths(forbidden, readable);
  return [
    askQuestions(question_timeout_secs),
    editFile(paths),
    plan,
    readFile(paths),
    shell({ ...settings, paths, environment }),
    thinkHarder,
    workdir(paths),
    writeFile(paths),
  ];
}
