/** The result of a guest, as the output of a tool. */
import type { ToolImage, ToolOutput } from '@chat-kernel/kernel';
import { isTooDeep, MOST_LEVELS } from '@chat-kernel/protocol';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { cut, IMAGES, RESULT_CHARS, SENTENCE_CHARS } from '../rules/limits.ts';
import { readImage } from './image.ts';

const TOO_DEEP = `[the answer is nested more than ${MOST_LEVELS} levels deep: it cannot be shown]`;

type Content = CallToolResult['content'][number];

export function guestOutputOf({ content, structuredContent, isError = false }: CallToolResult): ToolOutput {
  const images: ToolImage[] = [];
  const texts = content.map(each => textOf(each, images)).filter(text => text !== '');
  // Servers should repeat structured content as text, and not all do.
  if (structuredContent !== undefined && !content.some(({ type }) => type === 'text')) {
    const deep = isTooDeep(structuredContent, MOST_LEVELS);
    texts.push(deep ? TOO_DEEP : JSON.stringify(structuredContent, withoutData));
  }
  if (texts.length === 0 && images.length === 0) texts.push('(The tool answered nothing.)');
  return { output: shortened(texts.join('\n')), is_error: isError, ...(images.length > 0 && { images }) };
}

function textOf(content: Content, images: ToolImage[]): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image': {
      if (images.length === IMAGES) return `[an image is left out: only ${IMAGES} are shown]`;
      const image = readImage(content.data);
      if (image === undefined) return `[an image of a kind that cannot be shown: ${content.mimeType}]`;
      images.push(image);
      return '';
    }
    case 'audio':
      return `[audio, ${content.mimeType}, ${bytesIn(content.data)} bytes: it cannot be played here]`;
    case 'resource': {
      const { uri, mimeType = 'of unknown type' } = content.resource;
      if ('text' in content.resource) return `[resource ${uri}, ${mimeType}]\n${content.resource.text}`;
      return `[resource ${uri}, ${mimeType}, ${bytesIn(content.resource.blob)} bytes: it cannot be shown here]`;
    }
    case 'resource_link': {
      const about = [content.title ?? content.name, content.mimeType, content.description]
        .filter(Boolean)
        .join(', ');
      return `[link to the resource ${content.uri}: ${cut(about, SENTENCE_CHARS)}]`;
    }
    default:
      return content satisfies never;
  }
}

/** Text this long, without a space, is data and nothing that a model reads. */
const DATA_CHARS = 256;

/** Names data by its size: the image in it is shown as one, and its base64 would fill the window of the model. */
function withoutData(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length < DATA_CHARS) return value;
  const bare = value.startsWith('data:') ? value.slice(value.indexOf(',') + 1) : value;
  return /^[\w+/-]+={0,2}$/.test(bare) ? `[${bytesIn(bare)} bytes of data]` : value;
}

const bytesIn = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** Returns the text, or its beginning and a note. */
function shortened(text: string): string {
  if (text.length <= RESULT_CHARS) return text.toWellFormed();
  const beginning = text.slice(0, RESULT_CHARS).toWellFormed();
  return `${beginning}\n[cut: these are the first ${RESULT_CHARS} of ${text.length} characters]`;
}
