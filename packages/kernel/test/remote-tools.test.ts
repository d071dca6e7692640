/** Tests the tools of modules and guests that only other kernels have (FLEET-4). */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import {
  type AdvertisedTools,
  type CallElsewhere,
  type ExtensionCallContext,
  type FleetStore,
  RemoteCallError,
  type ToolAdvertisements,
} from '../src/index.ts';
import { RemoteTools } from '../src/modules/remote-tools.ts';
import { tool } from './core.ts';

const settled = () => new Promise(resolve => setImmediate(resolve));
const { run: _, ...weather } = { ...tool('weather', async () => ({ output: 'here' })), group: 'sky' };
const group = { name: 'sky', about: 'the sky' };

/** The tools of the module sky on another kernel. */
const on = (id: string, tools: AdvertisedTools['tools'] = [weather]): AdvertisedTools => ({
  kernel: { id, name: `machine-${id}`, url: `http://${id}` },
  group,
  tools,
});

/** @param call what a call on another kernel does */
function opened(call: CallElsewhere = async () => ({ output: 'sunny' })) {
  const clock = new ManualClock();
  const others = { now: [] as AdvertisedTools[] };
  const own = { tools: [] as object[], groups: [] as object[], here: [] as string[] };
  const published: ToolAdvertisements[][] = [];
  const words: unknown[] = [];
  const failures: Error[] = [];
  const logged: string[] = [];
  const changed = { extensions: () => {}, others: async () => {} };
  const store = {
    id: 'me',
    name: 'machine-me',
    toolsBrought: async () => others.now,
    bringTools: async (groups: ToolAdvertisements[]) => {
      const failure = failures.shift();
      if (failure) throw failure;
      published.push(groups);
    },
  } as unknown as FleetStore;
  const remote = new RemoteTools({
    extensions: {
      tools: () => own,
      onChange: (callback: () => void) => {
        changed.extensions = callback;
      },
    } as never,
    shared: {
      onChange: (copy: string, reload: () => Promise<void>) => {
        expect(copy).toBe('tools');
        changed.others = reload;
      },
      publish: (word: unknown) => void words.push(word),
    } as never,
    store,
    call,
    clock,
    log: { debug() {}, info() {}, error() {}, warn: (_: object, text: string) => void logged.push(text) },
  });
  return { remote, clock, others, own, published, words, failures, logged, changed };
}

type Opened = ReturnType<typeof opened>;
const bring = ({ own }: Opened, ...tools: object[]) =>
  Object.assign(own, { tools, groups: [group, { name: 'none', about: '' }], here: ['sky', 'none'] });

const context = (signal = new AbortController().signal) =>
  ({ signal, progress() {}, askOwner() {}, consentToAct() {}, turn_context: {} }) as never;
/** Runs the only tool of another kernel. */
const call = ({ remote }: Opened, scope: ExtensionCallContext = context(), city = 'Oslo') =>
  remote.joined().tools[0]!.run({ city }, scope);

it('offers the tools of other kernels from the start, and calls back when they change', async () => {
  const core = opened();
  const { remote, others, changed } = core;
  let changes = 0;
  remote.onChange(() => changes++);
  others.now = [on('a')];
  await remote.start();
  expect(remote.joined().tools).toMatchObject([
    { name: 'weather', kernel: { id: 'a', name: 'machine-a' }, group: 'sky' },
  ]);
  expect(remote.joined().tools[0]?.kernel).not.toHaveProperty('url');
  expect(changes).toBe(1);
  others.now = [];
  await changed.others();
  await settled();
  expect([remote.joined().tools, changes]).toEqual([[], 2]);
  others.now = [on('b')];
  remote.lost(['a']);
  await settled();
  expect(remote.joined().tools).toMatchObject([{ kernel: { id: 'b' } }]);
  bring(core, weather);
  expect(remote.joined().tools).toMatchObject([{ kernel: { id: 'me', name: 'machine-me' } }]);
  await remote.stop();
  remote.lost([]);
  await settled();
  expect(changes).toBe(3);
});

it('publishes only tools that this kernel has, in full, and once for each change', async () => {
  const core = opened();
  const { remote, published, words, changed } = core;
  const facts = { available: false, assumed_effects: ['send'], asks_itself: true, outside: 'sky' };
  bring(core, { ...weather, ...facts, run() {} }, { ...weather, group: 'guest' });
  await remote.start();
  await settled();
  expect(published).toEqual([[{ group, tools: [{ ...weather, ...facts }] }]]);
  changed.extensions();
  await settled();
  bring(core, { ...weather, run() {} });
  changed.extensions();
  await settled();
  expect(published.slice(1)).toEqual([[{ group, tools: [weather] }]]);
  remote.republish();
  await settled();
  expect(published.slice(2)).toEqual([[{ group, tools: [weather] }]]);
  expect(words).toEqual(Array(3).fill({ what: 'tools' }));
});

it('publishes again after a failure', async () => {
  const core = opened();
  bring(core, weather);
  core.failures.push(new Error('away'));
  await core.remote.start();
  await settled();
  expect(core.published).toEqual([]);
  core.clock.advance(250);
  await settled();
  expect([core.published.length, core.words.length]).toEqual([1, 1]);
});

it('publishes nothing without tools', async () => {
  const { remote, published, words } = opened();
  await remote.start();
  await settled();
  remote.republish();
  await settled();
  expect([published, words]).toEqual([[], []]);
});

it.each([[0], [1]])('withdraws its tools, and publishes no more, after %s failures', async failures => {
  const core = opened();
  const { remote, published, words, logged } = core;
  core.failures.push(...Array(failures).fill(new Error('away')));
  await remote.withdraw();
  expect(published).toEqual(failures === 0 ? [[]] : []);
  expect(logged).toHaveLength(failures);
  expect(words).toEqual([{ what: 'tools' }]);
  bring(core, weather);
  remote.republish();
  await settled();
  expect(words).toHaveLength(1);
});

it('runs a call, with a new id, on the kernel that has the tool now and is up', async () => {
  const made: unknown[][] = [];
  const core = opened(async (...args) => {
    made.push(args);
    return { output: 'sunny' };
  });
  core.others.now = [on('a')];
  await core.remote.start();
  const { run } = core.remote.joined().tools[0]!;
  const other = { ...on('x', [{ ...weather, name: 'tides' }]) };
  core.others.now = [
    { ...on('w'), group: { ...group, name: 'earth' } },
    other,
    on('d', [{ ...weather, available: false }]),
    on('b'),
  ];
  await core.changed.others();
  await settled();
  const scope = context() as ExtensionCallContext;
  expect(await run({ city: 'Oslo' }, scope)).toEqual({ output: 'sunny' });
  const { progress, askOwner, consentToAct } = scope;
  expect(made).toEqual([
    [
      on('b').kernel,
      { id: expect.any(String), name: 'weather', input: { city: 'Oslo' }, turn_context: {} },
      { signal: expect.any(AbortSignal), progress, askOwner, consentToAct },
    ],
  ]);
  core.others.now = [
    on('d', [{ ...weather, available: false }]),
    on('e', [{ ...weather, available: false }]),
  ];
  await core.changed.others();
  await settled();
  await run({}, scope);
  expect(made[1]?.[0]).toEqual(on('d').kernel);
  expect(new Set(made.map(([, sent]) => (sent as { id: string }).id)).size).toBe(2);
  core.others.now = [];
  await core.changed.others();
  await settled();
  expect(await run({}, scope)).toEqual({
    output: 'weather was not called: the machine machine-a, whose kernel has this tool, has stopped.',
    is_error: true,
  });
});

it.each([
  [
    new RemoteCallError(false),
    'weather was not called: the machine machine-a, whose kernel has this tool, is unreachable.',
  ],
  [
    new RemoteCallError(true),
    'weather failed: the machine machine-a, whose kernel has this tool, disconnected before it answered. Whether the call took effect is unknown.',
  ],
])('returns what is known about a call without an answer: %s', async (error, output) => {
  const core = opened(() => Promise.reject(error));
  core.others.now = [on('a')];
  await core.remote.start();
  expect(await call(core)).toEqual({ output, is_error: true });
});

it('throws an unexpected error, and that of a turn that has ended', async () => {
  const core = opened((_, __, { signal }) =>
    Promise.reject(signal.aborted ? new RemoteCallError(true) : new Error('broken')),
  );
  core.others.now = [on('a')];
  await core.remote.start();
  await expect(call(core)).rejects.toThrow('broken');
  await expect(call(core, context(AbortSignal.abort(new Error('over'))))).rejects.toThrow('over');
});

it('ends the calls on dead kernels, and no others', async () => {
  const signals: AbortSignal[] = [];
  const core = opened((_, { input }, { signal }) => {
    signals.push(signal);
    if (input.city === 'Rome') return Promise.resolve({ output: 'sunny' });
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new RemoteCallError(true))),
    );
  });
  core.others.now = [on('a')];
  await core.remote.start();
  await call(core, context(), 'Rome');
  const lost = call(core);
  core.others.now = [on('b')];
  await core.changed.others();
  await settled();
  void call(core);
  core.remote.lost(['a', 'c']);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
  expect(await lost).toMatchObject({ is_error: true });
});
