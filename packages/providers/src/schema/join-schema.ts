/** Joins a schema with what it refers to and with its `allOf`, so that one object describes a value. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@chat-kernel/protocol';
import { isDescribed } from './describe-lost.ts';

/** A schema without references and `allOf`. */
export interface JoinedSchema {
  /** All keywords except `properties`, `required`, `allOf` and references. */
  keywords: Map<string, unknown>;
  properties: Map<string, unknown>;
  required: Set<string>;
  /** Constraints that apply as well and do not fit into the same object. */
  lost: JsonObject[];
  /** The schemas that contain this one by reference. */
  containers: ReadonlySet<object>;
  /** True if the value has the form of one that contains it: only its type is known here. */
  repeats: boolean;
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class SchemaReader {
  readonly #root: JsonObject;
  readonly #count: (work: number) => void;
  /** Schemas with a name: `#anchor`, or the text of an `$id`. */
  #named: Map<string, unknown> | undefined;

  /**
   * @param count is called with the number of schemas and names that are about to be read, because references can multiply
   *   them without limit
   */
  constructor(root: JsonObject, count: (work: number) => void) {
    this.#root = root;
    this.#count = count;
  }

  /** Joins the schema of a value. `containers`: those of the value around it. */
  join(schema: JsonObject, containers: ReadonlySet<object>): JoinedSchema {
    const joined = {
      keywords: new Map<string, unknown>(),
      properties: new Map<string, unknown>(),
      required: new Set<string>(),
      lost: [] as JsonObject[],
      containers: new Set(containers),
      repeats: false,
    };
    this.#add(schema, joined, containers);
    return joined;
  }

  #add(
    schema: unknown,
    joined: JoinedSchema & { containers: Set<object> },
    outer: ReadonlySet<object>,
  ): void {
    this.#count(1);
    if (!isJsonObject(schema)) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' || key === 'required') this.#count(Object.keys(value ?? {}).length);
      if (key === 'properties') addProperties(value, joined);
      else if (key === 'required') addRequired(value, joined);
      else if (key !== 'allOf' && !REFERENCES.includes(key)) addKeyword(key, value, joined);
    }
    for (const key of REFERENCES) {
      const reference = schema[key];
      if (typeof reference === 'string') this.#follow(key, reference, joined, outer);
    }
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) this.#add(part, joined, outer);
  }

  #follow(
    key: string,
    reference: string,
    joined: JoinedSchema & { containers: Set<object> },
    outer: ReadonlySet<object>,
  ): void {
    const target = this.#find(reference);
    if (!isJsonObject(target)) {
      if (target !== true) joined.lost.push({ [key]: reference });
    } else if (outer.has(target)) {
      joined.repeats = true;
      if (!joined.keywords.has('type') && target.type !== undefined) joined.keywords.set('type', target.type);
    } else if (!joined.containers.has(target)) {
      joined.containers.add(target);
      this.#add(target, joined, outer);
    }
  }

  /** Returns the target of a reference; undefined if this schema does not contain it. */
  #find(reference: string): unknown {
    const at = reference.indexOf('#');
    const base = at === -1 ? reference : reference.slice(0, at);
    const fragment = at === -1 ? '' : reference.slice(at + 1);
    const document = base === '' ? this.#root : this.#names().get(base);
    if (fragment === '') return document;
    if (!fragment.startsWith('/')) return base === '' ? this.#names().get(`#${fragment}`) : undefined;
    let target: unknown = document;
    for (const step of decode(fragment.slice(1)).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return undefined;
      target = (target as JsonObject)[key];
    }
    return target;
  }

  #names(): Map<string, unknown> {
    if (this.#named) return this.#named;
    const named = new Map<string, unknown>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      this.#count(1);
      if (isJsonObject(value)) {
        if (typeof value.$id === 'string') named.set(value.$id, value);
        for (const anchor of [value.$anchor, value.$dynamicAnchor])
          if (typeof anchor === 'string') named.set(`#${anchor}`, value);
      }
      for (const part of Object.values(value)) visit(part);
    };
    visit(this.#root);
    this.#named = named;
    return named;
  }
}

/** The joined schemas of properties that several schemas declare. */
const conjunctions = new WeakSet<object>();

function addProperties(value: unknown, { properties }: JoinedSchema): void {
  if (!isJsonObject(value)) return;
  for (const [name, schema] of Object.entries(value)) {
    const known = properties.get(name);
    if (known === undefined) {
      properties.set(name, schema);
    } else if (isJsonObject(known) && conjunctions.has(known)) {
      (known.allOf as unknown[]).push(schema);
    } else if (!isDeepStrictEqual(known, schema)) {
      const both = { allOf: [known, schema] };
      conjunctions.add(both);
      properties.set(name, both);
    }
  }
}

function addRequired(value: unknown, { required }: JoinedSchema): void {
  if (!Array.isArray(value)) return;
  for (const name of value) if (typeof name === 'string') required.add(name);
}

function addKeyword(key: string, value: unknown, { keywords, lost }: JoinedSchema): void {
  if (!keywords.has(key)) keywords.set(key, value);
  else if (isDescribed(key) && !isDeepStrictEqual(keywords.get(key), value)) lost.push({ [key]: value });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A name with a percent sign that is not encoded.
    return text;
  }
}
