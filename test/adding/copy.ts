/** A copy of the tree to add things to: its own sources, the installed packages of this one. */
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

const ROOT = resolve(import.meta.dirname, '../..');
const WORKSPACES = '@chat-kernel';

/** Copies what git does not ignore, as it stands now. Its packages are not linked yet. */
export function copyTree(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  const files = listed.toString().split('\0');
  // A deleted file is still listed.
  for (const file of files.filter(file => file !== '' && existsSync(join(ROOT, file)))) {
    cpSync(join(ROOT, file), join(copy, file));
  }
  for (const folder of ['.', ...packageFolders(ROOT)]) linkInstalled(folder, copy);
}

/** Links the packages of the copy, those included that were added to it: what `npm install` does there. */
export function linkPackages(copy: string): void {
  for (const folder of packageFolders(copy)) {
    const link = join(copy, 'node_modules', nameIn(copy, folder));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(copy, folder)), link);
  }
}

/** Makes the files of a recipe and its changes. @throws Error where the place of a change is gone */
export function follow({ files = {}, edits }: Recipe, copy: string): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text, { flag: 'wx' });
  }
  for (const edit of edits) {
    const path = join(copy, edit.file);
    writeFileSync(path, edited(readFileSync(path, 'utf8'), edit));
  }
}

/** Runs a program of node_modules/.bin in the copy. Resolves with what it prints. @throws Error with that where it fails */
export function runIn(copy: string, [program, ...words]: readonly [string, ...string[]]): Promise<string> {
  // What the runner of this test sets is not for those that the copy starts.
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

/** Links each installed package, but none of this repository. */
function linkInstalled(folder: string, copy: string): void {
  const installed = join(ROOT, folder, 'node_modules');
  if (!existsSync(installed)) return;
  const links = join(copy, folder, 'node_modules');
  mkdirSync(links);
  for (const name of readdirSync(installed)) {
    if (name !== WORKSPACES) symlinkSync(join(installed, name), join(links, name));
  }
}
