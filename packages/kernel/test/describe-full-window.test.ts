/** Tests the sentences that name what fills a context window. */
import { expect, it } from 'vitest';
import type { NewMessage, StoredBlock } from '../src/index.ts';
import { describeFullWindow } from '../src/turn/describe-full-window.ts';
import type { PromptPart } from '../src/turn/turn-setup.ts';
import { PLAIN_MODEL, tool } from './core.ts';

const LONG = 'x'.repeat(32_000);
const textPart = (subject: string, text: string): PromptPart => ({
  subject,
  isPlural: true,
  advice: 'Shorten them',
  text,
});

/** The sentences for a window of 10,000 tokens with these messages: the blocks of one message each. */
function describe(
  messages: StoredBlock[][],
  {
    tools = [tool('small', async () => ({ output: '' }))],
    parts = [] as PromptPart[],
    summary = null as string | null,
  } = {},
): Promise<string> {
  const run = {
    turn: { record: { id: 'now' }, context: { trusted: true } },
    history: async () => ({
      summary,
      messages: messages.map(
        (content, n): NewMessage => ({
          id: `m${n}`,
          chat_id: 'c',
          role: 'user',
          turn_id: n === messages.length - 1 ? 'now' : 'before',
          content,
          created_at: '',
          status: 'completed',
        }),
      ),
    }),
  };
  const setup = {
    model: { record: PLAIN_MODEL },
    tools: new Map(tools.map(each => [each.name, each])),
    prompt_parts: parts,
  };
  return describeFullWindow(run as never, setup as never);
}

const declared = (source: 'builtin' | 'extra' | 'module' | 'mcp', group: string, name = group) => ({
  ...tool(name, async () => ({ output: '' })),
  description: LONG,
  source,
  group,
});
const memory: StoredBlock = { type: 'context', text: LONG, internal: { told: { memory: 'f' } } };
const result: StoredBlock = { type: 'tool_result', tool_use_id: 'a', output: LONG, is_error: false };
const image: StoredBlock = { type: 'image', media_type: 'image/png', data: '' };
const said: StoredBlock = { type: 'text', text: 'Hello.' };

it.each<[string, Promise<string>]>([
  ['The tools of github fill most of the', describe([[said]], { tools: [declared('mcp', 'mcp_github')] })],
  ['The tools of mail fill most of the', describe([[said]], { tools: [declared('module', 'mail')] })],
  ['The built-in tools fill most of the', describe([[said]], { tools: [declared('builtin', 'shell')] })],
  [
    'The extra tools of the client fill most of the',
    describe([[said]], { tools: [declared('extra', 'extra')] }),
  ],
  [
    'The skills in the prompt fill most of the',
    describe([[said]], { parts: [textPart('The skills in the prompt', LONG)] }),
  ],
  ['The memory fills most of the', describe([[said], [memory, said]])],
  [
    'The summary of the chat fills most of the',
    describe([[{ type: 'context', text: LONG }], [said]], { summary: LONG }),
  ],
  ['A message of this turn fills most of the', describe([[said], [{ type: 'text', text: LONG }]])],
  ['A message of an earlier turn fills most of the', describe([[{ type: 'quote', text: LONG }], [said]])],
  [
    'A result of read in this turn fills most of the',
    describe([[{ type: 'tool_use', id: 'a', name: 'read', input: {} }], [result]]),
  ],
  ['An image of an earlier turn takes the largest part of the', describe([[image, said], [said]])],
])('begins with %j', async (beginning, sentences) => {
  expect(await sentences).toMatch(new RegExp(`^${beginning} `));
});

it('gives the size of all parts of a kind if the largest is less than half of it', async () => {
  const tools = ['a', 'b', 'c'].map(name => ({
    ...declared('mcp', `mcp_${name}`, name),
    description: 'x'.repeat(12_000),
  }));
  expect(await describe([[said]], { tools })).toBe(
    'The tools of a take the largest part of the context window (3,000 of 10,000 tokens). All tools together need 9,000 tokens. Remove some of its tools, load them on demand, or choose a model with a larger window.',
  );
});

it('says that a part is larger than the window', async () => {
  expect(await describe([[{ type: 'text', text: LONG + LONG }]])).toBe(
    'A message of this turn is larger than the context window (16,000 of 10,000 tokens). Send less text at once, or choose a model with a larger window.',
  );
});
