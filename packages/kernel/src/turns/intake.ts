/**
 * The intake of a turn request: it is checked, and becomes the user's message. All mistakes of a request are found
 * here (TURN-9).
 */
import { createHash } from 'node:crypto';
import { KernelError, type TurnRequest } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { newId } from '../base/ids.ts';
import { sniffImage } from '../files/sniff-image.ts';
import { unknownModel } from '../model/choice.ts';
import {
  type Clock,
  type ImageRecord,
  type Models,
  type NewMessage,
  type StoredBlock,
  type TurnParameters,
  timestamp,
} from '../ports/index.ts';
import { checkExtraTools } from '../toolbox/extra-tools.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';

export interface Intake {
  message: NewMessage;
  parameters: TurnParameters;
  /** The images, to be stored before the message. */
  images: { record: ImageRecord; bytes: Uint8Array }[];
  /** A hash that is the same for the same request. */
  fingerprint: string;
}

/**
 * Takes in all but the files, which `findFiles` looks for.
 * @throws KernelError empty_message, unknown_model, invalid_value, tool_name_taken
 */
export function takeIn(
  chatId: string,
  turnId: string,
  request: TurnRequest,
  models: Models,
  toolbox: Toolbox,
  clock: Clock,
): Intake {
  check(request, models, toolbox);
  const created_at = timestamp(clock);
  const fingerprint = fingerprintOf(request);
  const images = (request.images ?? []).map((image, index) => ({
    record: { id: uuidv4(), chat_id: chatId, media_type: image.media_type, created_at },
    bytes: sniffImage(image, `/images/${index}`),
  }));
  return {
    message: {
      id: newId(),
      chat_id: chatId,
      role: 'user',
      turn_id: turnId,
      ...(request.sender !== undefined && { sender: request.sender.toWellFormed() }),
      content: blocksOf(
        request,
        images.map(({ record }) => record.id),
      ),
      created_at,
      status: 'completed',
    },
    parameters: { ...parametersOf(request), fingerprint },
    images,
    fingerprint,
  };
}

/**
 * The hash of a request. The way in which the stream is watched, and what to do in a busy chat, are not part of it.
 */
function fingerprintOf({ mute: _mute, on_busy: _busy, ...asked }: TurnRequest): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

function check(request: TurnRequest, models: Models, toolbox: Toolbox): void {
  const { text = '', images = [], files = [], extra_tools = [] } = request;
  if (text.trim() === '' && images.length === 0 && files.length === 0) {
    throw new KernelError('empty_message', 'Give at least one of text, images and files.');
  }
  checkExtraTools(extra_tools, toolbox);
  for (const field of ['model', 'surface_model'] as const) {
    const id = request[field];
    if (id !== undefined && models.find(id) === undefined) throw unknownModel(id, models, `/${field}`);
  }
}

/**
 * The blocks of the message, those for the model alone before the user's words. Halves of characters are replaced:
 * with one of them, providers would refuse every further request of the chat.
 */
function blocksOf(request: TurnRequest, imageIds: readonly string[]): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  if (request.context?.trim()) blocks.push({ type: 'context', text: request.context.toWellFormed() });
  if (request.brief) blocks.push({ type: 'context', text: 'Answer this message briefly.' });
  const { reply_to_ext_id: ext_id, reply_to_text = '' } = request;
  // A surface that knows only the id of what was answered still has its reply kept as one; no model reads such a quote.
  if (ext_id !== undefined || reply_to_text.trim() !== '') {
    blocks.push({
      type: 'quote',
      ...(ext_id !== undefined && { ext_id }),
      text: reply_to_text.toWellFormed(),
    });
  }
  if (request.text?.trim()) blocks.push({ type: 'text', text: request.text.toWellFormed() });
  request.images?.forEach(({ media_type }, index) => {
    blocks.push({ type: 'image', media_type, data: '', internal: { image_id: imageIds[index] as string } });
  });
  return blocks;
}

/** Marks the context of a message whose sender is not trusted, so that later turns of such senders may see it. */
export function markContext({ content }: NewMessage): void {
  for (const block of content) if (block.type === 'context') block.internal = { stranger: true };
}

function parametersOf(request: TurnRequest): TurnParameters {
  const { effort, model, surface_model, surface_effort, person_id, guest, max_tokens, client_ops } = request;
  const { machine, questions, client_id, project_docs, list_dir, extra_tools, anchor, tools } = request;
  return {
    effort,
    model,
    surface_model,
    surface_effort,
    person_id,
    guest,
    max_tokens,
    client_ops,
    machine,
    questions,
    client_id,
    project_docs,
    list_dir,
    extra_tools,
    anchor,
    tools,
  };
}
