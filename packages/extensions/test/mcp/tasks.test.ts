/** Calls that a server runs as tasks, over both wires: followed to their end, and cancelled with their call. */
import type { OwnerQuestion, RequestEnding } from '@chat-kernel/kernel';
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { describe, expect, it } from 'vitest';
import { until } from './fixtures/desk.ts';
import { failed, outputOf, overHttp, overStdio, pass, sent } from './fixtures/task-desk.ts';
import type { Step } from './fixtures/task-server.ts';

const working: Step = { status: 'working' };
const completed: Step = { status: 'completed' };

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
