/** Generates the document that follows from the routes, and finds changes that break clients of the released API. */
import { readFileSync } from 'node:fs';
import { openapiDocument } from '@chat-kernel/server';
import { breakingChanges } from './contract/breaking.ts';
import { promisedDocument, promisesOf } from './contract/promises.ts';

const STORED = 'docs/openapi.json';
/** The promises of the API that clients depend on: they change only with a release, and then deliberately. */
export const RELEASED = 'scripts/contract/released.jsonl';

/** Path from the root → the required text. */
export async function openapiFiles(): Promise<Record<string, string>> {
  return { [STORED]: storedText(await openapiDocument()) };
}

/** Returns the breaks between the released promises and these files, a sentence each. @param root of the repository */
export function breaksOf(root: string, files: Readonly<Record<string, string>>): string[] {
  const released = promisedDocument(readFileSync(`${root}/${RELEASED}`, 'utf8'));
  return breakingChanges(released, JSON.parse(files[STORED]!));
}

/** Returns the files, with the promises of the current document as the released ones. */
export const withRelease = (files: Readonly<Record<string, string>>): Record<string, string> => ({
  ...files,
  [RELEASED]: promisesOf(JSON.parse(files[STORED]!)),
});

/** One line per value, so that a change of the API is readable in a diff. */
export const storedText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
