/** Converts the prompt of an editor to the message of a turn. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { skillRequest, type TurnRequest } from '@chat-kernel/client';
import { unusable } from './refusals.ts';

type ImageType = NonNullable<TurnRequest['images']>[number]['media_type'];
const IMAGE_TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Converts a prompt: text becomes the message, attached files become its context, and links stay in their place.
 * @param skills the names that `/name` at the start can select @throws RequestError for content that the kernel does not accept
 */
export function buildMessage(
  prompt: readonly ContentBlock[],
  skills: readonly string[],
): Pick<TurnRequest, 'text' | 'images' | 'context'> {
  const texts: string[] = [];
  const images: NonNullable<TurnRequest['images']> = [];
  const context: string[] = [];
  for (const block of prompt) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'resource_link':
        texts.push(`[${block.name}](${toPath(block.uri)})`);
        break;
      case 'resource':
        if (!('text' in block.resource)) throw unusable(`${block.resource.uri} is not a text resource.`);
        texts.push(`[${toPath(block.resource.uri)}]`);
        context.push(`${toPath(block.resource.uri)}:\n${block.resource.text}`);
        break;
      case 'image':
        images.push({ media_type: parseImageType(block.mimeType), data: block.data });
        break;
      default:
        throw unusable(`Prompts cannot contain ${block.type} blocks.`);
    }
  }
  return {
    text: withSkill(texts.join(''), skills),
    ...(images.length > 0 && { images }),
    ...(context.length > 0 && { context: context.join('\n\n') }),
  };
}

/** @throws RequestError for image formats that no model accepts */
function parseImageType(type: string): ImageType {
  const known = IMAGE_TYPES.find(each => each === type);
  if (known === undefined)
    throw unusable(`${type} is not a supported image type. Supported types: ${IMAGE_TYPES.join(', ')}.`);
  return known;
}

/** Converts file URLs to paths, which the model can read; other URLs stay. */
function toPath(uri: string): string {
  const url = URL.parse(uri);
  return url?.protocol === 'file:' ? decodeURIComponent(url.pathname) : uri;
}

function withSkill(text: string, skills: readonly string[]): string {
  const [, name, rest = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name !== undefined && skills.includes(name) ? skillRequest(name, rest) : text;
}
