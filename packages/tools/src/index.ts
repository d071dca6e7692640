/** Lists all built-in tools. */
import type { MachinePaths, Sandbox, WriteRules } from '@chat-kernel/hands/own-machine';
import type { Tool } from '@chat-kernel/kernel';
import { agent } from './agent.ts';
import { askQuestions } from './ask-questions.ts';
import { editFile } from './edit-file.ts';
import { loadTools } from './load-tools.ts';
import { plan } from './plan.ts';
import { readFile } from './read-file.ts';
import { type ShellToolOptions, shell } from './shell.ts';
import { sleep } from './sleep.ts';
import { thinkHarder } from './think-harder.ts';
import { workdir } from './workdir.ts';
import { writeFile } from './write-file.ts';

export { ownMachine } from './machine/own-machine.ts';
export { defineTool, optionalLimit } from './tool/define.ts';
export { GROUPS } from './tool/groups.ts';
export { LocalUndo } from './undo/local-undo.ts';

/** The time limit for all commands of a call that sets none. */
const COMMANDS_TIMEOUT_SECS = 120;

interface BuiltinToolOptions {
  /** The paths of the kernel's machine that tools may touch. */
  paths: MachinePaths;
  /** Restricts the tools that change this machine. */
  sandbox: Sandbox;
  /** The kernel's environment. */
  environment: ShellToolOptions['environment'];
  /** Stores the state of files before tools write them. Absent: states are not stored. */
  undo?: WriteRules['undo'];
  /** How long a question waits for its answer. */
  question_timeout_secs: number;
}

export function builtinTools({
  paths,
  sandbox,
  environment,
  undo,
  question_timeout_secs,
}: BuiltinToolOptions): Tool[] {
  const writing = { paths, sandbox, undo };
  return [
    agent,
    askQuestions(question_timeout_secs),
    editFile(writing),
    loadTools,
    plan,
    readFile(paths),
    shell({ paths, sandbox, timeout_secs: COMMANDS_TIMEOUT_SECS, environment }),
    sleep,
    thinkHarder,
    workdir(writing),
    writeFile(writing),
  ];
}
