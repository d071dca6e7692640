/** Requests and answers of the Bot API, as they cross the wire. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Given } from './checks.ts';

export interface SentFile {
  kind: 'photo' | 'document' | 'voice';
  name: string;
  bytes: Buffer;
}

export const fileOf = async (kind: SentFile['kind'], file: File): Promise<SentFile> => ({
  kind,
  name: file.name,
  bytes: Buffer.from(await file.arrayBuffer()),
});

export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The parameters, from JSON or from a form, whose fields name files as attach://. */
export async function givenIn(request: IncomingMessage): Promise<Given> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'] ?? '';
  const bytes = Buffer.concat(chunks);
  if (!type.startsWith('multipart/')) return bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const fields = [...form].filter(([, value]) => typeof value === 'string') as [string, string][];
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const given = /^(?:-?\d+|true|false|[[{].*)$/s.test(value) ? JSON.parse(value) : value;
      return [name, name === 'media' ? given.map(attachedIn) : attached(given)];
    }),
  );

  function attached(value: unknown): unknown {
    const isName = typeof value === 'string' && value.startsWith('attach://');
    return isName ? form.get(value.slice('attach://'.length)) : value;
  }
  function attachedIn(part: Given): Given {
    return { ...part, media: attached(part.media) };
  }
}
