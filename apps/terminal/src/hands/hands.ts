/**
 * `chat-kernel hands`: this machine stands by for chats that name it. Quiet, as services are: a line when it is ready, one
 * when the kernel is away or back, and one for what it refuses. Its files are held to the directories of --allow.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KernelApiError, KernelClient, type StreamConnection, standBy } from '@chat-kernel/client';
import { DeletedChats, nodeHands } from '@chat-kernel/client/node';
import { isBusy, OwnClient } from '../machine/own-client.ts';
import { stateDirectory, undoHere } from '../machine/state-directory.ts';
import { EXIT } from '../program/exit-codes.ts';
import { say } from '../program/say.ts';
import type { StandByHandsOptions } from './options.ts';

export { install, uninstall } from './install.ts';
export type { StandByHandsOptions } from './options.ts';

/** Stands by until SIGTERM, SIGINT or SIGHUP. @returns an exit code of `EXIT` */
export async function hands(options: StandByHandsOptions): Promise<number> {
  const { url, token, name, allow } = options;
  const [workdir] = allow;
  for (const directory of allow) {
    if (!isDirectory(directory)) return refused(`--allow ${directory}: there is no such folder`, EXIT.usage);
  }
  const own = ownClientOf(options);
  if (typeof own === 'string') return refused(own, EXIT.usage);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  const client = new KernelClient({ url, token });
  const undo = undoHere(client.url);
  const forgetting = new DeletedChats(client, undo).follow(leaving.signal);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, leave);
  try {
    await standBy({
      client,
      name,
      client_id: own.client_id,
      platform: process.platform,
      hands: nodeHands({ workdir, within: allow, undo }),
      signal: leaving.signal,
      onConnection: connectionLines(`${name} stands by for ${url}, in ${allow.join(', ')}`),
      onError: error => say(`chat-kernel hands: ${(error as Error).message}`),
    });
    return EXIT.completed;
  } catch (error) {
    return refused(sentenceOf(error, name), EXIT.refused);
  } finally {
    leave();
    await forgetting;
    for (const signal of signals) process.off(signal, leave);
    own.close();
  }
}

/** The client of this name and kernel, which one process at a time may be; else a sentence that says why not. */
function ownClientOf({ url, name }: StandByHandsOptions): OwnClient | string {
  const folder = join(stateDirectory(process.env), 'hands');
  const file = createHash('sha256')
    .update(JSON.stringify([url, name]))
    .digest('hex')
    .slice(0, 16);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new OwnClient(join(folder, `${file}.db`));
  } catch (error) {
    if (isBusy(error)) return `${name} stands by already: another process of yours does it`;
    return `${folder} can't be used: ${(error as Error).message}`;
  }
}

/** Says each change once. @param ready what is said when the kernel is there */
function connectionLines(ready: string): (connection: StreamConnection) => void {
  let away = false;
  let begun = false;
  return connection => {
    if (connection.state === 'open' && (!begun || away)) {
      say(begun ? 'the kernel is back' : ready);
      begun = true;
      away = false;
    } else if (connection.state === 'waiting' && !away && connection.attempt > 1) {
      away = true;
      say('the kernel cannot be reached; trying again and again');
    }
  };
}

function sentenceOf(error: unknown, name: string): string {
  if (error instanceof KernelApiError && error.code === 'name_taken') {
    return `the name ${name} belongs to another machine: choose another --name, or forget that machine on the page /machines`;
  }
  return (error as Error).message;
}

function refused(sentence: string, code: number): number {
  say(`chat-kernel hands: ${sentence}`);
  return code;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
