/** Stores on which files each check passed: it passes again on the same files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './checks.ts';
import { digestOf, type Tree } from './tree.ts';

const MEMORY = '.cache/checks/passed.json';
/** More changed files than this are checked as a whole tree. */
const MAX_FILES = 200;

interface Passed {
  /** The command, and one hash of all files that it read, or of the settings of a check that goes file by file. */
  command: readonly string[];
  digest: string;
  /** For a check that goes file by file: path → hash. */
  files?: Record<string, string>;
}
export type Memory = Record<string, Passed>;

export function readMemory(root: string): Memory {
  const path = join(root, MEMORY);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function writeMemory(root: string, memory: Memory): void {
  const path = join(root, MEMORY);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(memory));
}

/** Returns the entry to store once the check has passed on this tree. */
export function passedOn(tree: Tree, { command, reads, eachFileWith }: Check): Passed {
  if (!eachFileWith) return { command, digest: digestOf(tree, reads) };
  const digest = digestOf(tree, file => eachFileWith.test(file));
  return { command, digest, files: Object.fromEntries(tree) };
}

/** The command that still has to run on this tree; null if there is nothing that the check has not passed. */
export function commandFor(tree: Tree, check: Check, passed: Passed | undefined): Check['command'] | null {
  const { command } = check;
  const now = passedOn(tree, check);
  if (now.digest !== passed?.digest || command.join('\0') !== passed.command.join('\0')) return command;
  const { files } = passed;
  if (!files) return null;
  const changed = [...tree].flatMap(([file, hash]) => (files[file] === hash ? [] : [file]));
  if (changed.length === 0) return null;
  if (changed.length > MAX_FILES) return command;
  const [program, ...words] = command;
  return [program, ...words.slice(0, -1), ...changed];
}
