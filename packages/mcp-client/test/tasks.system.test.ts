/**
 * Tests calls that a server runs as tasks, over both transports: followed to their end, and cancelled with their call.
 */
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
  it('[MCP-1] runs a tool as a task if it requires one, or if it supports one over the network', async () => {
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

  it('[MCP-1] polls at the interval of the server, and shows its messages as progress', async () => {
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

  it('[MCP-2] sends the task id to its server, and no data of the turn', async () => {
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

  it('[MCP-1] reports a task that fails, is canceled by the server or has expired', async () => {
    const desk = await open();
    const ending = (step: Step, result?: object | null) =>
      outputOf(desk, desk.call('mcp_g_required', { steps: [working, step], result }));
    const full: Step = { status: 'failed', statusMessage: 'The disk is full.' };
    const result = { content: [{ type: 'text', text: 'Of 3 pages 1 was lost.' }] };
    expect(await ending(full, result)).toEqual(failed('Of 3 pages 1 was lost.'));
    expect(await ending(full, null)).toEqual(failed('The task failed: The disk is full.'));
    expect(await ending({ status: 'failed' }, null)).toEqual(failed('The task failed.'));
    expect(await ending({ status: 'cancelled', statusMessage: 'By night.' })).toEqual(
      failed('The server canceled the task: By night.'),
    );
    expect((await ending('forget')).output).toMatch(
      /^The server no longer reports the status of the task: .*Task not found\. It may have expired\. Whether it took effect is unknown\.$/,
    );
  });

  it('[MCP-1] cancels the task with its call, and stops polling', async () => {
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

  it('[MCP-1] extends the timeout with each answer, and ends after 120 s without one', async () => {
    const desk = await open();
    const slowly: Step = { status: 'working', pollInterval: 50_000 };
    const answer = desk.call('mcp_g_required', { steps: [slowly, slowly, slowly, 'ignore'] });
    // 150 s of work.
    for (let step = 0; step < 4; step += 1) {
      await until(() => pass(desk));
      await until(() => expect(sent(desk.came(), 'tasks/get')).toHaveLength(step + 1));
    }
    desk.clock.advance(120_000);
    expect((await answer).output).toMatch(/^The server sent no response and no progress for 120 s\. /);
    expect(sent(desk.came(), 'tasks/cancel')).toHaveLength(1);
  });

  it('[MCP-4] asks its questions in its own call, also with several running calls', async () => {
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
    const question = 'The MCP server g asks: Which one?';
    expect(asked.sort()).toEqual([
      ['one', question],
      ['other', question],
    ]);
  });
});
