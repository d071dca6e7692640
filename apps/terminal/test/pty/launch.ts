/** The program as a process of its own: `launch.ts <options as JSON>`, or with `--spawn` as the second word a kernel to offer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chat } from '../../src/chat/chat.ts';

const [, , given = '{}', settings] = process.argv;
const options = JSON.parse(given);
// A mistake in the program, for the test that wants one.
process.on('SIGUSR2', () => {
  throw new Error('a mistake');
});
process.exitCode = await chat({ ...options, ...(settings !== undefined && { startKernel }) });

/** The real kernel with the settings file that was named; it ends with the test, which reads its id. */
async function startKernel(): Promise<string> {
  const program = fileURLToPath(new URL('../../../../packages/server/bin/chat-kernel.js', import.meta.url));
  const port = new URL(options.url).port;
  const child = spawn(process.execPath, [program, '--config', settings!, '--port', port], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  const url = /http:\S+/.exec(String(said))?.[0];
  if (url === undefined) throw new Error(`The kernel did not start: ${said}`);
  process.stdout.write(`[kernel ${child.pid}]\n`);
  child.stdout.destroy();
  child.unref();
  return url;
}
