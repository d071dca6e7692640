/** The thread that writes, which ends when it is to store the word "die". */
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', message => {
  if (JSON.stringify(message).includes('"die"')) process.exit(1);
});
await import('../src/writer-thread.ts');
