/** Tests the OpenAI face of several kernels: any of them responds to calls and continues conversations. */
import type OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { MODEL, openaiOf } from '../harness/openai.ts';
import { calls, says } from '../harness/story.ts';

afterAll(stopPostgres);

test('[FACE-1] [FLEET-1] accepts the answer to a call at another kernel, which continues after the first was killed', async () => {
  const fleet = await openFleet();
  const [a, b] = [await fleet.start(), await fleet.start()];
  const tools = [{ type: 'function', function: { name: 'scan', parameters: {} } }] as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Scan it.' }];
  const askAt = async (kernel: typeof a) => {
    const { data, response } = await openaiOf(kernel)
      .chat.completions.create({ model: MODEL, messages, tools: [...tools] })
      .withResponse();
    messages.push(data.choices[0]!.message);
    return { chat: response.headers.get('x-chat-id'), choice: data.choices[0]! };
  };
  fleet.upstream.next(calls('call_1', 'scan', {}), says('Scanned.'), says('As I said.'));
  const first = await askAt(a);
  expect(first.choice.finish_reason).toBe('tool_calls');
  messages.push({ role: 'tool', tool_call_id: 'call_1', content: 'a page' });
  const second = await askAt(b);
  expect(second).toMatchObject({ chat: first.chat, choice: { message: { content: 'Scanned.' } } });
  await a.kill();
  messages.push({ role: 'user', content: 'What did you say?' });
  const third = await askAt(b);
  expect(third).toMatchObject({ chat: first.chat, choice: { message: { content: 'As I said.' } } });
});
