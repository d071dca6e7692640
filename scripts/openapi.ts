/** Generates the files that follow from the routes. */
import { HTTP_ERRORS } from '@chat-kernel/protocol';
import { openapiDocument } from '@chat-kernel/server';
import { operationsOf } from '../packages/client/scripts/operations-of.ts';
import { retryableOf } from '../packages/client/scripts/retryable-of.ts';
import { typesOf } from '../packages/client/scripts/types-of.ts';

const STORED = 'docs/openapi.json';
const TYPES = 'packages/client/src/api/openapi.ts';
const CALLS = 'packages/client/src/api/operations.ts';
const RETRYABLE = 'packages/client/src/api/retryable.ts';

/** Path from the root → the required text. */
export async function openapiFiles(): Promise<Record<string, string>> {
  const document = await openapiDocument();
  return {
    [STORED]: storedText(document),
    [TYPES]: await typesOf(document),
    [CALLS]: operationsOf(document),
    [RETRYABLE]: retryableOf(HTTP_ERRORS),
  };
}

/** One line per value, so that a change of the API is readable in a diff. */
export const storedText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
