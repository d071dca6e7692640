/**
 * Bodies of requests: JSON in UTF-8 alone, save where a route takes bytes; and the fields that the schema does not
 * know.
 */
import { isUtf8 } from 'node:buffer';
import { isTextTooDeep, KernelError, MOST_LEVELS } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pointer } from './problems.ts';

/** Bytes of a JSON body. Routes that take bytes have limits of their own. */
export const BODY_LIMIT = 64 * 1024 * 1024;
/** Characters. Proxies take 4 or 8 KiB for all headers together. */
const LONGEST_HEADER = 1000;

/**
 * Lets the application take application/json alone; Fastify answers 415 to the rest, a missing Content-Type included.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) => {
      // Some clients name the type on every request. No bytes are no body; the schema says whether one is needed.
      if (body.length === 0) return undefined;
      if (!isUtf8(body)) throw new KernelError('not_json', 'The body is not UTF-8.');
      // What walks through a value calls itself once a level, and few thousand of them are the end of it (SAFE-3).
      if (isTextTooDeep(body, MOST_LEVELS)) {
        throw new KernelError('invalid_value', `The body is nested more than ${MOST_LEVELS} levels deep.`);
      }
      try {
        return JSON.parse(body.toString());
      } catch (error) {
        throw new KernelError('not_json', 'The body cannot be read as JSON.', { cause: error });
      }
    },
  );
}

/** Leaves the bodies of this scope unread, whatever their type: its handlers read the bytes as they come. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => undefined);
}

/**
 * Returns the value of X-Ignored-Fields: JSON pointers of what was sent and not understood, comma-separated, other
 * characters percent-encoded; `...` at the end stands for more. Undefined where everything was understood.
 */
export function ignoredFields(sent: unknown, understood: unknown): string | undefined {
  let header = '';
  for (const path of unknownPaths(sent, understood, [])) {
    // JSON can hold half a surrogate pair, which cannot be encoded.
    const name = pointer(path).toWellFormed().split('/').map(encodeURIComponent).join('/');
    if (header.length + name.length > LONGEST_HEADER) return `${header}${header && ','}...`;
    header += (header && ',') + name;
  }
  return header || undefined;
}

function* unknownPaths(sent: unknown, understood: unknown, path: PropertyKey[]): Generator<PropertyKey[]> {
  // A value that the schema hands on unchanged is understood with all that it holds.
  if (sent === understood || !isObject(sent) || !isObject(understood)) return;
  for (const key of Object.keys(sent)) {
    if (Object.hasOwn(understood, key)) yield* unknownPaths(sent[key], understood[key], [...path, key]);
    else yield [...path, key];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
