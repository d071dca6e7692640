/** How bodies are read: JSON in UTF-8, nothing else, save where a route takes bytes; and which of their fields the schema did not know. */
import { isUtf8 } from 'node:buffer';
import { KernelError } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pointer } from './problems.ts';

/** Bytes. Routes with a raw body set their own. */
export const BODY_LIMIT = 64 * 1024 * 1024;
/** A header has to fit through proxies: they cut at 4 or 8 KiB for all of them. */
const LONGEST_HEADER = 1000;

/** Takes application/json alone; Fastify answers 415 for the rest, a missing Content-Type included. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => {
      // Some clients name the type on every request: no bytes are no body, and the schema says if one is needed.
      if (body.length === 0) return undefined;
      if (!isUtf8(body)) throw new KernelError('not_json', 'The body is not UTF-8.');
      try {
        return JSON.parse(body.toString());
      } catch (error) {
        throw new KernelError('not_json', 'The body cannot be read as JSON.', { cause: error });
      }
    },
  );
}

/** For the routes of this scope alone: any type, or none; the handler reads the bytes as they come. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => undefined);
}

/**
 * The value of X-Ignored-Fields: JSON pointers of what was sent and not understood, comma-separated, other characters
 * percent-encoded; `...` at the end stands for more. Undefined where everything was understood.
 */
export function ignoredFields(sent: unknown, understood: unknown): string | undefined {
  let header = '';
  for (const path of unknownPaths(sent, understood, [])) {
    // Half a character, which JSON can hold, cannot be encoded.
    const name = pointer(path).toWellFormed().split('/').map(encodeURIComponent).join('/');
    if (header.length + name.length > LONGEST_HEADER) return `${header}${header && ','}...`;
    header += (header && ',') + name;
  }
  return header || undefined;
}

function* unknownPaths(sent: unknown, understood: unknown, path: PropertyKey[]): Generator<PropertyKey[]> {
  // What a schema hands on as it is needs no look inside.
  if (sent === understood || !isObject(sent) || !isObject(understood)) return;
  for (const key of Object.keys(sent)) {
    if (Object.hasOwn(understood, key)) yield* unknownPaths(sent[key], understood[key], [...path, key]);
    else yield [...path, key];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
