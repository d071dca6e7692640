/** Converts the answer of a module to a call to the output of a tool. */
import type { ToolImage, ToolOutput } from '@chat-kernel/kernel';
import { CallResult, ImageMediaType, renderSections } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';

/** Longest output, in characters: models cannot use more. */
const MAX_CHARS = 100_000;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @throws Error if the answer is invalid */
export function parseToolOutput(answer: unknown): ToolOutput {
  const parsed = CallResult.safeParse(answer);
  if (!parsed.success) throw new Error('its response is invalid');
  const { output, blocks = [], images = [], is_error = false } = parsed.data;
  const read = images.map(readImage);
  const kept = read.filter(image => typeof image !== 'string');
  const texts = [output, renderSections(blocks), ...read.filter(image => typeof image === 'string')];
  return {
    output: shortened(texts.filter(text => text !== '').join('\n\n')),
    is_error,
    ...(kept.length > 0 && { images: kept }),
  };
}

/** Returns the image, or a sentence that replaces it. */
function readImage({ media_type, data }: NonNullable<CallResult['images']>[number]): ToolImage | string {
  const known = ImageMediaType.safeParse(media_type);
  if (!known.success) return `[an image was skipped: ${media_type.slice(0, 50)} is not supported]`;
  if (data === '' || !BASE64.test(data)) return '[an image was skipped: its data is not valid base64]';
  return { media_type: known.data, bytes: Buffer.from(data, 'base64') };
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const kept = cutText(text, MAX_CHARS);
  return `${kept}\n[${text.length - kept.length} more characters were cut: request less at once]`;
}
