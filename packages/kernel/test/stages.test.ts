/** Tests how a turn passes its messages, prompts and calls through the modules (MOD-7). */
import type { StageName } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import type { StageBlock, Stages, StoredBlock, ToolContext } from '../src/index.ts';
import type { RunningTurn } from '../src/turn/running-turn.ts';
import {
  blockedTurn,
  judgeCall,
  NO_STAGES,
  passCall,
  passMessage,
  passResult,
  promptFragments,
  turnDone,
} from '../src/turn/stages.ts';

const CONTEXT = { chat_id: 'c' } as unknown as ToolContext['turn_context'];
const { signal } = new AbortController();
const BLOCKED: StageBlock = { by: 'guard', reason: 'Not today.' };
const call = { name: 'shell', input: { command: 'ls' } };
const context = { signal, turn_context: CONTEXT } as ToolContext;

/** Modules with these answers: changed fields of the payload, or a block. */
function modules(answers: { [Stage in StageName]?: object }) {
  const seen: unknown[] = [];
  const stages = {
    ...NO_STAGES,
    has: (stage: StageName) => stage in answers,
    run: async (stage: StageName, payload: object, ...scope: unknown[]) => {
      seen.push([stage, payload, ...scope]);
      const answer = answers[stage];
      return answer === BLOCKED ? { blocked: BLOCKED } : { payload: { ...payload, ...answer } };
    },
  } as Stages;
  return { stages, seen };
}

const text = (words: string): StoredBlock => ({ type: 'text', text: words });
const image = { type: 'image', media_type: 'image/png', data: '' } as StoredBlock;

test('[MOD-7] shows modules the text, the sender and the attachments of a message', async () => {
  const { stages, seen } = modules({ message: {} });
  const content = [image, text('Hi.'), text('More.')];
  expect(await passMessage({ content, sender: 'Ada' }, [{ name: 'a.txt' }], CONTEXT, stages, signal)).toBe(
    undefined,
  );
  await passMessage({ content: [] }, [], CONTEXT, stages, signal);
  const attachments = [{ kind: 'image' }, { kind: 'file', name: 'a.txt' }];
  expect(seen).toEqual([
    ['message', { text: 'Hi.', sender: 'Ada', attachments }, CONTEXT, signal],
    ['message', { text: '', sender: '', attachments: [] }, CONTEXT, signal],
  ]);
  expect(content).toEqual([image, text('Hi.'), text('More.')]);
});

test.each([
  ['replaces the text', 'Hello.', [text('Hi.'), image], [text('Hello.'), image]],
  ['makes it well-formed', '\ud800', [text('Hi.'), image], [text('\ufffd'), image]],
  ['removes an empty text', '', [text('Hi.'), image, text('More.')], [image, text('More.')]],
  ['removes a blank text', ' \n', [text('Hi.'), image], [image]],
  ['adds a text', 'Look:', [image], [image, text('Look:')]],
  ['adds no blank text', ' ', [image], [image]],
])('[MOD-7] a module %s', async (_, changed, content, expected) => {
  const { stages } = modules({ message: { text: changed } });
  expect(await passMessage({ content }, [], CONTEXT, stages, signal)).toBe(undefined);
  expect(content).toEqual(expected);
});

test('[MOD-7] a blocked message stays as it is', async () => {
  const content = [text('Hi.')];
  const { stages } = modules({ message: BLOCKED });
  expect(await passMessage({ content }, [], CONTEXT, stages, signal)).toBe(BLOCKED);
  expect(content).toEqual([text('Hi.')]);
});

test.each([
  [undefined, { fragments: [] }],
  ['Be kind.\n\nBe \ufffd.', { fragments: ['Be kind.', 'Be \ud800.'] }],
])('[MOD-7] adds %j to the prompt for the answer %j', async (expected, answer) => {
  const { stages, seen } = modules({ prompt: answer });
  expect(await promptFragments(CONTEXT, stages, signal)).toBe(expected);
  expect(seen).toEqual([['prompt', { fragments: [] }, CONTEXT, signal]]);
});

test('[MOD-7] ends a turn whose prompt is blocked, and does not retry it', async () => {
  await expect(promptFragments(CONTEXT, modules({ prompt: BLOCKED }).stages, signal)).rejects.toEqual(
    blockedTurn(BLOCKED),
  );
  expect(blockedTurn(BLOCKED)).toMatchObject({
    code: 'blocked_by_module',
    message: 'The module guard blocked this turn: Not today.',
    retryable: false,
  });
});

const refused = (what: string) => {
  const blocked = `The module guard blocked ${what}: Not today.`;
  return { output: blocked, is_error: true, blocked, refused: true };
};

test('[MOD-7] runs a call with the input, and returns the result, that modules have changed', async () => {
  const { stages, seen } = modules({
    tool_call: { input: { command: 'ls -a' } },
    tool_result: { output: 'less', is_error: true },
  });
  const run = async ({ command }: object & { command?: unknown }) => ({
    output: `${command}`,
    outside: ['web'],
  });
  expect(await passCall(call, context, stages, run)).toEqual({
    output: 'less',
    is_error: true,
    outside: ['web'],
  });
  expect(seen).toEqual([
    ['tool_call', call, CONTEXT, signal],
    ['tool_result', { name: 'shell', output: 'ls -a', is_error: false }, CONTEXT, signal],
  ]);
});

test('[MOD-7] does not run a blocked call, and hides a blocked result', async () => {
  const never = () => Promise.reject(new Error('it ran'));
  const before = modules({ tool_call: BLOCKED, tool_result: {} });
  expect(await passCall(call, context, before.stages, never)).toEqual(refused('shell'));
  const after = modules({ tool_result: BLOCKED });
  const result = { output: 'secret' };
  expect(await passResult('shell', result, context, after.stages)).toEqual(refused('the result of shell'));
  const blocked = { ...result, blocked: 'before' };
  expect(await passResult('shell', blocked, context, after.stages)).toBe(blocked);
  expect([before.seen, after.seen].map(({ length }) => length)).toEqual([1, 1]);
});

test('[MOD-7] reports the end of a turn, and ignores a module that fails then', async () => {
  const { stages, seen } = modules({ turn_done: {} });
  const turn = { record: { id: 't' }, outcome: { lastText: 'Bye.' }, context: CONTEXT } as RunningTurn;
  turnDone(turn, 'completed', stages);
  const payload = { turn_id: 't', status: 'completed', text: 'Bye.' };
  await new Promise(resolve => setTimeout(resolve, 5));
  // The module has more time than that.
  expect(seen).toEqual([['turn_done', payload, CONTEXT, expect.objectContaining({ aborted: false })]]);
  turnDone(turn, 'failed', { ...stages, run: () => Promise.reject(new Error('down')) });
});

test('[MOD-7] costs nothing without modules', async () => {
  const { stages, seen } = modules({});
  for (const each of [stages, NO_STAGES]) {
    const content = [text('Hi.')];
    const result = { output: 'a' };
    expect(await passMessage({ content }, [], CONTEXT, each, signal)).toBe(undefined);
    expect(await promptFragments(CONTEXT, each, signal)).toBe(undefined);
    expect(await judgeCall(call, CONTEXT, each, signal)).toEqual({ input: call.input });
    expect(await passResult('shell', result, context, each)).toBe(result);
    turnDone({} as RunningTurn, 'completed', each);
  }
  expect(seen).toEqual([]);
});
