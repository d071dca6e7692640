/** Sends requests over TLS and HTTP/2, as browsers do, and returns responses in the form that the test streams read. */
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Asked } from '../harness/http.ts';

const PIECE_BYTES = 65_536;

export interface TlsAddress {
  port: number;
  /** The certificate to trust. */
  ca: string;
}

export interface Http2Client {
  /** Resolves when the response headers arrive. */
  ask(path: string, asked: Asked): Promise<IncomingMessage>;
  /** The protocol that both sides agreed on. */
  protocol: string | undefined;
  close(): void;
}

/** Throws if the other side does not support HTTP/2, or does not match the certificate. */
export async function openHttp2({ port, ca }: TlsAddress): Promise<Http2Client> {
  const session = connect(`https://localhost:${port}`, {
    createConnection: () =>
      connectTls({ host: '127.0.0.1', port, servername: 'localhost', ca, ALPNProtocols: ['h2'] }),
  });
  await new Promise<void>((resolve, reject) => {
    session.once('connect', () => resolve());
    session.once('error', reject);
  });
  return {
    protocol: session.alpnProtocol,
    ask: (path, asked) => exchange(session, path, asked),
    close: () => session.destroy(),
  };
}

function exchange(
  session: ClientHttp2Session,
  path: string,
  { method, headers, body }: Asked,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: !body });
    // After the headers, the reader of the body receives the error.
    stream.on('error', reject);
    stream.once('response', head => {
      const { ':status': statusCode, ...answered } = head;
      const answer = Object.assign(stream, {
        statusCode,
        headers: answered,
        rawHeaders: Object.entries(answered).flatMap(([name, value]) => [name, `${value}`]),
        complete: false,
      });
      stream.once('end', () => {
        answer.complete = true;
      });
      resolve(answer as unknown as IncomingMessage);
    });
    // As one piece it would exceed the session limit.
    if (body) Readable.from(piecesOf(Buffer.from(body))).pipe(stream);
  });
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}
