/** Runs jobs in the process of the reader, one after the other. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { stop } from './process.ts';
import type { Job, Report, Said } from './reader.ts';

export class Readers {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'reader.ts'));

  /** Reads all responses to their end. @param begun called when each has begun */
  async read(job: Job, begun?: () => void): Promise<Report> {
    this.#child.send(job);
    await this.#says('ready');
    const ends = this.#ends();
    if (begun) void this.#says('begun').then(begun);
    this.#child.send('go');
    return ends;
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }

  #says(word: Said): Promise<void> {
    return this.#heard(said => said === word).then(() => undefined);
  }

  #ends(): Promise<Report> {
    return this.#heard(said => typeof said === 'object') as Promise<Report>;
  }

  #heard(wanted: (said: Said) => boolean): Promise<Said> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const hear = (said: Said): void => {
        if (!wanted(said)) return;
        child.off('message', hear).off('exit', gone);
        resolve(said);
      };
      const gone = () => reject(new Error('The reader ended too early'));
      child.on('message', hear).once('exit', gone);
    });
  }
}

/** Milliseconds from the sending to the end of the last response. */
export const wallOf = ({ sent, ended }: Report): number => Math.max(...ended) - sent;
