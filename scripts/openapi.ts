/** Generates the document that follows from the routes. */
import { openapiDocument } from '@chat-kernel/server';

const STORED = 'docs/openapi.json';

/** Path from the root → the required text. */
export const openapiFiles = (): Record<string, string> => ({
  [STORED]: storedText(openapiDocument()),
});

/** One line per value, so that a change of the API is readable in a diff. */
export const storedText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
