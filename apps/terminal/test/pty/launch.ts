/** The program as a process: `launch.ts <options as JSON> [<chat-kernel.js> <settings file of the kernel that it may start>]`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chat } from '../../src/chat/chat.ts';

const [, , given = '{}', program, settings] = process.argv;
const options = JSON.parse(given);
// A crash of the program on request.
process.on('SIGUSR2', () => {
  throw new Error('a mistake');
});
process.exitCode = await chat({ ...options, ...(program !== undefined && { startKernel }) });

/** Starts the real kernel with the given settings file; the test reads its process id from the output, and ends it. */
async function startKernel(): Promise<string> {
  const port = new URL(options.url).port;
  const child = spawn(process.execPath, [program!, '--config', settings!, '--port', port], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output] = await once(child.stdout, 'data');
  const url = /http:\S+/.exec(String(output))?.[0];
  if (url === undefined) throw new Error(`The kernel did not start: ${output}`);
  process.stdout.write(`[kernel ${child.pid}]\n`);
  child.stdout.destroy();
  child.unref();
  return url;
}
