/** Tests how a build of the web client is followed, with a process that the test controls. */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { WebClient } from '../src/web/web-client.ts';

/** A web client with the process of its build, what it logs, and the number of processes that it has started. */
function open() {
  const killed: unknown[] = [];
  const build = Object.assign(new EventEmitter(), {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    kill: () => killed.push('killed') > 0,
  });
  const logged: unknown[] = [];
  const log = {
    debug() {},
    error() {},
    info: (_: object, sentence: string) => void logged.push(sentence),
    warn: (facts: object, sentence: string) => void logged.push({ ...facts, sentence }),
  };
  let starts = 0;
  const client = new WebClient(log, () => {
    starts++;
    return build as never;
  });
  return { client, build, logged, killed, starts: () => starts };
}

it('starts one build, and knows that it is needed from its first output', async () => {
  const { client, build, logged, starts } = open();
  const known = [client.prepare(), client.prepare()];
  expect(client.building).toBeNull();
  build.stdout.write('Building the web client.\nBundling');
  await Promise.all(known);
  expect(client.building).toBe('Building the web client.');
  expect(logged).toEqual(['Building the web client.']);
  await client.prepare();
  expect(starts()).toBe(1);
});

it.each([
  ['of success', ['close', 0], []],
  ['of a kill', ['close', null], []],
  [
    'of a failure',
    ['close', 1],
    [{ problem: 'No such module.', sentence: 'building the web client failed' }],
  ],
  [
    'of no program',
    ['error', new Error('no nice')],
    [{ problem: 'Error: no nice', sentence: 'building the web client failed' }],
  ],
] as const)('ends at the news %s', async (_, event, warned) => {
  const { client, build, logged } = open();
  const known = client.prepare();
  client.building = 'Bundling.';
  build.stderr.write('No such ');
  build.stderr.end('module.');
  await once(build.stderr, 'end');
  build.emit(...(event as [string, unknown]));
  await known;
  expect(client.building).toBeNull();
  expect(logged).toEqual(warned);
});

it('stops the build if one runs', () => {
  const { client, killed } = open();
  client.stop();
  expect(killed).toEqual([]);
  void client.prepare();
  client.stop();
  expect(killed).toEqual(['killed']);
});

it('needs no build if there is no program for it', async () => {
  const client = new WebClient({} as never, null);
  await client.prepare();
  expect(client.building).toBeNull();
});
