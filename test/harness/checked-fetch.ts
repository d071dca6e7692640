/** Provides a `fetch` for the project's own client that checks each response against the API document of the kernel. */
import { type ApiClient, checkProblem, refuseHidden } from './client.ts';
import type { ApiDocument } from './document.ts';
import { holdAnswer } from './document-client/answers.ts';
import { DocumentReader, resumes } from './document-client/stream.ts';
import { refuseSecrets, secretWatch } from './secrets.ts';
import { StreamFrames } from './stream-frames.ts';

/** @param failed callback for each departure from the document: the client itself only sees a dropped connection */
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

/** @param bytes the body, unless it is a stream */
function checked(response: Response, bytes: Buffer, { document, url, init, failed }: Call): Response {
  const { pathname, search } = new URL(url);
  const { status } = response;
  const contentType = typeOf(response);
  const answer = { method: init?.method ?? 'GET', path: pathname + search, status, contentType };
  const headers = Object.fromEntries(response.headers);
  refuseSecrets(JSON.stringify(headers), pathname);
  if (isStream(response)) {
    document.checkAnswer({ ...answer, body: undefined });
    const reader = readerOf(response, { method: answer.method, path: answer.path, init });
    const events = checkedEvents(document, reader, failed);
    return new Response(response.body!.pipeThrough(events), response);
  }
  refuseSecrets(bytes, pathname);
  const body = /[/+]json$/.test(contentType ?? '') ? JSON.parse(bytes.toString()) : undefined;
  if (status >= 400) checkProblem({ status, headers, body });
  document.checkAnswer({ ...answer, body: body ?? (bytes.length > 0 ? bytes : undefined) });
  holdAnswer(answer.method, answer.path, status, body);
  refuseHidden(body, pathname);
  return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, response);
}

interface Asked {
  method: string;
  path: string;
  init: RequestInit | undefined;
}

/**
 * Returns a reader that checks the stream of a turn as a client of the API document does. Returns undefined for the
 * stream of the whole kernel.
 */
function readerOf(response: Response, { method, path, init }: Asked): DocumentReader | undefined {
  if (path.startsWith('/v1/events')) return undefined;
  const headers = Object.fromEntries(new Headers(init?.headers));
  const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
  return new DocumentReader({
    method,
    path,
    body,
    resumes: resumes(headers),
    inFleet: response.headers.has('x-kernel'),
  });
}

/** Passes the data on as it arrives. Fails at the first event that does not match the document. */
function checkedEvents(
  document: ApiDocument,
  reader: DocumentReader | undefined,
  failed: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const schema = reader ? 'Event' : 'KernelEvent';
  const frames = new StreamFrames();
  const decoder = new TextDecoder();
  const refuse = secretWatch('a stream');
  return new TransformStream({
    transform(chunk, to) {
      try {
        const text = decoder.decode(chunk, { stream: true });
        refuse(text);
        for (const { data } of frames.push(text)) {
          const event = JSON.parse(data);
          document.checkEvent(event, schema);
          reader?.see(event);
        }
      } catch (error) {
        failed(error as Error);
        throw error;
      }
      to.enqueue(chunk);
    },
    // Only the service ends a stream this way: a client that disconnects cancels it, and a dropped connection is an
    // error.
    flush() {
      try {
        reader?.end();
      } catch (error) {
        failed(error as Error);
        throw error;
      }
    },
  });
}
