/** Detects the transport that MCP had before Streamable HTTP (revision 2024-11-05), only to suggest a solution. */

/** Milliseconds in which such a server sends the address for messages. */
const ENDPOINT_TIMEOUT_MS = 3_000;
/** Characters that contain its first event. */
const FIRST_CHARS = 4_096;

/** Whether the server answers a GET with a stream whose first event is `endpoint`. Never rejects. */
export async function speaksOldSse(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ENDPOINT_TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream' },
      // The headers are only for this server.
      redirect: 'manual',
      signal: stop.signal,
    });
    if (!answer.ok || !/event-stream/.test(answer.headers.get('content-type') ?? '')) return false;
    return await beginsWithEndpoint(answer.body ?? new ReadableStream());
  } catch {
    // An unreachable server does not count, and its first failure is reported.
    return false;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

async function beginsWithEndpoint(body: ReadableStream<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (/^event: ?endpoint$/m.test(text)) return true;
    if (/\r?\n\r?\n/.test(text) || text.length >= FIRST_CHARS) return false;
  }
  return false;
}
