/** The prompt of an editor as the message of a turn. */
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { skillRequest, type TurnRequest } from '@chat-kernel/client';
import { unusable } from './refusals.ts';

type ImageType = NonNullable<TurnRequest['images']>[number]['media_type'];
const IMAGE_TYPES: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Text is what the user says; files that the editor sends along are its context, and links stand where they were.
 * @param skills names that `/name` at the beginning asks for @throws RequestError for what the kernel does not take
 */
export function messageOf(
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
        texts.push(`[${block.name}](${pathOf(block.uri)})`);
        break;
      case 'resource':
        if (!('text' in block.resource)) throw unusable(`${block.resource.uri} is no text.`);
        texts.push(`[${pathOf(block.resource.uri)}]`);
        context.push(`${pathOf(block.resource.uri)}:\n${block.resource.text}`);
        break;
      case 'image':
        images.push({ media_type: imageTypeOf(block.mimeType), data: block.data });
        break;
      default:
        throw unusable(`The kernel takes no ${block.type} in a prompt.`);
    }
  }
  return {
    text: withSkill(texts.join(''), skills),
    ...(images.length > 0 && { images }),
    ...(context.length > 0 && { context: context.join('\n\n') }),
  };
}

/** @throws RequestError for pictures that no model takes */
function imageTypeOf(type: string): ImageType {
  const known = IMAGE_TYPES.find(each => each === type);
  if (known === undefined)
    throw unusable(`${type} is no picture that the kernel takes: ${IMAGE_TYPES.join(', ')}.`);
  return known;
}

/** The model reads paths; what is no file keeps its address. */
function pathOf(uri: string): string {
  const url = URL.parse(uri);
  return url?.protocol === 'file:' ? decodeURIComponent(url.pathname) : uri;
}

function withSkill(text: string, skills: readonly string[]): string {
  const [, name, rest = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name !== undefined && skills.includes(name) ? skillRequest(name, rest) : text;
}
