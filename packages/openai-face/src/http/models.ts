/** The kernel's models, as OpenAI lists them. */
import type { KernelClient } from '@chat-kernel/client';
import { OpenAiError } from '../wire/openai-error.ts';

const modelOf = ({ id, provider }: { id: string; provider: string }) => ({
  id,
  object: 'model',
  // Nobody says when a model was made.
  created: 0,
  owned_by: provider,
});

export async function listModels(kernel: KernelClient): Promise<object> {
  const { models } = await kernel.listModels();
  return { object: 'list', data: models.map(modelOf) };
}

/** @throws OpenAiError model_not_found */
export async function getModel(kernel: KernelClient, id: string): Promise<object> {
  const { models } = await kernel.listModels();
  const model = models.find(each => each.id === id);
  if (model) return modelOf(model);
  throw new OpenAiError({
    status: 404,
    message: `There is no model ${id.slice(0, 200)}.`,
    param: 'model',
    code: 'model_not_found',
  });
}
