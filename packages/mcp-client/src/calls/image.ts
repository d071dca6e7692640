/** Decodes images in results. Their bytes decide the type, not the type that the server states. */
import type { ToolImage } from '@chat-kernel/kernel';

/** Returns undefined if the data is not an image that models accept. */
export function readImage(base64: string): ToolImage | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const media_type = detectMediaType(bytes.toString('latin1', 0, 16));
  return media_type && { media_type, bytes };
}

function detectMediaType(start: string): ToolImage['media_type'] | undefined {
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  return undefined;
}
