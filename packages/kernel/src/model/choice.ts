/** The model and the effort of a turn. Both are sure only when the turn begins: until then its chat may change. */
import { KernelError, type TurnEffort } from '@chat-kernel/protocol';
import {
  type ChatRecord,
  type LanguageModel,
  ModelError,
  type Models,
  type NewMessage,
  type TurnParameters,
} from '../ports/index.ts';
import { chooseEffort } from './effort.ts';

/**
 * The model that is named first by the turn, its chat, its surface, else the default one. Undefined: the named model,
 * or any, is missing.
 */
export function modelOf(
  chat: ChatRecord,
  parameters: TurnParameters,
  models: Models,
): LanguageModel | undefined {
  const wanted = named(chat, parameters);
  return wanted === undefined ? models.default() : models.find(wanted);
}

/**
 * The effort as things stand now (EFF-1).
 * @param reasoning the level of the settings, for when nothing nearer names one
 */
export function effortOf(
  chat: ChatRecord,
  parameters: TurnParameters,
  message: NewMessage,
  models: Models,
  reasoning: TurnEffort['value'],
): TurnEffort {
  const model = modelOf(chat, parameters, models)?.record;
  const text = message.content
    // The marker of a file holds the file's name, and a name is not the master's word.
    .flatMap(block => (block.type === 'text' && block.internal?.file === undefined ? [block.text] : []))
    .join('\n');
  return chooseEffort(
    {
      turn: parameters.effort,
      master_text: message.sender === undefined ? text : undefined,
      chat: chat.effort,
      surface: parameters.surface_effort,
      model: model?.effort ?? null,
      global: reasoning,
    },
    model?.efforts ?? [],
  );
}

/** The failure of a turn for which `modelOf` finds nothing. */
export function noModel(chat: ChatRecord, parameters: TurnParameters): ModelError {
  const wanted = named(chat, parameters);
  const message =
    wanted === undefined
      ? 'No model can be used: name a provider in the settings.'
      : `The model ${wanted} is not there any more: choose another one.`;
  return new ModelError('no_model', message, false);
}

/** The refusal of a request that names a model. @param pointer where in the body the id stands */
export function unknownModel(id: string, models: Models, pointer: string): KernelError {
  const known = models.list().models.map(model => model.id);
  const detail = `There is no model ${id}. Known: ${known.join(', ') || 'none'}.`;
  return new KernelError('unknown_model', detail, { errors: [{ pointer, detail }] });
}

const named = (chat: ChatRecord, parameters: TurnParameters): string | undefined =>
  parameters.model ?? chat.model ?? parameters.surface_model;
