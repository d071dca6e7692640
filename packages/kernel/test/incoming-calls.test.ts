/** Tests calls that another kernel makes of the tools of this one's modules and guests (FLEET-4). */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import type { ExtensionCallContext, Extensions, OwnerAsk, RemoteCall, ToolOutput } from '../src/index.ts';
import { IncomingCalls } from '../src/modules/incoming-calls.ts';
import { tool } from './core.ts';

type Run = (input: unknown, context: ExtensionCallContext) => Promise<ToolOutput>;

function opened(tools: Record<string, Run>) {
  const clock = new ManualClock();
  const brought = {
    tools: Object.entries(tools).map(([name, run]) => ({ ...tool(name, run as never), group: name })),
    here: Object.keys(tools).filter(name => name !== 'elsewhere'),
  };
  const calls = new IncomingCalls({ tools: () => brought } as unknown as Extensions, clock);
  const told: unknown[] = [];
  const leave = new AbortController();
  const run = (name: string, id = name, kernel = 'k') =>
    calls.run({ id, name, input: {}, turn_context: {} } as unknown as RemoteCall, {
      kernel,
      signal: leave.signal,
      progress: output => void told.push(output),
      ask: (n: number, what: OwnerAsk) => void told.push([n, what]),
      unask: n => void told.push([n]),
    });
  return { calls, clock, run, told, leave };
}

const never = new AbortController().signal;
const forever: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const failed = (output: string) => ({ output, is_error: true });

it('runs the tool of this name that this kernel has', async () => {
  const { run, told } = opened({
    other: async () => ({ output: 'other' }),
    weather: async (_, { progress }) => {
      progress('half');
      return { output: 'sunny' };
    },
    elsewhere: async () => ({ output: 'far' }),
    broken: () => Promise.reject(new Error('no rain')),
  });
  expect(await run('weather')).toEqual({ output: 'sunny' });
  expect(told).toEqual(['half']);
  expect(await run('broken')).toMatchObject(failed('broken failed: no rain'));
  for (const gone of ['elsewhere', 'none'])
    expect(await run(gone)).toMatchObject(failed(`The tool ${gone} is no longer available.`));
});

it('runs no call twice at once, and ends the calls of a lost kernel and of a caller who leaves', async () => {
  const { calls, run, leave } = opened({ forever });
  const [one, two] = [run('forever', '1', 'lost'), run('forever', '2', 'stays')];
  expect(() => run('forever', '1')).toThrow(expect.objectContaining({ code: 'already_resolved' }));
  calls.lost(['lost']);
  expect(await one).toMatchObject(failed('forever failed: the calling kernel has stopped'));
  leave.abort(new Error('left'));
  await expect(two).rejects.toThrow('left');
});

it('stops: accepts no more calls, gives running ones their time, and then ends them', async () => {
  const gate = Promise.withResolvers<ToolOutput>();
  const { calls, clock, run } = opened({ forever, soon: () => gate.promise });
  const [kept, ended] = [run('soon'), run('forever')];
  const stopped = calls.stop(10_000);
  expect(() => run('soon', 'late')).toThrow(expect.objectContaining({ code: 'shutting_down' }));
  clock.advance(9999);
  gate.resolve({ output: 'done' });
  expect(await kept).toEqual({ output: 'done' });
  clock.advance(1);
  expect(await ended).toMatchObject(failed('forever failed: its kernel is stopping'));
  await stopped;
  const idle = opened({ soon: () => gate.promise });
  await idle.run('soon');
  await idle.calls.stop(10_000);
  expect(idle.clock.timers.size).toBe(0);
});

it('waits on a stop no longer than for its last call', async () => {
  const gate = Promise.withResolvers<ToolOutput>();
  const { calls, clock, run } = opened({ soon: () => gate.promise });
  const call = run('soon');
  const stopped = calls.stop(10_000);
  gate.resolve({ output: 'done' });
  await Promise.all([call, stopped]);
  expect(clock.timers.size).toBe(0);
});

it('asks the user through the caller, each question by its number, until it is answered or unwanted', async () => {
  const question = { question: 'Which?' } as unknown as Parameters<ExtensionCallContext['askOwner']>[0];
  const act = { summary: 'Send' } as unknown as Parameters<ExtensionCallContext['consentToAct']>[0];
  const unwanted = new AbortController();
  const { calls, run, told } = opened({
    ask: async (_, context) => {
      const ending = await context.askOwner(question, never);
      await context.consentToAct(act, unwanted.signal);
      return { output: JSON.stringify(ending) };
    },
  });
  const call = run('ask');
  expect(told).toEqual([[1, { question }]]);
  expect(() => calls.answer('ask', 2, { consent: { allowed: true, reason: '' } })).toThrow(
    expect.objectContaining({ code: 'unknown_request' }),
  );
  calls.answer('ask', 1, { ending: { reason: 'answered' } } as never);
  await new Promise(resolve => setImmediate(resolve));
  expect(told.slice(1)).toEqual([[2, { act }]]);
  unwanted.abort();
  expect(told.slice(2)).toEqual([[2]]);
  calls.answer('ask', 2, { consent: { allowed: false, reason: 'Not now.' } } as never);
  expect(await call).toMatchObject(failed('ask failed: Not now.'));
});
