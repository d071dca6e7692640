/** Generates the document that follows from the routes. */
import { openapiDocument } from '@chat-kernel/server';

const STORED = 'docs/openapi.json';

/** Path from the root → the required text. */
export async function openapiFiles(): Promise<Record<string, string>> {
  return { [STORED]: storedText(await openapiDocument()) };
}

/** One line per value, so that a change of the API is readable in a diff. */
export const storedText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
