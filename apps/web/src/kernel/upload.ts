/** Uploads files with XMLHttpRequest, because fetch reports no upload progress. */
import { KernelApiError, type File as StoredFile } from '@chat-kernel/client';
import { toKernelUrl } from '../base/paths.ts';
import type { Kernel } from './kernel.ts';

interface Upload {
  /** From 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

export function uploadFile(kernel: Kernel, file: File, { onProgress, signal }: Upload): Promise<StoredFile> {
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
