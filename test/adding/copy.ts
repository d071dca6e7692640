/** Creates a copy of the tree to add things to: separate sources, with the installed packages of this tree. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { linkPackages } from '../../bench/revision.ts';
import { edited, type Recipe } from './recipe.ts';
import { RECIPES } from './recipes/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A check of all types, or a nested run of tests, takes minutes on a busy machine. */
export const PATIENCE_MS = 900_000;

/** Copies all files that git does not ignore, in their current state. Their packages are not linked yet. */
function copyTree(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  const files = listed.toString().split('\0');
  // git still lists a deleted file.
  for (const file of files.filter(file => file !== '' && existsSync(join(ROOT, file)))) {
    cpSync(join(ROOT, file), join(copy, file));
  }
}

/** Creates the files of a recipe and applies its edits. @throws Error if the anchor of an edit is missing */
function follow({ files = {}, edits }: Recipe, copy: string): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text, { flag: 'wx' });
  }
  for (const edit of edits) {
    const path = join(copy, edit.file);
    writeFileSync(path, edited(readFileSync(path, 'utf8'), edit));
  }
}

/** Copies the tree and follows all recipes there. The generated files are still the old ones. */
export function copyWithAll(copy: string): void {
  copyTree(copy);
  for (const recipe of RECIPES) follow(recipe, copy);
  linkPackages(copy);
}

/**
 * Runs a program of node_modules/.bin in the copy. Resolves with its output. @throws Error with the output if it fails
 */
export function runIn(copy: string, [program, ...words]: readonly [string, ...string[]]): Promise<string> {
  // Variables of the runner of this test are not for the programs that the copy starts.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    PATH: `${join(copy, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  };
  const child = spawn(program, words, { cwd: copy, env });
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', piece => {
    printed += piece;
    said += piece;
  });
  child.stderr.setEncoding('utf8').on('data', piece => {
    said += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${[program, ...words].join(' ')} failed:\n${said}`));
    });
  });
}
