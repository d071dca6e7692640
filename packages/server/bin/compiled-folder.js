// Where compiled code is kept. JavaScript, for it is asked before Node keeps anything.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the folder: beside the packages where they can be written, else the one that an earlier start has made in
 * data_dir (src/start/keep-compiled.ts). Undefined where there is neither: the server makes one when it knows its settings.
 */
export function compiledFolder() {
  // node_modules of a checkout, or the one that chat-kernel was installed in.
  const packages = join(import.meta.dirname, '../../../node_modules');
  if (isWritable(packages)) return join(packages, '.cache/chat-kernel');
  const kept = join(resolve(dataFolder()), 'compiled');
  return isWritable(kept) ? kept : undefined;
}

/** The settings file is not read here: what it names is known to the server alone. */
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
