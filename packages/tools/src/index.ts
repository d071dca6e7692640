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
import type { WriteRules } from './machine/write-place.ts';
import { memory } from './memory.ts';
import { notebook } from './notebook.ts';
import { plan } from './plan.ts';
import { readChat } from './read-chat.ts';
import { readFile } from './read-file.ts';
import { schedule } from './schedule.ts';
import { searchChats } from './search-chats.ts';
import type { Sandbox } from './shell/sandbox.ts';
import { type ShellToolOptions, shell } from './shell.ts';
import { skill } from './skill.ts';
import { sleep } from './sleep.ts';
import { thinkHarder } from './think-harder.ts';
import { workdir } from './workdir.ts';
import { writeFile } from './write-file.ts';

export { MachinePaths } from './machine/machine-path.ts';
export { ownMachine } from './machine/own-machine.ts';
export { Sandbox } from './shell/sandbox.ts';
export { FolderSkills } from './skills/skill-reader.ts';
export { GROUPS } from './tool/groups.ts';
export { OwnUndo } from './undo/own-undo.ts';

interface BuiltinToolOptions {
  /** The paths of the kernel's machine that tools may touch. */
  paths: MachinePaths;
  /** What holds the tools that change this machine. */
  sandbox: Sandbox;
  shell: Pick<ShellToolOptions, 'timeout_secs'>;
  /** The kernel's environment. */
  environment: ShellToolOptions['environment'];
  /** Keeps what files are before tools write them. Absent: nothing does. */
  undo?: WriteRules['undo'];
  /** The time that a question waits for its answer. */
  question_timeout_secs: number;
}

export function builtinTools({
  paths,
  sandbox,
  shell: { timeout_secs },
  environment,
  undo,
  question_timeout_secs,
}: BuiltinToolOptions): Tool[] {
  const writing = { paths, sandbox, undo };
  return [
    agent,
    askQuestions(question_timeout_secs),
    booksRead,
    booksSearch,
    booksUpload(paths),
    editFile(writing),
    loadTools,
    memory,
    notebook,
    plan,
    readChat,
    readFile(paths),
    schedule(question_timeout_secs),
    searchChats,
    shell({ paths, sandbox, timeout_secs, environment }),
    skill,
    sleep,
    thinkHarder,
    workdir(writing),
    writeFile(writing),
  ];
}
