/** Converts the answer of a module to a call to the output of a tool. */
import type { ToolImage, ToolOutput } from '@chat-kernel/kernel';
import { CallResult, ImageMediaType, type JsonObject, renderSections } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';

/** Longest output, in characters: models cannot use more. */
const MAX_CHARS = 100_000;
/** Unknown fields that are named, and characters of a name. */
const MAX_UNKNOWN = 5;
const MAX_NAME_CHARS = 50;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * @param onUnread called for each part that was not understood, and that a sentence replaces (WIRE-10)
 * @throws Error if the answer is invalid
 */
export function parseToolOutput(answer: unknown, onUnread: (shape: string) => void): ToolOutput {
  const parsed = CallResult.safeParse(answer);
  if (!parsed.success) throw new Error('its response is invalid');
  const { output, blocks = [], images = [], is_error = false } = parsed.data;
  const read = images.map(image => readImage(image, onUnread));
  const kept = read.filter(image => typeof image !== 'string');
  const unknown = unknownFields(answer as JsonObject).map(field => {
    onUnread(`result.${field}`);
    return `[a part of the result was skipped: this kernel does not know ${field}]`;
  });
  const texts = [
    output,
    renderSections(blocks),
    ...read.filter(image => typeof image === 'string'),
    ...unknown,
  ];
  return {
    output: shortened(texts.filter(text => text !== '').join('\n\n')),
    is_error,
    ...(kept.length > 0 && { images: kept }),
  };
}

/** Returns the fields of a result that a newer module may send, except metadata and empty ones. */
const unknownFields = (answer: JsonObject): string[] =>
  Object.entries(answer)
    .filter(
      ([field, value]) =>
        !Object.hasOwn(CallResult.shape, field) && !field.startsWith('_') && hasContent(value),
    )
    .slice(0, MAX_UNKNOWN)
    .map(([field]) => cutText(field, MAX_NAME_CHARS));

const hasContent = (value: unknown): boolean =>
  !['null', '""', '[]', '{}', 'false'].includes(JSON.stringify(value));

/** Returns the image, or a sentence that replaces it. */
function readImage(
  { media_type, data }: NonNullable<CallResult['images']>[number],
  onUnread: (shape: string) => void,
): ToolImage | string {
  const known = ImageMediaType.safeParse(media_type);
  if (!known.success) {
    onUnread(`image ${cutText(media_type, MAX_NAME_CHARS)}`);
    return `[an image was skipped: ${cutText(media_type, MAX_NAME_CHARS)} is not supported]`;
  }
  if (data === '' || !BASE64.test(data)) {
    onUnread('image');
    return '[an image was skipped: its data is not valid base64]';
  }
  return { media_type: known.data, bytes: Buffer.from(data, 'base64') };
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const kept = cutText(text, MAX_CHARS);
  return `${kept}\n[${text.length - kept.length} more characters were cut: request less at once]`;
}
