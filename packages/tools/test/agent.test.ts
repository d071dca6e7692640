/** Tests the tool that assigns tasks to sub-agents; the kernel's tests cover sub-agents themselves. */
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import type { AgentJob, ToolOutput } from '@chat-kernel/kernel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenFeatures } from '../../features/src/open-features.ts';
import { agent } from '../src/agent.ts';
import { builtinTools } from '../src/index.ts';
import { workplace } from './workplace.ts';

/** Longer than the pause between two snapshots. */
const PAUSE_MS = 300;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

/** Starts a call whose agents end when the test ends them. */
function called(...agents: object[]) {
  const place = workplace();
  const jobs = new Map<string, AgentJob>();
  const ends = new Map<string, PromiseWithResolvers<ToolOutput>>();
  place.context.runAgent = job => {
    jobs.set(job.name, job);
    const end = Promise.withResolvers<ToolOutput>();
    ends.set(job.name, end);
    return end.promise;
  };
  const answer = agent.run({ agents: agents.map(each => ({ task: 'Do it.', ...each })) }, place.context);
  const end = (name: string, output: string, is_error?: true) =>
    ends.get(name)?.resolve({ output, ...(is_error && { is_error }) });
  return { ...place, jobs, ends, answer, end };
}

it('[BT-10] runs agents concurrently, and returns each answer under its name', async () => {
  const { jobs, answer, end } = called({ name: 'a', tools: ['shell'] }, { name: 'b', task: 'Look.' });
  expect([...jobs.values()]).toMatchObject([
    { name: 'a', task: 'Do it.', tools: ['shell'] },
    { name: 'b', task: 'Look.' },
  ]);
  expect(jobs.get('b')?.tools).toBeUndefined();
  end('b', 'B found it.');
  end('a', 'A did it.\n\nBoth parts.');
  expect(await answer).toEqual({
    output: '== a\nA did it.\n\nBoth parts.\n\n== b\nB found it.',
    is_error: false,
  });
});

it('reports a failed agent, and fails the call only if all fail', async () => {
  const one = called({ name: 'a' }, { name: 'b' });
  one.end('a', 'No model.', true);
  one.end('b', 'Done.');
  expect(await one.answer).toEqual({
    output: '== a\n[this agent failed]\nNo model.\n\n== b\nDone.',
    is_error: false,
  });
  const all = called({ name: 'a' });
  all.end('a', 'No model.', true);
  expect(await all.answer).toMatchObject({ is_error: true });
});

it('[EV-3] shows the work of each agent in one line', async () => {
  const { shown, jobs, answer, end } = called({ name: 'a' }, { name: 'b' });
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(shown).toEqual(['a: begins\nb: begins']);
  jobs.get('b')?.onStep('shell: sleep 1\nand more');
  for (let step = 0; step < 1000; step++) jobs.get('a')?.onStep(`step ${step}`);
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(shown.at(-1)).toBe('a: step 999\nb: shell: sleep 1 and more');
  end('a', '');
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(shown.at(-1)).toBe('a: done\nb: shell: sleep 1 and more');
  end('b', '', true);
  await answer;
  expect(shown.length).toBeLessThan(6);
});

it('requires different and short names, nonempty tasks, and at most eight agents', async () => {
  const nine = Array.from({ length: 9 }, (_, index) => ({ name: String(index) }));
  for (const agents of [
    [],
    nine,
    [{ name: 'a' }, { name: ' a' }],
    [{ name: 'a\nb' }],
    [{ name: 'a\u2028b' }],
    [{ name: 'a\u202eb' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(61) }],
    [{ name: 'a', task: '' }],
  ]) {
    const { answer, jobs } = called(...agents);
    expect(await answer).toMatchObject({
      output: expect.stringMatching(/^The input does not match the schema of agent:\n- agents/),
      is_error: true,
    });
    expect(jobs.size).toBe(0);
  }
  expect((await called({ name: 'a' }, { name: 'a' }).answer).output).toMatch(
    /each agent needs a unique name$/,
  );
});

it('waits for its agents to stop in a stopped call, and shows nothing afterwards', async () => {
  const { shown, answer, ends, end } = called({ name: 'a' }, { name: 'b' });
  let over = false;
  const ended = answer.finally(() => {
    over = true;
  });
  ends.get('a')?.reject(new Error('stopped'));
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(shown.length).toBeGreaterThan(0);
  expect(over).toBe(false);
  end('b', 'late');
  await expect(ended).rejects.toThrow('stopped');
  const before = shown.length;
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(shown.length).toBe(before);
});

it('[BT-10] hides tools that change the chat or ask its people from sub-agents', () => {
  const nowhere = new MachinePaths([]);
  const ofMachine = builtinTools({
    paths: nowhere,
    sandbox: new Sandbox({ sandbox: 'none', network: 'on' }, nowhere),
    environment: {},
    question_timeout_secs: 1,
  });
  const tools = [...ofMachine, ...new OpenFeatures().tools({ paths: nowhere, skillFolders: [] })].filter(
    ({ lead_only }) => lead_only,
  );
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'agent',
    'ask_questions',
    'load_tools',
    'memory',
    'notebook',
    'plan',
    'schedule',
    'sleep',
    'think_harder',
    'workdir',
  ]);
});
