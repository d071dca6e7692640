/** Calls that a server runs as tasks: followed to their end, cancelled with their call, and never lost without a word. */
import type { OwnerQuestion, RequestEnding, ToolOutput } from '@chat-kernel/kernel';
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Desk, isUp, openDesk, program, until } from './fixtures/desk.ts';
import type { Message } from './fixtures/guest-server.ts';
import { httpGuest } from './fixtures/http-server.ts';
import { type Step, TaskServer } from './fixtures/task-server.ts';

/** Between two questions how a task stands: as the server wishes, and where the line is broken or it wishes nothing. */
const PAUSES = [700, 50_000, 1000];
const working: Step = { status: 'working' };
const completed: Step = { status: 'completed' };

async function overStdio(): Promise<Desk & { came(): Message[] }> {
  const guest = program('2025-11-25', 'tasks');
  const desk = openDesk({ g: guest.entry });
  await isUp(desk);
  return { ...desk, came: guest.came };
}

async function overHttp(server = new TaskServer()) {
  const guest = await httpGuest('2025-11-25', 0, server);
  onTestFinished(guest.stop);
  const desk = openDesk({ g: { url: guest.url } });
  await isUp(desk);
  return { ...desk, guest, server, came: (): Message[] => server.came };
}

/** Lets one pause between two questions pass. @throws Error there is none yet */
function pass({ clock }: Desk): void {
  const left = [...clock.timers].map(({ at }) => at - clock.now()).filter(ms => PAUSES.includes(ms));
  if (left.length === 0) throw new Error('nobody pauses');
  clock.advance(Math.min(...left));
}

/** Lets all pauses pass until there is an output. */
async function outputOf(desk: Desk, answer: Promise<ToolOutput>): Promise<ToolOutput> {
  let output: ToolOutput | undefined;
  void answer.then(given => {
    output = given;
  });
  return until(() => {
    if (output !== undefined) return output;
    pass(desk);
    throw new Error('it runs');
  });
}

const sent = (came: Message[], method: string) => came.filter(each => each.method === method);
const failed = (output: string) => ({ output, is_error: true });

describe.each([
  ['stdio', overStdio],
  ['streamable HTTP', overHttp],
] as const)('over %s', (wire, open) => {
  it('[MCP-1] a tool that needs it is called as a task, one that leaves the choice where lines break', async () => {
    const desk = await open();
    const input = { steps: [completed] };
    expect(await outputOf(desk, desk.call('mcp_g_required', input))).toEqual({
      output: 'all done',
      is_error: false,
    });
    await outputOf(desk, desk.call('mcp_g_optional', input));
    await outputOf(desk, desk.call('mcp_g_echo', input));
    const asTasks = sent(desk.came(), 'tools/call').map(({ params }) => [params?.name, params?.task]);
    expect(asTasks).toEqual([
      ['required', {}],
      ['optional', wire === 'stdio' ? undefined : {}],
      ['echo', undefined],
    ]);
  });

  it('[MCP-1] it is asked about as often as the server wishes, and its messages are the progress', async () => {
    const desk = await open();
    const shown: string[] = [];
    const reading: Step = { status: 'working', statusMessage: 'Reading' };
    const steps: Step[] = [reading, reading, { status: 'working', statusMessage: 'Writing' }, completed];
    const answer = desk.call('mcp_g_required', { steps }, { progress: text => void shown.push(text) });
    const began = desk.clock.now();
    expect(await outputOf(desk, answer)).toEqual({ output: 'all done', is_error: false });
    expect(desk.clock.now() - began).toBe(4 * 700);
    expect(shown).toEqual(['Reading', 'Writing']);
    expect(sent(desk.came(), 'tasks/get')).toHaveLength(4);
    expect(sent(desk.came(), 'tasks/cancel')).toEqual([]);
  });

  it('[MCP-2] its server is told its number, and nothing of the turn', async () => {
    const desk = await open();
    const input = { steps: [completed] };
    await outputOf(desk, desk.call('mcp_g_required', input));
    const told = ['tools/call', 'tasks/get', 'tasks/result'].flatMap(method => sent(desk.came(), method));
    expect(told.map(({ params }) => params)).toEqual([
      { name: 'required', arguments: input, task: {} },
      { taskId: 'task-1' },
      { taskId: 'task-1' },
    ]);
    expect(JSON.stringify(desk.came())).not.toContain('secret-');
  });

  it('[MCP-1] a task that fails, is cancelled there or has expired says so', async () => {
    const desk = await open();
    const ending = (step: Step, result?: object | null) =>
      outputOf(desk, desk.call('mcp_g_required', { steps: [working, step], result }));
    const full: Step = { status: 'failed', statusMessage: 'The disk is full.' };
    const result = { content: [{ type: 'text', text: 'Of 3 pages 1 was lost.' }] };
    expect(await ending(full, result)).toEqual(failed('Of 3 pages 1 was lost.'));
    expect(await ending(full, null)).toEqual(failed('The task failed: The disk is full.'));
    expect(await ending({ status: 'failed' }, null)).toEqual(failed('The task failed.'));
    expect(await ending({ status: 'cancelled', statusMessage: 'By night.' })).toEqual(
      failed('The server cancelled the task: By night.'),
    );
    expect((await ending('forget')).output).toMatch(
      /^The server no longer says how the task stands: .*Task not found\. It may have expired\. Whether it took effect is unknown\.$/,
    );
  });

  it('[MCP-1] it is cancelled with its call, and not asked about any more', async () => {
    const desk = await open();
    const stop = new AbortController();
    const answer = desk.call('mcp_g_required', { steps: [working] }, { signal: stop.signal });
    await until(() => pass(desk));
    await until(() => expect(sent(desk.came(), 'tasks/get')).toHaveLength(1));
    stop.abort();
    expect(await answer).toEqual(failed(UNFINISHED_RESULT));
    expect(sent(desk.came(), 'tasks/cancel').map(({ params }) => params)).toEqual([{ taskId: 'task-1' }]);
    desk.clock.advance(5000);
    expect((await desk.call('mcp_g_echo', { n: 1 })).output).toBe('{"n":1}');
    expect(sent(desk.came(), 'tasks/get')).toHaveLength(1);
  });

  it('[MCP-1] each answer is a sign of life; 120 s without one end it', async () => {
    const desk = await open();
    const slowly: Step = { status: 'working', pollInterval: 50_000 };
    const answer = desk.call('mcp_g_required', { steps: [slowly, slowly, slowly, 'ignore'] });
    // 150 s of work.
    for (let step = 0; step < 4; step += 1) {
      await until(() => pass(desk));
      await until(() => expect(sent(desk.came(), 'tasks/get')).toHaveLength(step + 1));
    }
    desk.clock.advance(120_000);
    expect((await answer).output).toMatch(/^The server gave no answer and no sign of progress for 120 s\. /);
    expect(sent(desk.came(), 'tasks/cancel')).toHaveLength(1);
  });

  it('[MCP-4] what it asks is asked in its own call, also where several run', async () => {
    const desk = await open();
    const steps: Step[] = [working, { status: 'input_required' }];
    const asked: [string, string][] = [];
    const call = (id: string, answer: string) =>
      outputOf(
        desk,
        desk.call(
          'mcp_g_required',
          { steps },
          {
            async askOwner({ question }: OwnerQuestion): Promise<RequestEnding> {
              asked.push([id, question]);
              return { reason: 'answered', answer: { id, answer } };
            },
          },
        ),
      );
    const [one, other] = await Promise.all([call('one', 'Accept'), call('other', 'Decline to answer')]);
    expect(one.output).toBe('{"action":"accept","content":{}}');
    expect(other.output).toBe('{"action":"decline"}');
    const question = 'The tool server g asks: Which one?';
    expect(asked.sort()).toEqual([
      ['one', question],
      ['other', question],
    ]);
  });
});

it('[MCP-1] a server that offers no tasks gets plain calls, and a tool that needs them is left out', async () => {
  const server = new TaskServer();
  server.tasks = undefined;
  const desk = await overHttp(server);
  expect(desk.mcp.tools().map(({ name }) => name)).toEqual(['mcp_g_echo', 'mcp_g_optional']);
  await desk.call('mcp_g_optional');
  expect(sent(server.came, 'tools/call').map(({ params }) => params?.task)).toEqual([undefined]);
  expect(desk.log.find(({ level }) => level === 'warn')?.facts.left_out).toEqual([
    'required: it runs only as a task, which its server does not offer',
  ]);
});

it('[MCP-1] a server that cannot cancel is left with the task', async () => {
  const server = new TaskServer();
  server.tasks = { requests: { tools: { call: {} } } };
  const desk = await overHttp(server);
  const stop = new AbortController();
  const answer = desk.call('mcp_g_required', { steps: [working] }, { signal: stop.signal });
  await until(() => pass(desk));
  stop.abort();
  expect(await answer).toEqual(failed(UNFINISHED_RESULT));
  expect(sent(server.came, 'tasks/cancel')).toEqual([]);
});

it('[MCP-1] a task that begins after its call was cancelled is cancelled; one that never begins is not waited for', async () => {
  const desk = await overHttp();
  const { server } = desk;
  const begin = async () => {
    const stop = new AbortController();
    const answer = desk.call('mcp_g_required', { steps: [working], late: true }, { signal: stop.signal });
    const calls = sent(server.came, 'tools/call').length;
    await until(() => expect(sent(server.came, 'tools/call')).toHaveLength(calls + 1));
    stop.abort();
    return answer;
  };
  const late = begin();
  await until(() => expect(sent(server.came, 'tools/call')).toHaveLength(1));
  await new Promise(setImmediate);
  server.beginLate();
  expect(await late).toEqual(failed(UNFINISHED_RESULT));
  expect(sent(server.came, 'tasks/cancel').map(({ params }) => params)).toEqual([{ taskId: 'task-1' }]);

  const never = begin();
  expect(await outputOf(desk, never)).toEqual(failed(UNFINISHED_RESULT));
  await until(() => expect(sent(server.came, 'notifications/cancelled')).toHaveLength(1));
});

it('[MCP-1] a task outlives a line that breaks', async () => {
  const desk = await overHttp();
  const output = await outputOf(desk, desk.call('mcp_g_required', { steps: [working, 'die', completed] }));
  expect(output).toEqual({ output: 'all done', is_error: false });
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});

it('[MCP-1] of a server that dies in between, or forgets the session, the call says so and is not made again', async () => {
  const stdio = await overStdio();
  expect(await outputOf(stdio, stdio.call('mcp_g_required', { steps: [working, 'die'] }))).toEqual(
    failed('The call failed on its way: the program ended with code 3. Whether it took effect is unknown.'),
  );

  const gone = await overHttp();
  gone.server.die = () => void gone.guest.stop();
  const { output } = await outputOf(gone, gone.call('mcp_g_required', { steps: [working, 'die'] }));
  expect(output).toMatch(
    /^The call failed on its way: fetch failed: .+\. Whether it took effect is unknown\.$/,
  );

  const desk = await overHttp();
  const answer = desk.call('mcp_g_required', { steps: [working] });
  await until(() => pass(desk));
  desk.guest.sessions.clear();
  expect(await outputOf(desk, answer)).toEqual(
    failed('The server has forgotten the session, and the task with it. Whether it took effect is unknown.'),
  );
  expect(sent(desk.came(), 'tools/call')).toHaveLength(1);
});

it('[MCP-1] a server that wishes no pause is asked ten times a second', async () => {
  const server = new TaskServer();
  server.pollInterval = 0;
  const desk = await overHttp(server);
  const answer = desk.call('mcp_g_required', { steps: [completed] });
  const left = await until(() => {
    const shortest = Math.min(...[...desk.clock.timers].map(({ at }) => at - desk.clock.now()));
    expect(shortest).toBeLessThan(60_000);
    return shortest;
  });
  expect(left).toBe(100);
  desk.clock.advance(100);
  expect((await answer).output).toBe('all done');
});
