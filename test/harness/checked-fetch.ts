/** A fetch for the project's own client: every answer it gets is held against the kernel's own document. */
import { SseParser } from '@chat-kernel/client';
import { type ApiClient, refuseHidden } from './client.ts';
import type { ApiDocument } from './document.ts';

/** @param failed told of an event that is not as documented: the client itself only sees a line that broke */
export function checkedFetch(api: ApiClient, failed: (error: Error) => void): typeof fetch {
  return async (input, init) => {
    const document = await api.document();
    const response = await fetch(input, init);
    const { pathname, search } = new URL(String(input));
    const contentType = response.headers.get('content-type')?.split(';')[0];
    const answer = {
      method: init?.method ?? 'GET',
      path: pathname + search,
      status: response.status,
      contentType,
    };
    if (contentType === 'text/event-stream') {
      document.checkAnswer({ ...answer, body: undefined });
      const schema = pathname === '/v1/events' ? 'KernelEvent' : 'Event';
      return new Response(response.body!.pipeThrough(checkedEvents(document, schema, failed)), response);
    }
    const bytes = await response.arrayBuffer();
    const text = new TextDecoder().decode(bytes);
    const body = /[/+]json$/.test(contentType ?? '') ? JSON.parse(text) : undefined;
    document.checkAnswer({
      ...answer,
      body: body ?? (bytes.byteLength > 0 ? new Uint8Array(bytes) : undefined),
    });
    refuseHidden(body, pathname);
    return new Response(bytes.byteLength > 0 ? bytes : null, response);
  };
}

/** Passes what comes as it comes; fails with the first event that is not as documented. */
function checkedEvents(
  document: ApiDocument,
  schema: string,
  failed: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, to) {
      try {
        for (const { data } of parser.push(decoder.decode(chunk, { stream: true }))) {
          document.checkEvent(JSON.parse(data), schema);
        }
      } catch (error) {
        failed(error as Error);
        throw error;
      }
      to.enqueue(chunk);
    },
  });
}
