/**
 * Validates a turn request and converts it to the user's message. All errors of a request are detected here (TURN-9).
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { KernelError, MAX_MUTED, type TurnRequest } from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { newId } from '../base/ids.ts';
import { jsonPieces } from '../base/json-pieces.ts';
import { sniffImage } from '../files/sniff-image.ts';
import { unknownModelError } from '../model/choice.ts';
import { checkName } from '../persons/persons.ts';
import {
  type Clock,
  type ImageRecord,
  type Models,
  type NewMessage,
  REQUEST_PARAMETERS,
  type StoredBlock,
  type TurnParameters,
  timestamp,
} from '../ports/index.ts';
import { checkExtraTools } from '../toolbox/extra-tools.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { Replacement } from './retry.ts';

/** Characters of base64 from which other work can run before an image, which takes some milliseconds. */
const LARGE_IMAGE = 1_000_000;

export interface AcceptedRequest {
  message: NewMessage;
  parameters: TurnParameters;
  /** The images, to be stored before the message. */
  images: { record: ImageRecord; bytes: Uint8Array }[];
  /** A hash of the request; identical requests have the same one. */
  fingerprint: string;
}

/**
 * Accepts everything but the files, which `findFiles` looks up.
 * @param replacement what a retried message takes over
 * @throws KernelError empty_message, unknown_model, invalid_value, tool_name_taken
 */
export async function acceptRequest(
  chatId: string,
  turnId: string,
  request: TurnRequest,
  models: Models,
  toolbox: Toolbox,
  clock: Clock,
  replacement?: Replacement,
): Promise<AcceptedRequest> {
  check(request, models, toolbox, replacement?.isWhole);
  const created_at = timestamp(clock);
  const fingerprint = replacement?.fingerprint ?? (await requestFingerprint(request));
  const images: AcceptedRequest['images'] = [];
  for (const [index, image] of (request.images ?? []).entries()) {
    if (image.data.length > LARGE_IMAGE) await nextTick();
    images.push({
      record: { id: uuidv4(), chat_id: chatId, media_type: image.media_type, created_at },
      bytes: sniffImage(image, `/images/${index}`),
    });
  }
  return {
    message: {
      id: newId(),
      chat_id: chatId,
      role: 'user',
      turn_id: turnId,
      ...(request.sender !== undefined && { sender: request.sender.toWellFormed() }),
      content: [
        ...(replacement?.blocks ?? []),
        ...buildBlocks(
          request,
          images.map(({ record }) => record.id),
        ),
      ],
      created_at,
      status: 'completed',
    },
    parameters: { ...buildParameters(request), fingerprint },
    images,
    fingerprint,
  };
}

/**
 * The hash of a request, without the fields for muted events and for the behavior in a busy chat.
 * @param retried the id of the message that the request retries
 */
export async function requestFingerprint(
  { mute: _, on_busy: __, ...asked }: TurnRequest,
  retried = '',
): Promise<string> {
  const hash = createHash('sha256').update(retried);
  for await (const piece of jsonPieces(asked)) hash.update(piece);
  return hash.digest('hex');
}

function check(request: TurnRequest, models: Models, toolbox: Toolbox, mayBeEmpty = false): void {
  const { text = '', images = [], files = [], extra_tools = [] } = request;
  if (!mayBeEmpty && text.trim() === '' && images.length === 0 && files.length === 0) {
    throw new KernelError('empty_message', 'Give at least one of text, images and files.');
  }
  checkName(request.sender, '/sender');
  checkExtraTools(extra_tools, toolbox);
  const { mute = [], tools = [] } = request;
  if (mute.length > MAX_MUTED) {
    const detail = `expected at most ${MAX_MUTED} event types`;
    throw new KernelError('invalid_value', `\`mute\`: ${detail}.`, {
      errors: [{ pointer: '/mute', detail }],
    });
  }
  if (tools.length > 0 && ignoredTools(request, toolbox).length === tools.length) {
    throw new KernelError(
      'invalid_value',
      '`tools` names no known tool or group. GET /v1/tools lists them.',
      {
        errors: [{ pointer: '/tools', detail: 'expected at least one known tool or group' }],
      },
    );
  }
  for (const field of ['model', 'surface_model'] as const) {
    const id = request[field];
    if (id !== undefined && models.find(id) === undefined) throw unknownModelError(id, models, `/${field}`);
  }
}

/**
 * The entries of `tools` that match no tool or group. They are ignored, because modules can start and stop at any time.
 */
export function ignoredTools(
  { tools = [], extra_tools = [] }: Pick<TurnRequest, 'extra_tools' | 'tools'>,
  toolbox: Toolbox,
): string[] {
  const extra = new Set(extra_tools.map(({ name }) => name));
  return toolbox.unknown(tools).filter(name => !extra.has(name));
}

/**
 * The blocks of the message; those that only the model sees come before the user's text. Lone surrogates are replaced:
 * with one of them, providers would reject every further request of the chat.
 */
function buildBlocks(request: TurnRequest, imageIds: readonly string[]): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  if (request.context?.trim()) blocks.push({ type: 'context', text: request.context.toWellFormed() });
  if (request.brief) blocks.push({ type: 'context', text: 'Answer this message briefly.' });
  const { reply_to_ext_id: ext_id, reply_to_text = '' } = request;
  // A surface that knows only the id of the answered message still gets its reply stored as one; models do not see such
  // a quote.
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

function buildParameters(request: TurnRequest): TurnParameters {
  return Object.fromEntries(REQUEST_PARAMETERS.map(field => [field, request[field]]));
}
