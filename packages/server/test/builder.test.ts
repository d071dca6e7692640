/** Tests how a build of the web client is followed, with a process that the test controls. */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Builder } from '../src/web/builder.ts';

/** A builder with the process that it starts, what it logs, and the number of processes that it has started. */
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
  const builder = new Builder(log, () => {
    starts++;
    return build as never;
  });
  return { builder, build, logged, killed, starts: () => starts };
}

it('starts one build, and knows that it is needed from its first output', async () => {
  const { builder, build, logged, starts } = open();
  const known = [builder.begin(), builder.begin()];
  expect(builder.said).toBeNull();
  build.stdout.write('Building the web client.\nBundling');
  await Promise.all(known);
  expect(builder.said).toBe('Building the web client.');
  expect(logged).toEqual(['Building the web client.']);
  await builder.begin();
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
  const { builder, build, logged } = open();
  const known = builder.begin();
  builder.said = 'Bundling.';
  build.stderr.write('No such ');
  build.stderr.end('module.');
  await once(build.stderr, 'end');
  build.emit(...(event as [string, unknown]));
  await known;
  expect(builder.said).toBeNull();
  expect(logged).toEqual(warned);
});

it('stops the build if one runs', () => {
  const { builder, killed } = open();
  builder.stop();
  expect(killed).toEqual([]);
  void builder.begin();
  builder.stop();
  expect(killed).toEqual(['killed']);
});

it('needs no build if there is no program for it', async () => {
  const builder = new Builder({} as never, null);
  await builder.begin();
  expect(builder.said).toBeNull();
});
