/** Manages the attachments of the next message. Images are sent inline; other files are uploaded while the user types. */
import { KernelApiError, type File as StoredFile, type TurnRequest } from '@chat-kernel/client';
import { toKernelUrl } from '../base/paths.ts';
import { Store } from '../base/store.ts';
import { describeError } from '../base/text.ts';
import type { Kernel } from '../kernel/kernel.ts';

type Image = NonNullable<TurnRequest['images']>[number];

export interface Attachment {
  key: string;
  name: string;
  size: number;
  /** From 0 to 1. At 1 it can be sent. */
  progress: number;
  error: string | null;
  image?: Image;
  fileId?: string;
}

const IMAGE = /^image\/(png|jpeg|gif|webp)$/;
/** Larger images are uploaded as files, to keep requests small. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;

export class Attachments {
  readonly list = new Store<readonly Attachment[]>([]);
  readonly #kernel: Kernel;
  readonly #uploads = new Map<string, AbortController>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const key = crypto.randomUUID();
      const { name, size } = file;
      this.list.update(list => [
        ...list,
        { key, name: name || 'Pasted file', size, progress: 0, error: null },
      ]);
      this.#read(key, file).catch(error => this.#change(key, { error: describeError(error) }));
    }
  }

  remove(key: string): void {
    this.#uploads.get(key)?.abort(new Error('The attachment was removed.'));
    this.list.update(list => list.filter(each => each.key !== key));
  }

  clear(): void {
    this.list.set([]);
  }

  /** Restores attachments of a message that could not be sent. */
  restore(list: readonly Attachment[]): void {
    this.list.update(now => [...list, ...now]);
  }

  async #read(key: string, file: File): Promise<void> {
    if (IMAGE.test(file.type) && file.size <= MAX_IMAGE_BYTES) {
      const data = await readBase64(file);
      this.#change(key, { progress: 1, image: { media_type: file.type as Image['media_type'], data } });
      return;
    }
    const upload = new AbortController();
    this.#uploads.set(key, upload);
    const onProgress = (progress: number) => this.#change(key, { progress: Math.min(0.99, progress) });
    const { id } = await uploadFile(this.#kernel, file, onProgress, upload.signal);
    this.#change(key, { progress: 1, fileId: id });
  }

  #change(key: string, change: Partial<Attachment>): void {
    this.list.update(list => list.map(each => (each.key === key ? { ...each, ...change } : each)));
  }
}

/** Returns the fields of a turn for these attachments. */
export function toTurnFields(list: readonly Attachment[]): Pick<TurnRequest, 'images' | 'files'> {
  const images = list.flatMap(({ image }) => (image ? [image] : []));
  const files = list.flatMap(({ fileId }) => (fileId ? [{ id: fileId }] : []));
  return { ...(images.length > 0 && { images }), ...(files.length > 0 && { files }) };
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/**
 * Uploads a file with XMLHttpRequest, because fetch reports no upload progress.
 * @param onProgress called with the share that is sent, from 0 to 1
 */
function uploadFile(
  kernel: Kernel,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', toKernelUrl('/v1/files'));
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name));
    if (kernel.token !== null) request.setRequestHeader('x-service-token', kernel.token);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = parseObject(request.responseText);
      if (request.status === 201) resolve(body as StoredFile);
      else reject(new KernelApiError(request.status, { detail: request.statusText, ...body }));
    };
    request.onerror = () => reject(new Error(`Couldn't upload ${file.name}.`));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function parseObject(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
