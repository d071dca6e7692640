/** A writer thread that exits when it must store the word "die". */
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', message => {
  if (JSON.stringify(message).includes('"die"')) process.exit(1);
});
await import('../src/writer-thread.ts');
