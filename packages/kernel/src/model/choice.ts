/**
 * Selects the model and the effort of a turn. Both are final only when the turn begins: until then its chat may change.
 */
import { invalidValue, type KernelError, type TurnEffort } from '@chat-kernel/protocol';
import {
  type ChatRecord,
  isOfMaster,
  type LanguageModel,
  ModelError,
  type Models,
  type NewMessage,
  type TurnParameters,
} from '../ports/index.ts';
import { chooseEffort } from './effort.ts';

/**
 * Returns the model that the turn, its chat or its surface requests, in this order, or else the default model.
 * Undefined: the requested model does not exist, or there is no model.
 */
export function selectModel(
  chat: ChatRecord,
  parameters: TurnParameters,
  models: Models,
): LanguageModel | undefined {
  const requested = requestedModel(chat, parameters);
  return requested === undefined ? models.default() : models.find(requested);
}

/**
 * The current effort (EFF-1).
 * @param reasoning the level of the settings, used if nothing more specific names one
 */
export function selectEffort(
  chat: ChatRecord,
  parameters: TurnParameters,
  message: NewMessage,
  models: Models,
  reasoning: TurnEffort['value'],
): TurnEffort {
  const model = selectModel(chat, parameters, models)?.record;
  const text = message.content
    // The marker of a file contains the file's name, which is not text of the master.
    .flatMap(block => (block.type === 'text' && block.internal?.file === undefined ? [block.text] : []))
    .join('\n');
  return chooseEffort(
    {
      turn: parameters.effort,
      master_text: isOfMaster(message) ? text : undefined,
      chat: chat.effort,
      surface: parameters.surface_effort,
      model: model?.effort ?? null,
      global: reasoning,
    },
    model?.efforts ?? [],
  );
}

/** The error of a turn for which `selectModel` finds no model. */
export function noModelError(chat: ChatRecord, parameters: TurnParameters): ModelError {
  const requested = requestedModel(chat, parameters);
  const message =
    requested === undefined
      ? 'No model is available. Configure a provider in the settings.'
      : `The model ${requested} is no longer available. Choose another model.`;
  return new ModelError('no_model', message, false);
}

/** The rejection of a request that names an unknown model. @param pointer the position of the id in the body */
export function unknownModelError(id: string, models: Models, pointer: string): KernelError {
  const known = models.list().models.map(model => model.id);
  const detail = `There is no model ${id}. Known: ${known.join(', ') || 'none'}.`;
  return invalidValue(pointer, detail, 'unknown_model');
}

const requestedModel = (chat: ChatRecord, parameters: TurnParameters): string | undefined =>
  parameters.model ?? chat.model ?? parameters.surface_model;
