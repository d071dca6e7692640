// Finds the folder of the compile cache. This is JavaScript, because it runs before the cache is enabled.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the folder: in the packages if they are writable, or the one that an earlier start created in data_dir
 * (packages/server/src/serve.ts). Undefined without both: the server creates one when it has loaded its settings.
 */
export function compiledFolder() {
  // node_modules of the checkout or of the installation.
  const packages = join(import.meta.dirname, '../../../node_modules');
  if (isWritable(packages)) return join(packages, '.cache/chat-kernel');
  const kept = join(resolve(dataFolder()), 'compiled');
  return isWritable(kept) ? kept : undefined;
}

/** Does not read the settings file: only the server does. */
function dataFolder() {
  const words = process.argv;
  const at = words.findIndex(word => /^(-d|--data)$/.test(word));
  const { CHAT_KERNEL_DATA, CHAT_KERNEL_DATA_DIR } = process.env;
  const named = (at > 0 && words[at + 1]) || CHAT_KERNEL_DATA || CHAT_KERNEL_DATA_DIR;
  return named || join(homedir(), '.local/share/chat-kernel');
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
