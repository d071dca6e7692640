/** Tests the log for human readers: the program on a real terminal. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { expect, it, onTestFinished } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { PROGRAM } from '../../../test/harness/program.ts';

it.each([
  ['with colors', {}, true],
  ['without colors if NO_COLOR is set', { NO_COLOR: '1' }, false],
])('formats lines for people on a terminal, %s', { timeout: 120_000 }, async (_, environment, coloured) => {
  const home = directoryOfTest();
  const { PATH } = process.env;
  const pty = spawn(process.execPath, [PROGRAM, '--port', '0', '--data', join(home, 'data')], {
    cols: 200,
    cwd: home,
    env: { PATH, HOME: home, TERM: 'xterm-256color', ...environment },
  });
  const ended = new Promise(resolve => pty.onExit(resolve));
  onTestFinished(async () => {
    pty.kill('SIGKILL');
    await ended;
  });
  let shown = '';
  pty.onData(text => {
    shown += text;
  });
  const text = () => stripVTControlCharacters(shown);
  await expect.poll(text, { timeout: 60_000 }).toMatch(/ {2}next {3}open http/);
  const url = /listening on (\S+)/.exec(text())?.[1];
  expect(text()).toContain('  model  demo/demo, the built-in demo');
  expect(text()).toContain(`  data   ${join(home, 'data')}`);
  await fetch(`${url}/v1/models`);
  await expect.poll(text, { timeout: 60_000 }).toMatch(/\n\S+ \S+ info {2}request .*route=\/v1\/models/);
  expect(text()).not.toMatch(/^\{/m);
  expect(shown.includes('\x1b[')).toBe(coloured);
});
