/** A client's machine: a separate directory in which operations are really executed, unless the user refuses. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Hands, OperationError } from '@chat-kernel/kernel';
import { type Workplace, workplace } from './workplace.ts';

export interface ClientMachine extends Workplace {
  /** The requested operations, as `action: path or command`. */
  asked: string[];
  /** The timeouts of the commands. */
  timeouts: number[];
  /** Makes the user refuse an operation, with this text. */
  refuse(asked: string, words?: string): void;
  /** Returns the greatest number of simultaneously open operations. */
  most(): number;
}

/**
 * Creates a machine on which calls with its context work. @param said the client's message about a file that it wrote
 */
export function clientMachine({ said = '', exit_codes = true } = {}): ClientMachine {
  const place = workplace();
  const asked: string[] = [];
  const timeouts: number[] = [];
  const refused = new Map<string, string>();
  let open = 0;
  let most = 0;

  const operation = async <T>(action: string, what: string, execute: () => T): Promise<T> => {
    const request = `${action}: ${what}`;
    asked.push(request);
    most = Math.max(most, ++open);
    try {
      await nextTick();
      const words = refused.get(request);
      if (words !== undefined) throw new OperationError(words);
      return execute();
    } finally {
      open--;
    }
  };
  const inPlace = (path: string) => resolve(place.path, path);
  const hands: Pick<Hands, 'read' | 'write' | 'shell'> = {
    read: path =>
      operation('read', path, () => {
        try {
          return readFileSync(inPlace(path), 'utf8');
        } catch (error) {
          throw new OperationError(`no such file: ${path}`, { cause: error });
        }
      }),
    write: (path, content) =>
      operation('write', path, () => {
        mkdirSync(dirname(inPlace(path)), { recursive: true });
        writeFileSync(inPlace(path), content);
        return said;
      }),
    shell: (command, { timeout_secs }) =>
      operation('shell', command, () => {
        timeouts.push(timeout_secs);
        const { stdout, status } = spawnSync('sh', ['-c', command], { cwd: place.path, encoding: 'utf8' });
        return exit_codes ? { output: stdout, exit_code: status ?? -1 } : { output: stdout };
      }),
  };
  // The kernel's machine has no such directory, so a tool that searched there would find nothing.
  Object.assign(place.context, { hands, chat: { workdir: '/home/of/the/client', workdir_on: 'client' } });
  return {
    ...place,
    asked,
    timeouts,
    refuse: (request, words = 'The user declined this operation.') => void refused.set(request, words),
    most: () => most,
  };
}
