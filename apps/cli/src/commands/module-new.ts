/** `chat-kernel module new NAME`: writes a module, or a surface, that works, with its test. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

/** apps/cli of a checkout, or the installed package. */
const PACKAGE = join(import.meta.dirname, '../..');
const TEMPLATES = join(PACKAGE, 'templates');
/** A module uses the SDK of this kernel, for none is published: in a checkout it is a package. */
const SHIPPED = join(PACKAGE, 'module-sdk');
const isInstalled = existsSync(SHIPPED);
const SDK = isInstalled ? SHIPPED : join(PACKAGE, '../../packages/module-sdk');
const ROOT = isInstalled ? PACKAGE : join(PACKAGE, '../..');
/** Valid module names. The prefix `mcp_` is reserved for MCP servers. */
const NAME = /^(?!mcp(_|$))[a-z][a-z0-9_-]{0,31}$/;

/**
 * Creates the module.
 * @param folder default: NAME in the current directory
 * @param template the folder in templates/ with its files
 * @returns the next steps for the user
 * @throws Error with a message for the user if the name is invalid or the folder is in use
 */
export async function moduleNew(
  name: string,
  { folder = name, template }: { folder: string | undefined; template: 'module' | 'surface' },
): Promise<string> {
  if (!NAME.test(name)) {
    throw new Error(
      `"${name}" is not a valid module name. Use a lowercase letter, then lowercase letters, digits, _ and -, ` +
        'at most 32 characters, not starting with mcp_.',
    );
  }
  const target = resolve(folder);
  await checkEmpty(target);
  await mkdir(target, { recursive: true });
  const words: Record<string, string> = { NAME: name, SDK, ROOT, HERE: target };
  const source = join(TEMPLATES, template);
  for (const file of await readdir(source)) {
    const text = (await readFile(join(source, file), 'utf8')).replace(
      /\b(NAME|SDK|ROOT|HERE)\b/g,
      word => words[word] as string,
    );
    const content = file === 'package.json' ? await withNode(text) : text;
    // The user may add passwords to the settings, which a module rejects if other users can read them.
    await writeFile(join(target, file), content, { mode: file === 'config.yaml' ? 0o600 : 0o666 });
  }
  const cd = relative('', target) || '.';
  return `Created ${name} in ${target}. Next:\n  cd ${cd} && npm install && npm test\n  npm start\n`;
}

async function checkEmpty(folder: string): Promise<void> {
  const there = await stat(folder).catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (there === undefined) return;
  if (!there.isDirectory()) throw new Error(`${folder} already exists and is not a folder.`);
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Choose another folder with --dir.`);
}

/**
 * Adds the kernel's Node version to the module's dependencies, because the system's Node may be too old for TypeScript.
 */
async function withNode(text: string): Promise<string> {
  const own = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { optionalDependencies } = own as { optionalDependencies: Record<string, string> };
  return `${JSON.stringify({ ...JSON.parse(text), optionalDependencies }, null, 2)}\n`;
}
