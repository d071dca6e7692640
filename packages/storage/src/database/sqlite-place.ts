/** The places where orders run: this thread, for as long as it takes to start another one, and that other one. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { connect } from './sqlite-connection.ts';
import { type Order, type Outcome, SqliteExecutor } from './sqlite-executor.ts';

export interface Place {
  /** Runs the orders of a batch one after another, behind those of all batches before. Rejects where the place is gone. */
  run(orders: Order[]): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** This thread: nothing else happens while an order runs. */
export function here(executor: SqliteExecutor): Place {
  return {
    run: async orders => executor.run(orders),
    close: async () => executor.close(),
  };
}

/**
 * A thread of its own. Resolves once it has the database open.
 * @param onGone called where the thread ended by itself; its batches have rejected by then
 */
export async function thread(path: string, onGone: (cause: unknown) => void): Promise<Place> {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: path });
  // A process whose other work is done may end: the store closes what is open.
  worker.unref();
  await once(worker, 'message');
  const running: PromiseWithResolvers<Outcome[]>[] = [];
  let closing = false;
  let cause: unknown = new Error('The thread that writes to the database ended.');
  worker.on('message', (outcomes: Outcome[]) => {
    running.shift()?.resolve(outcomes);
    if (running.length === 0) worker.unref();
  });
  worker.on('error', error => {
    cause = error;
  });
  worker.on('exit', () => {
    for (const batch of running.splice(0)) batch.reject(cause);
    if (!closing) onGone(cause);
  });
  return {
    run(orders) {
      const batch = Promise.withResolvers<Outcome[]>();
      running.push(batch);
      worker.ref();
      worker.postMessage(orders);
      return batch.promise;
    },
    async close() {
      closing = true;
      worker.ref();
      worker.postMessage(null);
      await once(worker, 'exit');
    },
  };
}

/** @throws the errors of node:sqlite */
export const openHere = (path: string): Place => here(new SqliteExecutor(connect(path)));
