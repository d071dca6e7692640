/** A kernel without tools and machines, and its store, for tests that write histories into the store. */
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import { openKernel, systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import { openStore } from '@chat-kernel/storage';
import { ownMachine } from '@chat-kernel/tools';
import { ownDatabase } from '../harness/database.ts';
import { temporaryDirectory } from '../harness/directory.ts';

export async function openKernelWithStore() {
  const directory = temporaryDirectory();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const url = (await ownDatabase(directory.path)) ?? null;
  const store = await openStore({ data_dir: directory.path, url, log, clock: systemClock });
  const settings = Settings.parse({ llm: { providers: { demo: { kind: 'demo' } } } });
  const models = await openModels({ llm: settings.llm, env: {}, secrets: [], clock: systemClock, log });
  const machine = ownMachine(new MachinePaths([]));
  const own = { store, models, machine, log, settings, clock: systemClock };
  const kernel = await openKernel({ ...own, tools: [], groups: [], secrets: [] });
  const close = async () => {
    await kernel.shutdown(0);
    await store.close();
    directory.remove();
  };
  return { store, kernel, close };
}
