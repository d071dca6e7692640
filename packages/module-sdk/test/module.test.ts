/** Tests tools and stages over a connection in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  block,
  defineModule,
  type ModuleDefinition,
  replace,
  ToolError,
  testKernel,
  tool,
  z,
} from '../src/index.ts';

const moduleWith = (parts: Partial<ModuleDefinition>): ModuleDefinition =>
  defineModule({ name: 'desk', version: '1.0.0', about: 'things on a desk', ...parts });

const add = tool({
  description: 'Puts a thing on the desk.',
  icon: '📎',
  trusted_only: true,
  input: z.object({
    thing: z.string().min(1).describe('The thing to put there.'),
    count: z.int().default(1).describe('How many.'),
    where: z.enum(['left', 'right']).optional(),
  }),
  run: ({ thing, count, where }, { context }) => `${count} ${thing} ${where ?? '-'} ${context.master}`,
});

it('[MOD-6] turns field docs into descriptions, and does not require optional fields', async () => {
  const { declaration } = await testKernel(
    moduleWith({
      tools: { add, look: tool({ description: 'Looks.', effects: ['read'], outside: true, run() {} }) },
    }),
  );
  expect(declaration).toEqual({
    protocol: 1,
    name: 'desk',
    version: '1.0.0',
    about: 'things on a desk',
    stages: [],
    tools: [
      {
        name: 'add',
        description: 'Puts a thing on the desk.',
        icon: '📎',
        trusted_only: true,
        input_schema: {
          type: 'object',
          properties: {
            thing: { type: 'string', minLength: 1, description: 'The thing to put there.' },
            count: expect.objectContaining({ type: 'integer', default: 1, description: 'How many.' }),
            where: { type: 'string', enum: ['left', 'right'] },
          },
          required: ['thing'],
        },
      },
      { name: 'look', description: 'Looks.', effects: ['read'], outside: true },
    ],
  });
});

it('[MOD-6] passes the parsed input to the handler, and returns -32602 with the field for invalid input', async () => {
  const kernel = await testKernel(moduleWith({ tools: { add } }));
  expect(await kernel.call('add', { thing: 'pen' })).toEqual({ output: '1 pen - true' });
  expect(await kernel.call('add', { thing: 'pen', count: 2, where: 'left' }, { master: false })).toEqual({
    output: '2 pen left false',
  });
  await expect(kernel.call('add', { thing: 7, where: 'up' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/^thing: .*string.*; where: .*left/),
  });
  await expect(kernel.call('toString')).rejects.toMatchObject({ code: -32602 });
});

it('returns text, parts, an empty answer, an error for the model, or an internal error', async () => {
  const answers = {
    parts: () => ({ output: 'two', blocks: [{ title: 'a', content: 'b' }] }),
    nothing() {},
    refuses() {
      throw new ToolError('The desk is full.');
    },
    breaks() {
      throw new TypeError('legs of undefined');
    },
  };
  const tools = Object.fromEntries(
    Object.entries(answers).map(([name, run]) => [name, tool({ description: name, run })]),
  );
  const kernel = await testKernel(moduleWith({ tools }));
  expect(await kernel.call('parts')).toEqual({ output: 'two', blocks: [{ title: 'a', content: 'b' }] });
  expect(await kernel.call('nothing')).toEqual({ output: '' });
  expect(await kernel.call('refuses')).toEqual({ output: 'The desk is full.', is_error: true });
  await expect(kernel.call('breaks')).rejects.toMatchObject({
    code: -32603,
    message: 'The tool breaks failed: legs of undefined',
  });
});

it('runs calls concurrently, shows their progress, and ends canceled ones', async () => {
  const wait = tool({
    description: 'Waits.',
    async run(_, { progress, signal, log }) {
      progress('one');
      log.info('waiting');
      progress('two');
      await sleep(10_000, undefined, { signal }).catch(() => {});
      return signal.aborted ? 'aborted' : 'slept';
    },
  });
  const kernel = await testKernel(moduleWith({ tools: { wait, add } }));
  const [one, two] = [kernel.call('wait'), kernel.call('wait')];
  await expect.poll(() => two.progress).toEqual(['one', 'two']);
  expect(await kernel.call('add', { thing: 'pen' })).toMatchObject({ output: '1 pen - true' });
  one.cancel();
  expect(await one).toEqual({ output: 'aborted' });
  expect(await Promise.race([two, sleep(20, 'still')])).toBe('still');
  two.cancel();
  await two;
  expect(kernel.logs).toEqual(Array(2).fill({ level: 'info', message: 'waiting' }));
});

it('[MOD-7] passes, replaces or blocks in a stage, and declares its on_error', async () => {
  const kernel = await testKernel(
    moduleWith({
      stages: {
        message: {
          on_error: 'block',
          timeout_secs: 2,
          run({ text }, { context }) {
            if (text.includes('secret')) return block(`Not here, ${context.sender}.`);
            return text.includes('teh') ? replace({ text: text.replace('teh', 'the') }) : undefined;
          },
        },
        turn_done: { run() {} },
      },
    }),
  );
  expect(kernel.declaration.stages).toEqual([
    { stage: 'message', on_error: 'block', timeout_secs: 2 },
    { stage: 'turn_done', on_error: 'pass' },
  ]);
  const message = { text: 'teh cat', sender: 'Ann', attachments: [] };
  expect(await kernel.stage('message', message)).toEqual({
    action: 'replace',
    payload: { ...message, text: 'the cat' },
  });
  expect(await kernel.stage('message', { ...message, text: 'cat' })).toEqual({ action: 'pass' });
  expect(await kernel.stage('message', { ...message, text: 'secret' }, { sender: 'Ann' })).toEqual({
    action: 'block',
    reason: 'Not here, Ann.',
  });
  await expect(kernel.stage('prompt', { fragments: [] })).rejects.toMatchObject({ code: -32602 });
});

it('reports why the kernel would reject a module', async () => {
  await expect(testKernel(moduleWith({ tools: { 'no name': add } }))).rejects.toThrow(
    /module desk cannot be declared[\s\S]*tools\[0\]\.name/,
  );
});

it('[MOD-10] lets a tool call the kernel over HTTP, answered by the test', async () => {
  const ask = tool({
    description: 'Asks.',
    run: async (_, { kernel }) => (await kernel.complete({ prompt: 'Hi' })).text,
  });
  const asked: unknown[] = [];
  const kernel = await testKernel(moduleWith({ tools: { ask } }), {
    async fetch(input, init) {
      asked.push([String(input), init?.body]);
      return Response.json({ text: 'Hello.' });
    },
  });
  expect(await kernel.call('ask')).toEqual({ output: 'Hello.' });
  expect(asked).toEqual([['http://kernel.test/v1/complete', '{"prompt":"Hi"}']]);
});

it('answers malformed requests with errors, and keeps working', async () => {
  const kernel = await testKernel(moduleWith({ tools: { add } }));
  await expect(kernel.request('tools/unknown', {})).rejects.toMatchObject({ code: -32601 });
  await expect(kernel.request('tools/call', { name: 'add' })).rejects.toMatchObject({ code: -32602 });
  expect(await kernel.request('ping', {})).toEqual({});
});

it('asks for approval in a call: continues after a yes, and returns a no to the model', async () => {
  const send = tool({
    description: 'Sends.',
    async run(_, { consent }) {
      await consent({ to: 'bob' });
      return 'sent';
    },
  });
  const desk = moduleWith({ tools: { send } });
  const shown: object[] = [];
  const willing = await testKernel(desk, {
    consent(fields) {
      shown.push(fields);
      return true;
    },
  });
  expect(await willing.call('send')).toEqual({ output: 'sent' });
  expect(shown).toEqual([{ to: 'bob' }]);
  const unwilling = await testKernel(desk, { consent: () => 'Not him.' });
  expect(await unwilling.call('send')).toEqual({ output: 'Not him.', is_error: true });
  const alone = await testKernel(desk);
  expect(await alone.call('send')).toEqual({ output: 'Nobody consents in this test.', is_error: true });
});
