/** TypeScript types out of an OpenAPI document, here because the generator needs a TypeScript of its own. */
import openapiTypescript, { astToString } from 'openapi-typescript';

const HEADER = `/**
 * Generated from docs/openapi.json: \`npm run docs\` regenerates it, \`npm run check\` compares it. Not to be edited.
 * \`operations['startTurn']\` is one operation, \`components['schemas']['Event']\` one schema.
 */
`;

/** Returns the text of a module that exports \`paths\`, \`operations\` and \`components\`. Throws for an invalid document. */
export async function typesOf(document: object): Promise<string> {
  const ast = await openapiTypescript(structuredClone(document) as Parameters<typeof openapiTypescript>[0], {
    silent: true,
    // The kernel fills in defaults: a caller may leave such a field out.
    defaultNonNullable: false,
  });
  return HEADER + astToString(ast);
}
