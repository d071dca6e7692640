/** Generates requests to one operation of the document: valid, nearly valid and hostile. */
import fc from 'fast-check';
import type { ContractDocument, ContractOperation, ContractParameter } from '../../openapi/document.ts';
import { fitting } from './fitting.ts';
import { encoded, WILD_BODIES, WILD_TEXTS, WILD_TYPES, WILD_VALUES, wildSegment } from './hostile.ts';
import { meaningsOf, rightBody } from './world.ts';

export interface Described {
  operationId: string;
  method: string;
  /** With its placeholders in braces. */
  template: string;
  operation: ContractOperation;
}

/** Still contains placeholders of the world. */
export interface Drawn {
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** All operations of the document. */
export function operationsOf(document: ContractDocument): Described[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId as string,
      method: method.toUpperCase(),
      template,
      operation,
    })),
  );
}

/** Returns requests that are valid in all parts. */
export function fittingRequest(document: ContractDocument, described: Described): fc.Arbitrary<Drawn> {
  const { parameters = [], requestBody } = described.operation;
  const value = ({ in: part, name, schema = {} }: ContractParameter) =>
    fitting(
      document,
      schema,
      meaningsOf(described.operationId, part === 'path' ? 'path' : 'query'),
      name,
    ).map(String);
  const named = (part: string) => parameters.filter(parameter => parameter.in === part);
  const record = (part: string) =>
    fc.record(Object.fromEntries(named(part).map(parameter => [parameter.name, value(parameter)])), {
      requiredKeys: named(part).flatMap(({ name, required }) => (required ? [name] : [])),
    });
  return fc
    .record({
      path: record('path'),
      query: record('query'),
      header: record('header'),
      body: body(document, described),
    })
    .map(({ path, query, header, body }) => ({
      path: addressOf(described.template, mapped(path, escaped), mapped(query, escaped)),
      headers: {
        ...mapped(header, headerSafe),
        // A machine stands by with its id in both places (CONSENT-12).
        ...(query.client_id !== undefined && {
          'x-client-id': encodeURIComponent(String(query.client_id).toWellFormed()),
        }),
        ...(requestBody && contentType(requestBody.content)),
      },
      ...(body !== undefined && { body }),
    }));
}

/**
 * Returns requests that are valid except for one position of the body: another value, a missing value or an unknown
 * field.
 */
export function nearlyFitting(document: ContractDocument, described: Described): fc.Arbitrary<Drawn> {
  const values = [...WILD_VALUES, ...WILD_TEXTS.map(text => JSON.stringify(text))];
  return fc
    .tuple(
      fittingRequest(document, described),
      fc.nat(),
      fc.constantFrom('replace', 'replace', 'remove', 'add'),
      fc.constantFrom(...values),
      fc.constantFrom(...WILD_TEXTS),
    )
    .map(([drawn, at, how, value, key]) => ({
      ...drawn,
      body: changed(String(drawn.body), at, how, value, key),
    }));
}

/** Returns requests with any value in any part. */
export function hostileRequest(document: ContractDocument, described: Described): fc.Arbitrary<Drawn> {
  const { method, template, operation } = described;
  const named = (part: string) =>
    (operation.parameters ?? []).flatMap(parameter => (parameter.in === part ? [parameter.name] : []));
  const wild = fc.oneof(
    fc.constantFrom(...WILD_TEXTS).map(encoded),
    fc.constantFrom('%', '%ff', '&&', '=', '1&limit=2', '1&limit[]=2'),
  );
  const real = fittingRequest(document, described);
  const segments = fc.record(Object.fromEntries(named('path').map(name => [name, wildSegment])));
  const queries = fc.record(
    Object.fromEntries([...named('query'), 'constructor', 'limit'].map(name => [name, wild])),
    { requiredKeys: [] },
  );
  const types = fc.constantFrom(...WILD_TYPES);
  const headers = fc.record(Object.fromEntries(named('header').map(name => [name, wild])), {
    requiredKeys: [],
  });
  const address = fc.tuple(segments, queries).map(([path, query]) => addressOf(template, path, query));
  const bodies = fc.constantFrom(...WILD_BODIES);
  return fc
    .tuple(
      real,
      fc.option(address),
      fc.option(headers),
      fc.option(bodies),
      fc.option(types, { nil: null, freq: 2 }),
    )
    .map(([drawn, path, wildHeaders, body, type]) => ({
      path: path ?? drawn.path,
      headers: {
        ...drawn.headers,
        ...mapped(wildHeaders ?? {}, headerSafe),
        ...(type === null ? {} : { 'content-type': type ?? '' }),
      },
      ...(method !== 'GET' && { body: body ?? drawn.body ?? '' }),
    }));
}

function body(
  document: ContractDocument,
  { operationId, operation }: Described,
): fc.Arbitrary<string | undefined> {
  const content = operation.requestBody?.content;
  if (!content) return fc.constant(undefined);
  const json = content['application/json'];
  if (!json) return fc.constantFrom('a,b', '<opml><body/></opml>', 'x'.repeat(1000));
  const fits = fitting(document, json.schema ?? {}, meaningsOf(operationId, 'body'));
  const right = rightBody(operationId);
  const any = right
    ? fc.oneof({ weight: 3, arbitrary: fits }, { weight: 1, arbitrary: fc.constant(right) })
    : fits;
  return any.map(value => JSON.stringify(value));
}

const contentType = (content: object) =>
  'application/json' in content ? { 'content-type': 'application/json' } : { 'content-type': 'audio/wav' };

/** Returns the JSON text after one change. @param at selects the position */
function changed(text: string, at: number, how: string, value: string, key: string): string {
  const root = { body: JSON.parse(text) };
  const places = [...placesOf(root.body, ['body'])];
  const path = places[at % places.length] as string[];
  // biome-ignore lint/suspicious/noExplicitAny: any JSON value
  const parent: any = path.slice(0, -1).reduce((node: any, step) => node[step], root);
  const last = path.at(-1) as string;
  if (how === 'remove' && path.length > 1) {
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
  } else if (how === 'add' && isRecord(parent[last])) {
    Object.defineProperty(parent[last], key, { value: HOLE, enumerable: true });
  } else {
    parent[last] = HOLE;
  }
  // The value is inserted as text: a number such as 1e400 would not survive JSON.stringify.
  return JSON.stringify(root.body).replace(JSON.stringify(HOLE), () => value);
}
const HOLE = '(here)';
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* placesOf(value: unknown, path: string[]): Generator<string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* placesOf(child, [...path, key]);
}

/** Values that were not drawn are absent. */
type Texts = Readonly<Record<string, string | undefined>>;

function addressOf(template: string, path: Texts, query: Texts): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? 'none');
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return search.length > 0 ? `${address}?${search.join('&')}` : address;
}

const mapped = (record: object, change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(String(value))]));

/** Placeholders stay readable: they are replaced later by ids that need no encoding. */
const escaped = (text: string): string => encoded(text).replaceAll('%C2%AB', '«').replaceAll('%C2%BB', '»');

/** Node rejects invalid headers. */
const headerSafe = (text: string): string => text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '?');
