/**
 * Sets up the machine of the kernel: the paths that tools may access, the sandbox of commands, and the undo of edits.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { CacheCopies, MachinePaths, Sandbox, SecretPlaces } from '@chat-kernel/hands/own-machine';
import type { Log, Store } from '@chat-kernel/kernel';
import { filesDirectory } from '@chat-kernel/storage';
import { builtinTools, LocalUndo, ownMachine } from '@chat-kernel/tools';
import type { StartContext } from './context.ts';
import { readableSkills, skillDirectories } from './skill-directories.ts';

/** @param settingsPlaces absolute paths that no tool may access, besides the data directory */
export async function openLocalMachine(
  { settings, environment, log }: StartContext,
  settingsPlaces: readonly string[],
) {
  const { data_dir } = settings;
  const { shell, undo: isOn, secret_paths } = settings.tools;
  const { question_timeout_secs } = settings.requests;
  const skillFolders = skillDirectories(settings);
  const data = await realpath(data_dir);
  const readable = [filesDirectory(data), ...readableSkills(skillFolders)];
  const paths = new MachinePaths([data_dir, ...settingsPlaces], readable, {
    secrets: new SecretPlaces(secret_paths),
    scratch: join(data, 'scratch'),
  });
  const caches = new CacheCopies(shell.cache_dirs, join(data, 'caches'));
  void caches.clean().catch(error => log.warn({ err: error }, 'old copies of caches could not be deleted'));
  const sandbox = new Sandbox({ ...shell, caches }, paths);
  const undo = new LocalUndo({ directory: join(data_dir, 'undo'), isOn, rules: { paths, sandbox }, log });
  return {
    machine: ownMachine(paths, sandbox),
    sandbox,
    undo,
    folders: { paths, skillFolders },
    tools: builtinTools({ paths, sandbox, environment, undo, question_timeout_secs }),
  };
}

/** Never rejects. Keeps a directory if the database does not say that its chat is deleted. */
export async function sweepScratch(
  paths: MachinePaths,
  { chats }: Pick<Store, 'chats'>,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  try {
    for (const id of await paths.scratchChats()) {
      if (signal.aborted) return;
      if ((await chats.get(id)) === undefined) await paths.removeScratch(id);
    }
  } catch (error) {
    log.warn({ err: error }, 'removing scratch directories of deleted chats failed');
  }
}
