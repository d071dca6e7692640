/** `chat-kernel module new NAME`: writes a module that works, with its test. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

/** packages/server of a checkout, or the package that was installed. */
const PACKAGE = join(import.meta.dirname, '../..');
const TEMPLATE = join(PACKAGE, 'templates/module');
/** A module uses the SDK of this kernel, for none is published: in a checkout it is a package beside the server. */
const SHIPPED = join(PACKAGE, 'module-sdk');
const isInstalled = existsSync(SHIPPED);
const SDK = isInstalled ? SHIPPED : join(PACKAGE, '../module-sdk');
const ROOT = isInstalled ? PACKAGE : join(PACKAGE, '../..');
/** Pattern of the names that the kernel takes; `mcp_` is kept for MCP servers. */
const NAME = /^(?!mcp(_|$))[a-z][a-z0-9_-]{0,31}$/;

/**
 * Writes the module.
 * @param folder default: NAME in the present directory
 * @returns a text for people on what to do next
 * @throws Error whose message is for people, where the name can't be one or the folder is in use
 */
export async function moduleNew(name: string, folder = name): Promise<string> {
  if (!NAME.test(name)) {
    throw new Error(
      `"${name}" cannot be the name of a module: a small letter comes first, then small letters, digits, _ and -, ` +
        '32 characters in all, and it does not begin with mcp_.',
    );
  }
  const target = resolve(folder);
  await checkEmpty(target);
  await mkdir(target, { recursive: true });
  const words: Record<string, string> = { NAME: name, SDK, ROOT, HERE: target };
  for (const file of await readdir(TEMPLATE)) {
    const text = (await readFile(join(TEMPLATE, file), 'utf8')).replace(
      /\b(NAME|SDK|ROOT|HERE)\b/g,
      word => words[word] as string,
    );
    await writeFile(join(target, file), file === 'package.json' ? await withNode(text) : text);
  }
  const cd = relative('.', target) || '.';
  return `${name} is in ${target}. Next:\n  cd ${cd} && npm install && npm test\n  npm start\n`;
}

async function checkEmpty(folder: string): Promise<void> {
  const there = await stat(folder).catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new Error(`${folder} is there already, and is no folder.`);
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty; --dir names another folder.`);
}

/**
 * Adds the Node that runs the kernel to the module's dependencies: that of the machine may be too old to run
 * TypeScript.
 */
async function withNode(text: string): Promise<string> {
  const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { optionalDependencies } = own as { optionalDependencies: Record<string, string> };
  return `${JSON.stringify({ ...JSON.parse(text), optionalDependencies }, null, 2)}\n`;
}
