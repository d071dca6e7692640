/** What an editor lets its user choose: how hard the model thinks, as modes, and which model. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { AnswerOf, Chat } from '@chat-kernel/client';

export type Models = AnswerOf<'listModels'>;
type Effort = NonNullable<Chat['effort']>;

/** The weakest first. */
const EFFORTS: Readonly<Record<Effort, string>> = {
  off: 'No reasoning',
  low: 'Little reasoning',
  mid: 'Some reasoning',
  high: 'Much reasoning',
};

export const isEffort = (mode: string): mode is Effort => Object.hasOwn(EFFORTS, mode);

/** @param effort of the models where the chat has none of its own */
export const modesOf = ({ effort }: Chat, { effort_default }: Models): SessionModeState => ({
  currentModeId: effort ?? effort_default,
  availableModes: Object.entries(EFFORTS).map(([id, name]) => ({ id, name })),
});

/** None where no provider offers a model. */
export function optionsOf({ models, default_model }: Models, chat: Chat): SessionConfigOption[] {
  const currentValue = chat.model ?? default_model;
  if (currentValue === null || models.length === 0) return [];
  const options = models.map(({ id, name }) => ({ value: id, name }));
  return [{ type: 'select', id: 'model', category: 'model', name: 'Model', currentValue, options }];
}

/** Tokens that the model of the chat can be told; undefined where nobody knows. */
export const windowOf = ({ context_windows }: Models, model: string): number | undefined =>
  context_windows[model];
