/** Checks responses against the OpenAPI document of the kernel: a response that it does not describe is a failure. */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

export interface OpenApi {
  openapi: string;
  info: { title: string };
  security?: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}
interface Operation {
  operationId: string;
  security?: object[];
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}
// biome-ignore lint/suspicious/noExplicitAny: tests read every part of the raw schema
type Json = Record<string, any>;

interface Answered {
  method: string;
  /** With or without a query. */
  path: string;
  status: number;
  /** Undefined if there is no body. */
  contentType: string | undefined;
  /** Parsed if it is JSON. */
  body: unknown;
}

export class ApiDocument {
  readonly json: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(json: OpenApi) {
    this.json = json;
    ajvFormats.default(this.#ajv);
    this.#ajv.addSchema(closed(json), 'api');
  }

  /** Throws unless the document allows this response to this request. */
  checkAnswer({ method, path, status, contentType, body }: Answered): void {
    const asked = `${method} ${path} → ${status}`;
    const { template, operation } = this.operation(method, path);
    const response = operation.responses[status];
    if (response === undefined) throw new Error(`${asked} is not documented: ${JSON.stringify(body)}`);
    if (status === 204) {
      if (body !== undefined) throw new Error(`${asked} has a body`);
      return;
    }
    const media = Object.keys(response.content ?? {}).find(type => fits(type, contentType ?? ''));
    if (media === undefined) throw new Error(`${asked} with ${contentType} is not documented`);
    if (!/json/.test(media)) return;
    const place = ['paths', template, method.toLowerCase(), 'responses', status, 'content', media, 'schema'];
    this.#check(`api#/${place.map(escaped).join('/')}`, body, asked);
  }

  /** Throws if the event does not match the document. @param schema its name among the components */
  checkEvent(event: unknown, schema: string): void {
    this.#check(`api#/components/schemas/${schema}`, event, 'event');
  }

  /** Returns a schema of the components. Throws if none has this name. */
  schema(name: string): Json {
    const schema = this.json.components.schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    return schema;
  }

  describes(method: string, path: string): boolean {
    return this.#find(method, path) !== undefined;
  }

  /** Finds the operation of the document that describes this request. Throws if there is none. */
  operation(method: string, path: string): { template: string; operation: Operation } {
    const found = this.#find(method, path);
    if (!found) throw new Error(`${method} ${path} is not documented`);
    return found;
  }

  #find(method: string, path: string): { template: string; operation: Operation } | undefined {
    const segments = path.split('?', 1)[0]!.split('/');
    const template = Object.keys(this.json.paths)
      .filter(candidate => matches(candidate.split('/'), segments))
      // A literal segment takes precedence over a placeholder.
      .sort((a, b) => a.split('{').length - b.split('{').length)[0];
    const operation = template && this.json.paths[template]?.[method.toLowerCase()];
    return operation ? { template, operation } : undefined;
  }

  #check(ref: string, value: unknown, what: string): void {
    let validate = this.#validators.get(ref);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: ref });
      this.#validators.set(ref, validate);
    }
    if (validate(value)) return;
    throw new Error(
      `${what} is not as documented: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`,
    );
  }
}

/**
 * The document allows more fields than it names, for later versions. This kernel must send only the named ones, except
 * in a problem: RFC 9457 allows more fields there.
 */
function closed(document: OpenApi): object {
  const copy = structuredClone(document);
  for (const [name, schema] of Object.entries(copy.components.schemas)) if (name !== 'Problem') close(schema);
  return copy;
}

function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const object = schema as Json;
  // Ajv finds the branch by the constants of the branches; it does not support `mapping`.
  const { discriminator } = object as { discriminator?: { propertyName: string } };
  if (discriminator) object.discriminator = { propertyName: discriminator.propertyName };
  if (object.type === 'object' && object.properties) object.additionalProperties ??= false;
  for (const child of Object.values(object)) close(child);
}

const matches = (template: string[], segments: string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => part.startsWith('{') || part === segments[index]);

// `image/*` matches all subtypes, and `*` on both sides matches any type.
const fits = (documented: string, sent: string): boolean =>
  documented === sent ||
  documented === '*/*' ||
  (documented.endsWith('/*') && sent.startsWith(documented.slice(0, -1)));

/** A key as a segment of a JSON pointer in a URI. */
const escaped = (key: string | number): string =>
  encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
