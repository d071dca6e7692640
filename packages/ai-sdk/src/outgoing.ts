/** Converts a message of the AI SDK for the kernel: images are sent inline, other files are stored first. */
import type { KernelClient, TurnRequest } from '@chat-kernel/client';
import type { FileUIPart, UIMessage } from 'ai';

type Said = Required<Pick<TurnRequest, 'text' | 'images' | 'files'>>;
type Image = Said['images'][number];

/** The media types that models can see. */
const SEEN: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Ignores parts that are neither text nor files. @throws Error for a file that is stored elsewhere */
export async function saidBy(
  { parts }: Pick<UIMessage, 'parts'>,
  client: KernelClient,
  signal?: AbortSignal,
): Promise<Said> {
  const said: Said = { text: '', images: [], files: [] };
  const texts: string[] = [];
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text);
    if (part.type !== 'file') continue;
    const image = parseImage(part);
    if (image) said.images.push(image);
    else said.files.push({ id: await resolveFileId(part, client, signal) });
  }
  return { ...said, text: texts.join('\n\n') };
}

/**
 * Stores a file of the page and returns the part to send. This avoids a data URL in memory. Images for the model should
 * stay data URLs, which the AI SDK makes of a FileList.
 */
export async function uploadPart(
  client: KernelClient,
  file: File,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<FileUIPart> {
  const mediaType = file.type || UNKNOWN;
  const { id } = await client.uploadFile({ name: file.name, media_type: mediaType, bytes: file }, { signal });
  return { type: 'file', mediaType, filename: file.name, url: `${client.url}/files/${id}` };
}

const UNKNOWN = 'application/octet-stream';

function parseImage({ url }: FileUIPart): Image | undefined {
  const [head = '', data] = url.split(',', 2);
  const media_type = head.match(/^data:([a-z/]+);base64$/)?.[1];
  if (media_type === undefined || data === undefined || !SEEN.includes(media_type)) return undefined;
  return { media_type: media_type as Image['media_type'], data };
}

/** Returns the id of a file of this kernel. Stores the file first if the page has its bytes. */
async function resolveFileId(part: FileUIPart, client: KernelClient, signal?: AbortSignal): Promise<string> {
  const { url, mediaType, filename = 'file' } = part;
  const stored = `${client.url}/files/`;
  if (url.startsWith(stored)) return url.slice(stored.length);
  if (!/^(?:data|blob):/.test(url)) {
    throw new Error(
      `${filename} is at ${url}: only files of this kernel, and those of the page, can be sent.`,
    );
  }
  const bytes = await (await fetch(url, { signal: signal ?? null })).blob();
  const media_type = bytes.type || mediaType;
  return (await client.uploadFile({ name: filename, media_type, bytes }, { signal })).id;
}
