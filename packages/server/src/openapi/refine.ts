/** Completes the generated document: one component for each schema, discriminators, response headers and examples. */

import { isContent, successStatus } from '@chat-kernel/http';
import type { Route } from '../http/route.ts';

type Json = Record<string, unknown>;
interface OpenapiDocument {
  paths?: Record<
    string,
    Record<string, { requestBody?: unknown; parameters?: unknown; responses?: Record<string, Json> }>
  >;
  components?: { schemas?: Record<string, Json> };
}
const PREFIX = '#/components/schemas/';

/** Refines the document in place, without changes to what it allows on the wire. */
export function refine<Given extends object>(given: Given, routes: readonly Route[]): Given {
  const document = given as OpenapiDocument;
  const schemas = document.components?.schemas ?? {};
  const operations = Object.values(document.paths ?? {}).flatMap(Object.values);
  const renames = mergeInputs(schemas, operations);
  for (const schema of Object.values(schemas)) addDiscriminator(schema, schemas);
  addHeaders(document, routes);
  addEmptyBodies(document, routes);
  addExamples(document, routes);
  return withoutUnused(renamed(document, renames) as OpenapiDocument) as Given;
}

/**
 * Merges the two schemas that the generator writes for each: as it is sent (`ChatInput`) and as it is answered
 * (`Chat`). A schema that is the same both ways, or goes one way only, keeps the plain name. Returns old name → new
 * name.
 */
function mergeInputs(
  schemas: Record<string, Json>,
  operations: readonly { requestBody?: unknown; parameters?: unknown; responses?: unknown }[],
): Map<string, string> {
  const sent = reachable(
    operations.map(({ requestBody, parameters }) => [requestBody, parameters]),
    schemas,
  );
  const answered = reachable(
    operations.map(({ responses }) => responses),
    schemas,
  );
  const inputs = Object.keys(schemas).filter(name => name.endsWith('Input') && schemas[name.slice(0, -5)]);
  const all = new Map(inputs.map(name => [name, name.slice(0, -5)]));
  const kept = new Map<string, string>();
  for (const [input, plain] of all) {
    const same = JSON.stringify(renamed(schemas[input], all)) === JSON.stringify(schemas[plain]);
    if (sent.has(input) && answered.has(plain) && !same) continue;
    if (sent.has(input) && !answered.has(plain)) schemas[plain] = schemas[input]!;
    delete schemas[input];
    kept.set(input, plain);
  }
  return kept;
}

/**
 * Removes named schemas that HTTP does not use, such as the context that modules get. The rest are sorted by name, so
 * that the document does not depend on the files that declare them.
 */
function withoutUnused(document: OpenapiDocument): OpenapiDocument {
  const { schemas = {} } = document.components ?? {};
  const used = [...reachable(document.paths, schemas)].filter(name => name in schemas).sort();
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(used.map(name => [name, schemas[name] as Json])),
  };
  return document;
}

/** Returns the names of the schemas to which these parts of the document refer, directly or through others. */
function reachable(parts: unknown, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const name = key === '$ref' && typeof child === 'string' ? child.slice(PREFIX.length) : undefined;
      if (name === undefined) visit(child);
      else if (!found.has(name)) {
        found.add(name);
        visit(schemas[name]);
      }
    }
  };
  visit(parts);
  return found;
}

/** Returns a copy with references to renamed schemas changed. */
function renamed(value: unknown, renames: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (key, child) => {
    if (key !== '$ref' || typeof child !== 'string') return child;
    const name = child.slice(PREFIX.length);
    return PREFIX + (renames.get(name) ?? name);
  });
}

/**
 * Adds the discriminator (value → schema) to a `oneOf` whose schemas differ by the constant in their `type` or `kind`.
 */
function addDiscriminator(schema: Json, schemas: Record<string, Json>): void {
  const refs = Array.isArray(schema.oneOf) ? schema.oneOf.map((option: Json) => option.$ref) : [];
  if (refs.length === 0 || !refs.every(ref => typeof ref === 'string')) return;
  for (const propertyName of ['type', 'kind']) {
    const constant = (ref: string) => {
      const properties = schemas[ref.slice(PREFIX.length)]?.properties as Record<string, Json> | undefined;
      return properties?.[propertyName]?.const;
    };
    const values = refs.map(ref => constant(ref));
    if (!values.every(value => typeof value === 'string')) continue;
    schema.discriminator = {
      propertyName,
      mapping: Object.fromEntries(values.map((value, index) => [value, refs[index]])),
    };
  }
}

function addHeaders({ paths = {} }: OpenapiDocument, routes: readonly Route[]): void {
  for (const route of routes) {
    const responses = paths[toDocumentPath(route.url)]?.[route.method.toLowerCase()]?.responses ?? {};
    for (const [status, response] of Object.entries(responses)) {
      const ofRoute = Number(status) === successStatus(route) ? { ...route.responseHeaders } : {};
      if (route.request?.body && Number(status) < 300)
        ofRoute['X-Ignored-Fields'] = 'JSON pointers of ignored fields.';
      const headers = { 'X-Request-Id': 'The id of this request in the log.', ...ofRoute };
      response.headers = Object.fromEntries(
        Object.entries(headers).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      );
    }
  }
}

/**
 * Adds the body that a POST without a schema accepts and ignores: many clients send `{}` or null with every POST. Marks
 * bodies that may be absent.
 */
function addEmptyBodies({ paths = {} }: OpenapiDocument, routes: readonly Route[]): void {
  for (const { method, url, request, rawBody } of routes) {
    const operation = method === 'POST' ? paths[toDocumentPath(url)]?.post : undefined;
    if (!operation || rawBody) continue;
    if (!request?.body) operation.requestBody = EMPTY_BODY;
    else if (request.body.safeParse(undefined).success)
      operation.requestBody = { ...(operation.requestBody as object), required: false };
  }
}
const EMPTY_BODY = {
  description: 'Optional. The kernel ignores it.',
  required: false,
  content: { 'application/json': { schema: {} } },
};

/** Adds the examples, which the generator does not accept. */
function addExamples({ paths = {} }: OpenapiDocument, routes: readonly Route[]): void {
  for (const { method, url, responses } of routes) {
    for (const [status, response] of Object.entries(responses)) {
      if (response === null || !isContent(response) || response.example === undefined) continue;
      const documented = paths[toDocumentPath(url)]?.[method.toLowerCase()]?.responses?.[status];
      const media = (documented?.content as Record<string, Json> | undefined)?.[response.contentType];
      if (media) media.example = response.example;
    }
  }
}

/** Returns the path in the notation of the document: Fastify's `:id` is `{id}` there. */
const toDocumentPath = (url: string): string => url.replace(/:(\w+)/g, '{$1}');
