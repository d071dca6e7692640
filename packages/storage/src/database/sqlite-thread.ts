/**
 * The thread that writes to a SQLite database. It loads nothing but Node's driver, and answers each batch of orders
 * with one message.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './sqlite-connection.ts';
import { type Order, SqliteExecutor } from './sqlite-executor.ts';

const executor = new SqliteExecutor(connect(workerData));
parentPort!.on('message', (orders: Order[] | null) => {
  if (orders === null) {
    executor.close();
    parentPort!.close();
  } else {
    parentPort!.postMessage(executor.run(orders));
  }
});
// The first message tells that the database is open.
parentPort!.postMessage([]);
