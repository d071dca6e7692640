/** What the generator leaves to do: one component a schema, discriminators, and response headers. */
import type { Route } from '../http/route.ts';
import { isContent, successStatus } from '../http/route.ts';

type Json = Record<string, unknown>;
interface Document {
  paths?: Record<
    string,
    Record<string, { requestBody?: unknown; parameters?: unknown; responses?: Record<string, Json> }>
  >;
  components?: { schemas?: Record<string, Json> };
}
const PREFIX = '#/components/schemas/';

/** Changes nothing of what is allowed on the wire; says it shorter and fuller. */
export function refine<Given extends object>(given: Given, routes: readonly Route[]): Given {
  const document = given as Document;
  const schemas = document.components?.schemas ?? {};
  const operations = Object.values(document.paths ?? {}).flatMap(Object.values);
  const renames = mergeInputs(schemas, operations);
  for (const schema of Object.values(schemas)) addDiscriminator(schema, schemas);
  addHeaders(document, routes);
  addExamples(document, routes);
  return withoutUnused(renamed(document, renames) as Document) as Given;
}

/**
 * The generator writes each schema twice: as it is sent (`ChatInput`) and as it is answered (`Chat`). One that is the
 * same both ways, or goes one way only, keeps the plain name and stands there once. Answers old name → new name.
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

/** What has a name but goes over other wires than this one, such as the context that modules get. */
function withoutUnused(document: Document): Document {
  const { schemas = {} } = document.components ?? {};
  const used = reachable(document.paths, schemas);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
  return document;
}

/** Names of the schemas that these parts of the document refer to, directly or through others. */
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

/** A copy with references to renamed schemas changed. */
function renamed(value: unknown, renames: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (key, child) => {
    if (key !== '$ref' || typeof child !== 'string') return child;
    const name = child.slice(PREFIX.length);
    return PREFIX + (renames.get(name) ?? name);
  });
}

/** `oneOf` over schemas told apart by the constant in their `type` or `kind` says so, value → schema. */
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

function addHeaders({ paths = {} }: Document, routes: readonly Route[]): void {
  for (const route of routes) {
    const responses = paths[pathOf(route.url)]?.[route.method.toLowerCase()]?.responses ?? {};
    for (const [status, response] of Object.entries(responses)) {
      const own = Number(status) === successStatus(route) ? { ...route.responseHeaders } : {};
      if (route.request?.body && Number(status) < 300)
        own['X-Ignored-Fields'] = 'JSON pointers of fields that were not understood.';
      const named = { 'X-Request-Id': 'Names this request in the log.', ...own };
      response.headers = Object.fromEntries(
        Object.entries(named).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      );
    }
  }
}

/** The generator takes schemas alone. */
function addExamples({ paths = {} }: Document, routes: readonly Route[]): void {
  for (const { method, url, responses } of routes) {
    for (const [status, response] of Object.entries(responses)) {
      if (response === null || !isContent(response) || response.example === undefined) continue;
      const documented = paths[pathOf(url)]?.[method.toLowerCase()]?.responses?.[status];
      const media = (documented?.content as Record<string, Json> | undefined)?.[response.contentType];
      if (media) media.example = response.example;
    }
  }
}

/** Fastify's `:id` is `{id}` in the document. */
const pathOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}');
