/**
 * `chat-kernel hands`: lets chats run tools on this machine. Prints a line when it connects, disconnects, reconnects or
 * fails. File access is limited to the directories of --allow.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KernelApiError, KernelClient, type StreamConnection, standBy } from '@chat-kernel/client';
import { DeletedChats, nodeHands, sandboxKind } from '@chat-kernel/hands';
import { isBusy, LocalClient } from '../machine/local-client.ts';
import { stateDirectory, undoHere } from '../machine/state-directory.ts';
import { EXIT } from '../program/exit-codes.ts';
import { printError } from '../program/print-error.ts';
import type { StandByHandsOptions } from './install.ts';

export type { StandByHandsOptions } from './install.ts';
export { install, uninstall } from './install.ts';

/** Runs until SIGTERM, SIGINT or SIGHUP. @returns an exit code of `EXIT` */
export async function hands(options: StandByHandsOptions): Promise<number> {
  const { url, token, name, allow, commands } = options;
  const [workdir] = allow;
  for (const directory of allow) {
    if (!isDirectory(directory)) return refused(`--allow ${directory}: Folder not found.`, EXIT.usage);
  }
  const own = openLocalClient(options);
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
      secret: own.secret,
      platform: process.platform,
      sandbox: await sandboxKind(commands),
      hands: nodeHands({ ...commands, workdir, within: allow, undo }),
      signal: leaving.signal,
      onConnection: connectionLines(`${name} connected to ${url}; folders: ${allow.join(', ')}`),
      onError: error => printError(`chat-kernel hands: ${(error as Error).message}`),
    });
    return EXIT.completed;
  } catch (error) {
    return refused(describeError(error, name), EXIT.refused);
  } finally {
    leave();
    await forgetting;
    for (const signal of signals) process.off(signal, leave);
    own.close();
  }
}

/** Locks the client identity of this name and kernel for this process. Otherwise returns why it can't. */
function openLocalClient({ url, name }: StandByHandsOptions): LocalClient | string {
  const folder = join(stateDirectory(process.env), 'hands');
  const file = createHash('sha256')
    .update(JSON.stringify([url, name]))
    .digest('hex')
    .slice(0, 16);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new LocalClient(join(folder, `${file}.db`));
  } catch (error) {
    if (isBusy(error)) return `${name} is already connected by another process of yours.`;
    return `Can't use ${folder}: ${(error as Error).message}`;
  }
}

/** Prints each change once. @param ready the line for the first connection */
function connectionLines(ready: string): (connection: StreamConnection) => void {
  let away = false;
  let begun = false;
  return connection => {
    if (connection.state === 'open' && (!begun || away)) {
      printError(begun ? 'reconnected' : ready);
      begun = true;
      away = false;
    } else if (connection.state === 'waiting' && !away && connection.attempt > 1) {
      away = true;
      printError('connection lost; retrying');
    }
  };
}

function describeError(error: unknown, name: string): string {
  if (error instanceof KernelApiError && error.code === 'name_taken') {
    return `The name ${name} belongs to another machine. Choose another --name, or remove that machine on the page /machines.`;
  }
  return (error as Error).message;
}

function refused(sentence: string, code: number): number {
  printError(`chat-kernel hands: ${sentence}`);
  return code;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
