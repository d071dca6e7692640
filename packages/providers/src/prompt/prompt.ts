/** A request of ours as the prompt and tools of the provider packages. */
import { createHash } from 'node:crypto';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { ModelRequest } from '@chat-kernel/kernel';
import { type OutgoingImage, outgoingImage } from './images.ts';
import {
  type ConvertedMessage,
  convertMessage,
  type ImageBlock,
  type Message,
  type Reader,
  text,
  type UserPart,
} from './message.ts';

/** Images beyond this, in base64 characters, are left out; with the last one it still fits into Google's 20 MB and Anthropic's 32 MB. */
const MOST_CHARACTERS = 13 * 1024 * 1024;
/** Anthropic takes no more in one request. */
const MOST_IMAGES = 100;

const NO_ROOM = { note: '[An older image stood here; the request has no room for it.]' };
const UNSEEN = { note: '[An image stood here; this model cannot see images.]' };

/** Reads requests for one model and remembers what became of each message. */
export type PromptWriter = (request: ModelRequest) => Promise<LanguageModelV4Prompt>;

/** `images` false: the model takes none; each becomes a note. */
export function promptWriter(reader: Reader, images: boolean): PromptWriter {
  const converted = new WeakMap<Message, ConvertedMessage>();
  return async request => {
    const prompt: LanguageModelV4Prompt = request.system ? [{ role: 'system', content: request.system }] : [];
    const toolNames = new Map<string, string>();
    const unfilled: { index: number; images: ConvertedMessage['images'] }[] = [];
    for (const message of request.messages) {
      let known = converted.get(message);
      if (message.role === 'assistant') nameCalls(message, toolNames);
      if (!known) {
        known = convertMessage(message, reader, toolNames);
        converted.set(message, known);
      }
      for (const one of known.messages) prompt.push(one);
      if (known.images.length > 0) unfilled.push({ index: prompt.length - 1, images: known.images });
    }
    await fillImages(prompt, unfilled, images ? request.loadImage : undefined);
    return prompt;
  };
}

/** The tools as they are declared to every provider. */
export const toolDeclarations = (request: ModelRequest): LanguageModelV4FunctionTool[] =>
  request.tools.map(tool => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input_schema as LanguageModelV4FunctionTool['inputSchema'],
  }));

function nameCalls(message: Message, toolNames: Map<string, string>): void {
  for (const block of message.content) if (block.type === 'tool_use') toolNames.set(block.id, block.name);
}

/** Newest first, so that what does not fit any more is the oldest. Changes the prompt, not its messages. */
async function fillImages(
  prompt: LanguageModelV4Prompt,
  unfilled: { index: number; images: ConvertedMessage['images'] }[],
  load: ModelRequest['loadImage'] | undefined,
): Promise<void> {
  let characters = 0;
  let count = 0;
  for (const { index, images } of unfilled.reverse()) {
    const message = prompt[index] as Extract<LanguageModelV4Message, { role: 'user' }>;
    const content = [...message.content];
    for (const { at, block } of images.toReversed()) {
      const full = characters >= MOST_CHARACTERS || count >= MOST_IMAGES;
      const image = full ? NO_ROOM : load ? await imageOf(block, load) : UNSEEN;
      if ('base64' in image) {
        characters += image.base64.length;
        count += 1;
      }
      content[at] = imagePart(image);
    }
    prompt[index] = { ...message, content };
  }
}

function imageOf(block: ImageBlock, load: ModelRequest['loadImage']): Promise<OutgoingImage> {
  const id = block.internal?.image_id;
  if (id) return outgoingImage(id, () => load(id));
  const bytes = Buffer.from(block.data, 'base64');
  return outgoingImage(createHash('sha256').update(bytes).digest('hex'), async () => bytes);
}

const imagePart = (image: OutgoingImage): UserPart =>
  'note' in image
    ? text(image.note)
    : { type: 'file', mediaType: image.media_type, data: { type: 'data', data: image.base64 } };
