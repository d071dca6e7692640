/** Tests the list of models. */
import { expect, test } from 'vitest';
import { kernelOf } from '../harness/shared-kernel.ts';
import { eventsOf } from '../harness/story.ts';

test('[API-1] lists models with everything that a client needs to offer them', async () => {
  const { api } = await kernelOf({
    settings: {
      llm: {
        reasoning: 'mid',
        default_model: 'scripted/big',
        models: [
          {
            id: 'scripted/big',
            name: 'Big',
            context_window: 200_000,
            max_output_tokens: 9_000,
            effort: 'high',
            efforts: ['low', 'high'],
            inputs: ['text'],
            price: { input: 2, output: 8 },
          },
          { id: 'scripted/small', context_window: 8_000, efforts: ['off'] },
        ],
      },
    },
  });
  const { status, body } = await api.get('/v1/models');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['models', 'default_model', 'effort_default', 'context_windows']);
  // biome-ignore lint/suspicious/noExplicitAny: unparsed models
  const model = (id: string) => body.models.find((found: any) => found.id === id);
  expect(model('scripted/big')).toEqual({
    id: 'scripted/big',
    name: 'Big',
    provider: 'scripted',
    effort: 'high',
    efforts: ['low', 'high'],
    context_window: 200_000,
    max_output_tokens: 9_000,
    inputs: ['text'],
    price: { input: 2, output: 8 },
  });
  expect(model('scripted/small')).toMatchObject({
    name: 'small',
    effort: null,
    efforts: ['off'],
    price: null,
    context_window: 8_000,
  });
  expect(body.default_model).toBe('scripted/big');
  expect(body.effort_default).toBe('mid');
  expect(body.context_windows).toMatchObject({ 'scripted/big': 200_000, 'scripted/small': 8_000 });
  expect(Object.keys(body.context_windows).toSorted()).toEqual(
    // biome-ignore lint/suspicious/noExplicitAny: unparsed models
    body.models.map((found: any) => found.id).toSorted(),
  );
});

test('[API-1] uses the default model if no other is set', async () => {
  const { api } = await kernelOf();
  const chat = await api.newChat();
  expect(eventsOf(await api.say(chat.id, 'Hi.'), 'usage')).toMatchObject([{ model: 'scripted/plain' }]);
});
