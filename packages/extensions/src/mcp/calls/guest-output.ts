/** What a guest answers, as a tool of the kernel answers it. */
import type { ToolImage, ToolOutput } from '@chat-kernel/kernel';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { readImage } from './image.ts';
import { cut, IMAGES, RESULT_CHARS, SENTENCE_CHARS } from '../rules/limits.ts';

type Content = CallToolResult['content'][number];

export function outputOf({ content, structuredContent, isError = false }: CallToolResult): ToolOutput {
  const images: ToolImage[] = [];
  const texts = content.map(part => textOf(part, images)).filter(text => text !== '');
  // Servers that answer structured content should say it in the text too; not all do.
  if (structuredContent !== undefined && !content.some(({ type }) => type === 'text')) {
    texts.push(JSON.stringify(structuredContent));
  }
  if (texts.length === 0 && images.length === 0) texts.push('(The tool answered nothing.)');
  return { output: whole(texts.join('\n')), is_error: isError, ...(images.length > 0 && { images }) };
}

function textOf(part: Content, images: ToolImage[]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image': {
      if (images.length === IMAGES) return `[an image is left out: only ${IMAGES} are shown]`;
      const image = readImage(part.data);
      if (image === undefined) return `[an image of a kind that cannot be shown: ${part.mimeType}]`;
      images.push(image);
      return '';
    }
    case 'audio':
      return `[audio, ${part.mimeType}, ${bytesIn(part.data)} bytes: it cannot be played here]`;
    case 'resource': {
      const { uri, mimeType = 'of unknown type' } = part.resource;
      if ('text' in part.resource) return `[resource ${uri}, ${mimeType}]\n${part.resource.text}`;
      return `[resource ${uri}, ${mimeType}, ${bytesIn(part.resource.blob)} bytes: it cannot be shown here]`;
    }
    case 'resource_link': {
      const about = [part.title ?? part.name, part.mimeType, part.description].filter(Boolean).join(', ');
      return `[link to the resource ${part.uri}: ${cut(about, SENTENCE_CHARS)}]`;
    }
    default:
      return part satisfies never;
  }
}

const bytesIn = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** All of it, or its beginning and a note. */
function whole(text: string): string {
  if (text.length <= RESULT_CHARS) return text.toWellFormed();
  const beginning = text.slice(0, RESULT_CHARS).toWellFormed();
  return `${beginning}\n[cut: these are the first ${RESULT_CHARS} of ${text.length} characters]`;
}
