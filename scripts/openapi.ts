/** The files that follow from the routes, and what breaks for clients of the released API. */
import { readFileSync } from 'node:fs';
import { openapiDocument } from '@chat-kernel/server';
import { operationsOf } from '../packages/client/scripts/operations-of.ts';
import { typesOf } from '../packages/client/scripts/types-of.ts';
import { breakingChanges } from './contract/breaking.ts';
import { promisedDocument, promisesOf } from './contract/promises.ts';

const STORED = 'docs/openapi.json';
const TYPES = 'packages/client/src/api/openapi.ts';
const CALLS = 'packages/client/src/api/operations.ts';
/** The promises of the API as clients know it: they only change by a release, and then on purpose. */
export const RELEASED = 'scripts/contract/released.jsonl';

/** Path from the root → the text that has to stand there. */
export async function openapiFiles(): Promise<Record<string, string>> {
  const document = await openapiDocument();
  return {
    [STORED]: storedText(document),
    [TYPES]: await typesOf(document),
    [CALLS]: operationsOf(document),
  };
}

/** The breaks between the released promises and these files, a sentence each. @param root of the repository */
export function breaksOf(root: string, files: Readonly<Record<string, string>>): string[] {
  const released = promisedDocument(readFileSync(`${root}/${RELEASED}`, 'utf8'));
  return breakingChanges(released, JSON.parse(files[STORED]!));
}

/** Files as they are, and the promises of the present document as the released ones. */
export const withRelease = (files: Readonly<Record<string, string>>): Record<string, string> => ({
  ...files,
  [RELEASED]: promisesOf(JSON.parse(files[STORED]!)),
});

/** A line a value, so that a change of the API reads as one. */
export const storedText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
