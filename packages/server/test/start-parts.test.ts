/** Tests small parts of a start: scratch directories, secrets in outputs, and the banner. */
import type { MachinePaths } from '@chat-kernel/hands/own-machine';
import type { ExtensionTool, Store } from '@chat-kernel/kernel';
import { expect, it } from 'vitest';
import { renderBanner } from '../src/start/banner.ts';
import { StopStack } from '../src/start/context.ts';
import { redactOutput } from '../src/start/extensions.ts';
import { sweepScratch } from '../src/start/local-machine.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

it('stops parts in reverse order and once, and the others if one fails', async () => {
  const stopped: string[] = [];
  const errors: unknown[] = [];
  const stops = new StopStack({ ...log, error: facts => void errors.push(facts) });
  stops.push(() => stopped.push('first'));
  stops.push(() => Promise.reject('broken'));
  stops.push(async () => {
    await null;
    stopped.push('last');
  });
  await Promise.all([stops.stopAll(), stops.stopAll()]);
  expect([stopped, errors]).toEqual([['last', 'first'], [{ err: 'broken' }]]);
});

it('removes the scratch directories of deleted chats until the stop, and no others', async () => {
  const removed: string[] = [];
  const warnings: unknown[] = [];
  const stop = new AbortController();
  const paths = {
    scratchChats: async () => ['kept', 'deleted', 'broken', 'late'],
    async removeScratch(id: string) {
      removed.push(id);
      if (id === 'broken') throw new Error('the disk is full');
    },
  } as unknown as MachinePaths;
  const chats = { get: async (id: string) => (id === 'kept' ? {} : undefined) } as Store['chats'];
  const deps = { log: { ...log, warn: (facts: object) => void warnings.push(facts) }, signal: stop.signal };
  await sweepScratch(paths, { chats }, deps);
  expect([removed, warnings]).toEqual([['deleted', 'broken'], [{ err: new Error('the disk is full') }]]);
  stop.abort();
  await sweepScratch(paths, { chats }, deps);
  expect(removed).toHaveLength(2);
});

it('[API-7] hides secrets in the output of tools of others', async () => {
  const output = 'a secret-word of secret-words';
  const tool = { name: 'echo', run: async () => ({ output, is_error: true }) } as unknown as ExtensionTool;
  const { name, run } = redactOutput(tool, ['secret-words', 'secret-word']);
  expect([name, await run({}, {} as never)]).toEqual(['echo', { output: 'a *** of ***', is_error: true }]);
});

it('shows the address, the model, the problems and the next step', () => {
  const facts = { url: 'http://127.0.0.1:8787', data_dir: '/d', model: 'p/m', demo: false, problems: [] };
  const { npm_lifecycle_event: event } = process.env;
  try {
    delete process.env.npm_lifecycle_event;
    expect(renderBanner(facts)).toBe(
      '  model  p/m\n  data   /d\n  next   open http://127.0.0.1:8787 in a browser, or type: chat-kernel chat\n',
    );
    process.env.npm_lifecycle_event = 'start';
    const other = { ...facts, url: 'http://127.0.0.1:1', model: null, problems: ['No key.'] };
    expect(renderBanner(other).split('\n')).toEqual([
      '  model  none; set a provider API key, or run `chat-kernel doctor`',
      '  error  No key.',
      '  data   /d',
      '  next   open http://127.0.0.1:1 in a browser, or type: npm start -- chat --url http://127.0.0.1:1',
      '',
    ]);
  } finally {
    if (event === undefined) delete process.env.npm_lifecycle_event;
    else process.env.npm_lifecycle_event = event;
  }
  expect(renderBanner({ ...facts, demo: true })).toMatch(/^ {2}model {2}p\/m, the built-in demo; not a real/);
});
