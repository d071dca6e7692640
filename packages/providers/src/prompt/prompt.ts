/** Converts a kernel request to the prompt of the provider packages. */
import { createHash } from 'node:crypto';
import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import { type OutgoingImage, outgoingImage } from './images.ts';
import {
  type ConvertedMessage,
  convertMessage,
  type ImageBlock,
  type PromptTarget,
  type RequestMessage,
  text,
  type UserPart,
} from './message.ts';
import { PrefixCache } from './prefix-cache.ts';

/**
 * Base64 characters after which images are omitted. With the last image, a request fits into Google's 20 MB and
 * Anthropic's 32 MB.
 */
const MAX_CHARACTERS = 13 * 1024 * 1024;
/** Anthropic's limit for a request. */
const MAX_IMAGES = 100;

const NO_ROOM = { note: '[An older image stood here; the request has no room for it.]' };
const UNSEEN = { note: '[An image stood here; this model cannot see images.]' };

/** Writes the prompts of requests to a model, and caches the prompt of repeated messages. */
export type PromptWriter = (request: ModelRequest) => Promise<LanguageModelV4Prompt>;

/** The prompt of some messages, without the system prompt and with images not yet filled in. */
interface WrittenPrompt {
  prompt: LanguageModelV4Message[];
  unfilled: { index: number; images: ConvertedMessage['images'] }[];
}

/** Creates a writer. `images` false: the model does not support images, and each becomes a note. */
export function promptWriter(target: PromptTarget, images: boolean): PromptWriter {
  const cache = new PrefixCache<RequestMessage, WrittenPrompt>();
  return async request => {
    const { messages, system } = request;
    const known = cache.find(messages);
    const written = known?.made ?? { prompt: [], unfilled: [] };
    // The last message is not cached, because the next request may extend it.
    const kept = messages.slice(0, -1);
    const before = write(written, messages, known?.covers ?? 0, kept.length, target);
    cache.keep(kept, before);
    const { prompt, unfilled } = write(before, messages, kept.length, messages.length, target);
    await fillImages(prompt, unfilled, images ? request.loadImage : undefined);
    return system?.trim() ? [{ role: 'system', content: system }, ...prompt] : prompt;
  };
}

/** Appends the messages from `from` to `to` to a copy of the existing prompt. */
function write(
  { prompt: before, unfilled: left }: WrittenPrompt,
  messages: readonly RequestMessage[],
  from: number,
  to: number,
  target: PromptTarget,
): WrittenPrompt {
  const prompt = [...before];
  const unfilled = [...left];
  for (let at = from; at < to; at++) {
    const converted = convertMessage(messages[at] as RequestMessage, messages[at - 1], target);
    prompt.push(...converted.messages);
    if (converted.images.length > 0) unfilled.push({ index: prompt.length - 1, images: converted.images });
  }
  return { prompt, unfilled };
}

/** Fills in the newest images first, so that the oldest are omitted. Changes the prompt, not its messages. */
async function fillImages(
  prompt: LanguageModelV4Prompt,
  unfilled: { index: number; images: ConvertedMessage['images'] }[],
  load: ModelRequest['loadImage'] | undefined,
): Promise<void> {
  let characters = 0;
  let count = 0;
  for (const { index, images } of unfilled.toReversed()) {
    const message = prompt[index] as Extract<LanguageModelV4Message, { role: 'user' }>;
    const content = [...message.content];
    for (const { at, block } of images.toReversed()) {
      const full = characters >= MAX_CHARACTERS || count >= MAX_IMAGES;
      const image = full ? NO_ROOM : load ? await prepareImage(block, load) : UNSEEN;
      if ('base64' in image) {
        characters += image.base64.length;
        count += 1;
      }
      content[at] = imagePart(image);
    }
    prompt[index] = { ...message, content };
  }
}

function prepareImage(block: ImageBlock, load: ModelRequest['loadImage']): Promise<OutgoingImage> {
  const id = block.internal?.image_id;
  if (id) return outgoingImage(id, () => load(id));
  const bytes = Buffer.from(block.data, 'base64');
  return outgoingImage(createHash('sha256').update(bytes).digest('hex'), async () => bytes);
}

const imagePart = (image: OutgoingImage): UserPart =>
  'note' in image
    ? text(image.note)
    : { type: 'file', mediaType: image.media_type, data: { type: 'data', data: image.base64 } };
