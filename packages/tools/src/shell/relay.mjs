/**
 * Runs inside the sandbox, whose network is empty: takes connections to its loopback, hands them on through the socket of
 * the way out, and runs the command that follows the socket in its arguments. Ends with that command, and with its code.
 */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [socket, port, program, ...words] = process.argv.slice(2);

const relay = createServer(inside => {
  const outside = connect(socket);
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
