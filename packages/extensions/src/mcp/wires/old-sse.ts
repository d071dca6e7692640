/** The wire that MCP had before Streamable HTTP (revision 2024-11-05): only known here, to say what helps. */

/** Milliseconds in which such a server names the address for messages. */
const PATIENCE_MS = 3_000;
/** Characters in which its first event stands. */
const FIRST_CHARS = 4_096;

/** Tells whether the server answers a GET with a stream whose first event is `endpoint`. Never rejects. */
export async function speaksOldSse(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream' },
      // The headers are for this server alone.
      redirect: 'manual',
      signal: stop.signal,
    });
    if (!answer.ok || !/event-stream/.test(answer.headers.get('content-type') ?? '')) return false;
    return await beginsWithEndpoint(answer.body ?? new ReadableStream());
  } catch {
    // A server that cannot be asked is no server of that wire, and its first failure is told.
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
