/** Converts the result of a guest to the output of a tool. */
import { detectMediaType, type ToolImage, type ToolOutput } from '@chat-kernel/kernel';
import { isTooDeep, MAX_LEVELS } from '@chat-kernel/protocol';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { cut, IMAGES, RESULT_CHARS, SENTENCE_CHARS } from '../rules/limits.ts';

const TOO_DEEP = `[the result is nested more than ${MAX_LEVELS} levels deep and cannot be shown]`;

type Content = CallToolResult['content'][number];

export function toToolOutput({
  content,
  structuredContent,
  isError = false,
  ...others
}: CallToolResult): ToolOutput {
  const images: ToolImage[] = [];
  const texts = content.map(each => contentText(each, images)).filter(text => text !== '');
  // Servers should repeat structured content as text, but not all do.
  if (structuredContent !== undefined && !content.some(({ type }) => type === 'text')) {
    const deep = isTooDeep(structuredContent, MAX_LEVELS);
    texts.push(deep ? TOO_DEEP : JSON.stringify(structuredContent, withoutData));
  }
  if (texts.length === 0 && images.length === 0)
    texts.push(otherText(others) ?? '(The tool returned nothing.)');
  return { output: shortened(texts.join('\n')), is_error: isError, ...(images.length > 0 && { images }) };
}

/** The fields of a result without content, as older and newer revisions may have them; undefined if there are none. */
function otherText(others: object): string | undefined {
  const shown = Object.entries(others).filter(([name]) => !name.startsWith('_') && name !== 'resultType');
  if (shown.length === 0) return undefined;
  const fields = Object.fromEntries(shown);
  return isTooDeep(fields, MAX_LEVELS) ? TOO_DEEP : JSON.stringify(fields, withoutData);
}

function contentText(content: Content, images: ToolImage[]): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image': {
      if (images.length === IMAGES) return `[an image was skipped: at most ${IMAGES} are shown]`;
      const image = readImage(content.data);
      if (image === undefined) return `[an image of an unsupported type: ${content.mimeType}]`;
      images.push(image);
      return '';
    }
    case 'audio':
      return `[audio, ${content.mimeType}, ${bytesIn(content.data)} bytes: not playable here]`;
    case 'resource': {
      const { uri, mimeType = 'of unknown type' } = content.resource;
      if ('text' in content.resource) return `[resource ${uri}, ${mimeType}]\n${content.resource.text}`;
      return `[resource ${uri}, ${mimeType}, ${bytesIn(content.resource.blob)} bytes: not shown here]`;
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

/** A text of this length without a space is data, which a model cannot read. */
const DATA_CHARS = 256;

/**
 * Replaces data with its size: an image in it is shown as an image, and its base64 would fill the context of the model.
 */
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
  return `${beginning}\n[truncated: the first ${RESULT_CHARS} of ${text.length} characters]`;
}

/** The bytes decide the type, not the server. Returns undefined if they are not an image that models accept. */
function readImage(base64: string): ToolImage | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const media_type = detectMediaType(bytes);
  return media_type === null ? undefined : { media_type, bytes };
}
