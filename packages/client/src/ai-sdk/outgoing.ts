/** A message that the AI SDK sends, as the kernel takes it: images go along, other files are stored first. */
import type { FileUIPart, UIMessage } from 'ai';
import type { TurnRequest } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';

type Said = Required<Pick<TurnRequest, 'text' | 'images' | 'files'>>;
type Image = Said['images'][number];

/** The media types that models see. */
const SEEN: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Parts that are neither text nor files are no part of what a user says. @throws Error for a file that is elsewhere */
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
    const image = imageOf(part);
    if (image) said.images.push(image);
    else said.files.push({ id: await idOf(part, client, signal) });
  }
  return { ...said, text: texts.join('\n\n') };
}

/**
 * Stores a file of the page and returns the part to send, in place of a data URL that would be held in memory. Images that
 * the model should see go as data URLs, which is what the AI SDK makes of a FileList.
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

function imageOf({ url }: FileUIPart): Image | undefined {
  const [head = '', data] = url.split(',', 2);
  const media_type = head.match(/^data:([a-z/]+);base64$/)?.[1];
  if (media_type === undefined || data === undefined || !SEEN.includes(media_type)) return undefined;
  return { media_type: media_type as Image['media_type'], data };
}

/** The id of a file of this kernel, which is stored first where the page has its bytes. */
async function idOf(part: FileUIPart, client: KernelClient, signal?: AbortSignal): Promise<string> {
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
