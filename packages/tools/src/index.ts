/** THE list of built-in tools. */
import type { Tool } from '@chat-kernel/kernel';
import { agent } from './agent.ts';
import { askQuestions } from './ask-questions.ts';
import { booksRead } from './books-read.ts';
import { booksSearch } from './books-search.ts';
import { booksUpload } from './books-upload.ts';
import { editFile } from './edit-file.ts';
import { loadTools } from './load-tools.ts';
import type { MachinePaths } from './machine/machine-path.ts';
import { notebook } from './notebook.ts';
import { plan } from './plan.ts';
import { readFile } from './read-file.ts';
import { schedule } from './schedule.ts';
import { type ShellToolOptions, shell } from './shell.ts';
import { sleep } from './sleep.ts';
import { thinkHarder } from './think-harder.ts';
import { workdir } from './workdir.ts';
import { writeFile } from './write-file.ts';

export { MachinePaths } from './machine/machine-path.ts';
export { ownMachine } from './machine/own-machine.ts';
export { sandboxProblem } from './shell/sandbox.ts';
export { GROUPS } from './tool/groups.ts';

interface BuiltinToolOptions {
  /** The paths of the kernel's machine that tools may touch. */
  paths: MachinePaths;
  shell: Pick<ShellToolOptions, 'sandbox' | 'network' | 'timeout_secs'>;
  /** The kernel's environment. */
  environment: ShellToolOptions['environment'];
  /** The time that a question waits for its answer. */
  question_timeout_secs: number;
}

export function builtinTools({
  paths,
  shell: settings,
  environment,
  question_timeout_secs,
}: BuiltinToolOptions): Tool[] {
  const writing = { paths, held: settings.sandbox === 'bwrap' };
  return [
    agent,
    askQuestions(question_timeout_secs),
    booksRead,
    booksSearch,
    booksUpload(paths),
    editFile(writing),
    loadTools,
    notebook,
    plan,
    readFile(paths),
    schedule(question_timeout_secs),
    shell({ ...settings, paths, environment }),
    sleep,
    thinkHarder,
    workdir(writing),
    writeFile(writing),
  ];
}
