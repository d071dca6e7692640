/** A fetch for the project's own client: every answer it gets is held against the kernel's own document. */
import { type ApiClient, checkProblem, refuseHidden } from './client.ts';
import type { ApiDocument } from './document.ts';
import { refuseSecrets, secretWatch } from './secrets.ts';
import { StreamFrames } from './stream-frames.ts';

/** @param failed told of what is not as documented: the client itself only sees a line that broke */
export function checkedFetch(api: ApiClient, failed: (error: Error) => void): typeof fetch {
  return async (input, init) => {
    const document = await api.document();
    const response = await fetch(input, init);
    const bytes = isStream(response) ? new ArrayBuffer() : await response.arrayBuffer();
    try {
      return checked(response, Buffer.from(bytes), { document, url: String(input), init, failed });
    } catch (error) {
      failed(error as Error);
      throw error;
    }
  };
}

interface Call {
  document: ApiDocument;
  url: string;
  init: RequestInit | undefined;
  failed: (error: Error) => void;
}

const typeOf = ({ headers }: Response) => headers.get('content-type')?.split(';')[0];
const isStream = (response: Response): boolean => typeOf(response) === 'text/event-stream';

/** @param bytes of the body, where it is no stream */
function checked(response: Response, bytes: Buffer, { document, url, init, failed }: Call): Response {
  const { pathname, search } = new URL(url);
  const { status } = response;
  const contentType = typeOf(response);
  const answer = { method: init?.method ?? 'GET', path: pathname + search, status, contentType };
  const headers = Object.fromEntries(response.headers);
  refuseSecrets(JSON.stringify(headers), pathname);
  if (isStream(response)) {
    document.checkAnswer({ ...answer, body: undefined });
    const schema = pathname === '/v1/events' ? 'KernelEvent' : 'Event';
    return new Response(response.body!.pipeThrough(checkedEvents(document, schema, failed)), response);
  }
  refuseSecrets(bytes, pathname);
  const body = /[/+]json$/.test(contentType ?? '') ? JSON.parse(bytes.toString()) : undefined;
  if (status >= 400) checkProblem({ status, headers, body });
  document.checkAnswer({ ...answer, body: body ?? (bytes.length > 0 ? bytes : undefined) });
  refuseHidden(body, pathname);
  return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, response);
}

/** Passes what comes as it comes; fails with the first event that is not as documented. */
function checkedEvents(
  document: ApiDocument,
  schema: string,
  failed: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const frames = new StreamFrames();
  const decoder = new TextDecoder();
  const refuse = secretWatch('a stream');
  return new TransformStream({
    transform(chunk, to) {
      try {
        const text = decoder.decode(chunk, { stream: true });
        refuse(text);
        for (const { data } of frames.push(text)) document.checkEvent(JSON.parse(data), schema);
      } catch (error) {
        failed(error as Error);
        throw error;
      }
      to.enqueue(chunk);
    },
  });
}
