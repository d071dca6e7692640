/** Tests that the prompt only grows at its end, so that the provider's cache stays usable from turn to turn. */
import { describe, expect, test } from 'vitest';
import { KINDS, type Kind } from '../harness/settings.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { says, stuck } from '../harness/story.ts';

/** Where each provider API has the conversation. */
const CONVERSATION: Record<Kind, string> = {
  openai: 'input',
  'openai-compatible': 'messages',
  anthropic: 'messages',
  google: 'contents',
};

describe.each(KINDS)('%s', kind => {
  const kernel = sharedKernel({ kind });

  test('[SVC-1] [HIST-3] starts each request of a chat with all of the request before it', async () => {
    const { client, upstream } = kernel;
    // Without folded tools: the prompt of a turn that names its tools mentions none.
    const chat = await client.createChat({ toolset: { disabled: ['books'] } });
    upstream.next(
      says('One.'),
      {
        steps: [
          { thinking: 'Hm.' },
          { text: 'Calls.' },
          { call: { id: 'a', name: 'plan', input: { tasks: [] } } },
          { call: { id: 'b', name: 'nothing', input: {} } },
        ],
      },
      says('Two.'),
      stuck({ text: 'Half' }),
    );
    await client.say(chat.id, '1', { context: 'It is Monday.' });
    await client.say(chat.id, '2');
    const stream = await client.begin(chat.id, { text: '3' });
    await stream.until('text_delta');
    await client.cancelTurn(chat.id);
    await client.say(chat.id, '4', {
      sender: 'Ann',
      tools: ['plan', 'read_file', 'think_harder'],
      guest: false,
    });
    await client.say(chat.id, '5');

    // The cache breakpoints are set again in each request; they are not part of the cached content.
    const bodies = upstream.requests.map(({ body }) =>
      JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value))),
    );
    const field = CONVERSATION[kind];
    // The turn of a stranger gets less of the earlier history (WHO-3), and later turns get all of it again.
    const full = bodies.toSpliced(4, 1);
    for (const [index, body] of full.slice(1).entries()) {
      const before = full[index];
      expect(body[field].slice(0, before[field].length)).toEqual(before[field]);
    }
    const [first, ...others] = bodies.toSpliced(4, 1).map(({ [field]: _, ...rest }) => rest);
    for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(first));
  });
});
