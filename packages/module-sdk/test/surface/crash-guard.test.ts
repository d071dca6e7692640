import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../../test/harness/directory.ts';
import { CrashGuard, GivenUp, SurfaceStore } from '../../src/surface/index.ts';

/** Starts processes that share a file; each begins where the one before it was killed. */
function processes(): () => { guard: CrashGuard; stopping: AbortController; begun: string[]; begin: Begin } {
  const { path, remove } = temporaryDirectory();
  onTestFinished(remove);
  return () => {
    const store = new SurfaceStore(join(path, 'a.sqlite'), []);
    onTestFinished(() => store.close());
    const stopping = new AbortController();
    const guard = new CrashGuard(store, stopping.signal);
    const begun: string[] = [];
    const begin: Begin = async key => {
      await guard.begin(key);
      begun.push(key);
    };
    return { guard, stopping, begun, begin };
  };
}
type Begin = (key: string) => Promise<void>;

/** Waits until everything that could begin has begun. */
const settled = () => new Promise(resolve => setImmediate(resolve));

test('gives up work that was in progress when two processes ended', async () => {
  const start = processes();
  await start().guard.begin('a');
  const second = start().guard;
  expect(second.isGivenUp('a')).toBe(false);
  await second.begin('a');
  const third = start().guard;
  expect(third.isGivenUp('a')).toBe(true);
  await expect(third.begin('a')).rejects.toBeInstanceOf(GivenUp);
  await third.begin('b');
  third.end('a');
  expect(start().guard.isGivenUp('a')).toBe(false);
});

test('puts something else in the place of work that has ended the process twice, once', async () => {
  const start = processes();
  const done: string[] = [];
  const attempt = (guard: CrashGuard) =>
    guard.attempt(
      'a',
      async () => done.push('work'),
      async () => void done.push('notice'),
    );
  for (let count = 0; count < 2; count++) await start().guard.begin('a');
  await attempt(start().guard);
  expect(done).toEqual(['notice']);
  await attempt(start().guard);
  expect(done).toEqual(['notice', 'work']);
  const failing = start().guard.attempt(
    'a',
    () => Promise.reject(new Error('later')),
    () => {},
  );
  await expect(failing).rejects.toThrow('later');
});

test('counts neither an attempt that has ended nor one that a stop interrupts', async () => {
  const start = processes();
  for (let count = 0; count < 3; count++) {
    const { guard } = start();
    await guard.run('done', async () => {});
    await expect(guard.run('failed', () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    await guard.begin('paused');
    guard.pause('paused');
  }
  for (let count = 0; count < 3; count++) {
    const { guard, stopping } = start();
    await guard.begin('stopped');
    stopping.abort(new Error('stopping'));
    await expect(guard.begin('after')).rejects.toThrow('stopping');
  }
  const { guard } = start();
  for (const key of ['done', 'failed', 'paused', 'stopped', 'after']) await guard.begin(key);
});

test('remembers a crash over attempts that fail, until the work has ended', async () => {
  const start = processes();
  await start().guard.begin('a');
  const second = start().guard;
  await expect(second.run('a', () => Promise.reject(new Error('later')))).rejects.toThrow('later');
  await start().guard.begin('a');
  const fourth = start().guard;
  expect(fourth.isGivenUp('a')).toBe(true);
  fourth.end('a');
  await fourth.begin('a');
  fourth.end('a');
  await start().guard.begin('a');
  expect(start().guard.isGivenUp('a')).toBe(false);
});

test('convicts the guilty one of several that ran at the same time', async () => {
  const start = processes();
  const first = start();
  for (const key of ['innocent', 'guilty', 'bystander']) await first.begin(key);
  const second = start();
  await second.begin('other');
  for (const key of ['innocent', 'guilty', 'bystander', 'new']) void second.begin(key);
  await settled();
  // A suspect waits for all work that has begun, and all other work waits for it.
  expect(second.begun).toEqual(['other']);
  second.guard.end('other');
  await settled();
  expect(second.begun).toEqual(['other', 'innocent']);
  second.guard.end('innocent');
  await settled();
  expect(second.begun).toEqual(['other', 'innocent', 'guilty']);
  const third = start();
  await expect(third.begin('guilty')).rejects.toBeInstanceOf(GivenUp);
  for (const key of ['bystander', 'new']) void third.begin(key);
  await settled();
  expect(third.begun).toEqual(['bystander']);
  third.guard.pause('bystander');
  await settled();
  expect(third.begun).toEqual(['bystander', 'new']);
});

test('lets other work continue if a suspect ends before it could begin', async () => {
  const start = processes();
  await start().guard.begin('a');
  const { guard, begun, begin } = start();
  await begin('b');
  void begin('a');
  await settled();
  guard.end('a');
  guard.end('b');
  await settled();
  guard.end('a');
  await begin('c');
  expect(begun).toEqual(['b', 'a', 'c']);
});

test('continues work that has begun without waiting', async () => {
  const { guard, begun, begin } = processes()();
  await begin('a');
  await begin('a');
  expect(begun).toEqual(['a', 'a']);
  guard.end('a');
});
