/**
 * Runs inside of the sandbox, whose network is empty: forwards connections on its loopback to the egress proxy, and runs
 * the command in its remaining arguments. Exits together with that command, and with its exit code. Everything goes
 * through one inherited connection, as streams of HTTP/2, because the sandbox cannot open sockets to the outside.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:http2';
import { createServer, Socket } from 'node:net';
import { constants } from 'node:os';

const [descriptor, port, program, ...words] = process.argv.slice(2);

const session = connect('http://proxy', { createConnection: () => new Socket({ fd: Number(descriptor) }) });
// Connections fail one by one if the kernel has ended this one.
session.on('error', () => {});
const relay = createServer(inside => {
  if (session.destroyed || session.closed) {
    inside.destroy();
    return;
  }
  const outside = session.request({ ':method': 'POST' });
  inside.pipe(outside).pipe(inside);
  for (const [one, other] of [
    [inside, outside],
    [outside, inside],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
relay.listen(Number(port), '127.0.0.1', () => {
  const command = spawn(program, words, { stdio: 'inherit' });
  command.on('error', error => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  command.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
