/** Defines the choices in an editor: effort levels as modes, and the model. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { Chat, ModelList } from '@chat-kernel/client';

type Effort = NonNullable<Chat['effort']>;

/** The lowest first. */
const EFFORTS: Readonly<Record<Effort, string>> = {
  off: 'No reasoning',
  low: 'Low reasoning effort',
  mid: 'Medium reasoning effort',
  high: 'High reasoning effort',
};

export const isEffort = (mode: string): mode is Effort => Object.hasOwn(EFFORTS, mode);

/** @param effort the default level of chats without one */
export const buildModes = ({ effort }: Chat, { effort_default }: ModelList): SessionModeState => ({
  currentModeId: effort ?? effort_default,
  availableModes: Object.entries(EFFORTS).map(([id, name]) => ({ id, name })),
});

/** Empty if no model is available. */
export function buildConfigOptions({ models, default_model }: ModelList, chat: Chat): SessionConfigOption[] {
  const currentValue = chat.model ?? default_model;
  if (currentValue === null || models.length === 0) return [];
  const options = models.map(({ id, name }) => ({ value: id, name }));
  return [{ type: 'select', id: 'model', category: 'model', name: 'Model', currentValue, options }];
}

/** The context window of the model in tokens; undefined if unknown. */
export const findContextWindow = ({ context_windows }: ModelList, model: string): number | undefined =>
  context_windows[model];
