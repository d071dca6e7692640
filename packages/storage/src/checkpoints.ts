/** The program of the thread that runs checkpoints: their syncs would block the kernel. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointStep, OpenedDatabase } from './database/checkpoint-thread.ts';
import { changeOf } from './database/database-file.ts';
import { connect } from './database/sqlite-connection.ts';

const { path, opened }: OpenedDatabase = workerData;
// SQLite would make a database of another file at the path, and empty the log of the one that is open.
const change = changeOf(path, opened);
if (change) throw new Error(`${path} was ${change}`);
const connection = connect(path);
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)');
// The first write after a complete checkpoint restarts the log, and syncs that. This one changes nothing, but is written.
const write = connection.prepare('pragma user_version = 0');

parentPort!.on('message', (step: CheckpointStep) => {
  checkpoint.get();
  if (step === 'restart log') write.run();
  parentPort!.postMessage('done');
});
