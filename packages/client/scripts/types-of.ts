/** Generates TypeScript from an OpenAPI document, here because the generator needs a TypeScript of its own. */
import openapiTypescript, { astToString } from 'openapi-typescript';

/** Returns a module that exports the types `paths`, `operations` and `components`. @throws Error for an invalid document */
export async function typesOf(document: object): Promise<string> {
  const ast = await openapiTypescript(structuredClone(document) as Parameters<typeof openapiTypescript>[0], {
    silent: true,
    // The kernel fills in defaults: a caller may leave such a field out.
    defaultNonNullable: false,
  });
  return astToString(ast);
}
