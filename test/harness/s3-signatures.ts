/**
 * Checks the signatures of S3 requests, because s3rver accepts any of version 4. It uses aws4, which is independent of
 * the client, and sends the error response of S3.
 */
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import aws4 from 'aws4';

interface Account {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Resolves with its address and a stop function. @param to the address of the server */
export async function startSignatureGuard(
  to: string,
  account: Account,
): Promise<{ url: string; close(): Promise<void> }> {
  const guard = createServer((incoming, answer) => {
    if (!isSigned(incoming, account)) {
      incoming.resume();
      answer.writeHead(403, { 'content-type': 'application/xml' });
      answer.end('<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code></Error>');
      return;
    }
    const { method, url, headers } = incoming;
    const outgoing = request(`${to}${url}`, { method, headers }, found => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>(resolve => guard.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(guard.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        guard.close(() => resolve());
        guard.closeAllConnections();
      }),
  };
}

function isSigned({ method, url, headers }: IncomingMessage, account: Account): boolean {
  const [, region, names = ''] =
    /Credential=[^/]+\/\d+\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+),/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (region === undefined) return false;
  const signed = Object.fromEntries(names.split(';').map(name => [name, String(headers[name])]));
  // aws4 omits Range by default.
  const extraHeadersToInclude = { range: 'range' in signed };
  const again = aws4.sign(
    { service: 's3', region, method, path: url, headers: signed, extraHeadersToInclude },
    account,
  );
  return again.headers?.Authorization === headers.authorization;
}
