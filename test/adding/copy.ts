/** Creates a copy of the tree to add things to: separate sources, with the installed packages of this tree. */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { edited, type Recipe } from './recipe.ts';
import { RECIPES } from './recipes/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WORKSPACES = '@chat-kernel';

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
  for (const folder of ['.', ...packageFolders(ROOT)]) linkInstalled(folder, copy);
}

/** Links the packages of the copy, including added ones, as `npm install` does there. */
function linkPackages(copy: string): void {
  for (const folder of packageFolders(copy)) {
    const link = join(copy, 'node_modules', nameIn(copy, folder));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(copy, folder)), link);
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

function packageFolders(root: string): string[] {
  return ['packages', 'apps'].flatMap(folder =>
    readdirSync(join(root, folder))
      .map(name => `${folder}/${name}`)
      .filter(path => existsSync(join(root, path, 'package.json'))),
  );
}

/** `packages/client` → `@chat-kernel/client`. */
const nameIn = (root: string, folder: string): string =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name;

/** Links each installed package, except those of this repository. */
function linkInstalled(folder: string, copy: string): void {
  const installed = join(ROOT, folder, 'node_modules');
  if (!existsSync(installed)) return;
  const links = join(copy, folder, 'node_modules');
  mkdirSync(links);
  for (const name of readdirSync(installed)) {
    if (name !== WORKSPACES) symlinkSync(join(installed, name), join(links, name));
  }
}
