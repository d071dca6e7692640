/** Converts the zod schemas of the routes to JSON Schema: components for those with an id, and the others in place. */
import { z } from 'zod';

export type Json = Record<string, unknown>;
const PREFIX = '#/components/schemas/';

/** Both ways of a schema: as clients send it, and as the kernel answers it. */
interface Ways {
  sent: Record<string, Json>;
  answered: Record<string, Json>;
}

export class DocumentSchemas {
  readonly #ways: Ways;
  /** The ids of schemas in place, in the same registry. */
  readonly #inPlace = new Map<z.ZodType, string>();
  /** Parts of the document that clients send. */
  readonly #sent: Json[] = [];
  readonly #answered: Json[] = [];

  /** @param all every schema that the document contains */
  constructor(all: Iterable<z.ZodType>) {
    const registry = z.registry<{ id: string }>();
    for (const [id, schema] of z.globalRegistry._idmap) registry.add(schema, { id });
    for (const schema of all) {
      if (registry.has(schema)) continue;
      const id = ` ${this.#inPlace.size}`;
      this.#inPlace.set(schema, id);
      registry.add(schema, { id });
    }
    const convert = (io: 'input' | 'output') => {
      const { schemas } = z.toJSONSchema(registry, {
        io,
        metadata: z.globalRegistry,
        unrepresentable: 'any',
        uri: id => PREFIX + id,
        override: simplify,
      });
      for (const schema of Object.values(schemas) as Json[]) {
        for (const key of ['id', '$id', '$schema']) delete schema[key];
      }
      return schemas as Record<string, Json>;
    };
    this.#ways = { sent: convert('input'), answered: convert('output') };
  }

  sent(schema: z.ZodType): Json {
    return this.#add(schema, 'sent', this.#sent);
  }

  answered(schema: z.ZodType): Json {
    return this.#add(schema, 'answered', this.#answered);
  }

  /**
   * Returns the components to which the parts so far refer, by name. A schema that differs as it is sent (`ChatInput`)
   * and as it is answered (`Chat`) has two; the parts are changed to refer to the right one.
   */
  components(): Record<string, Json> {
    const { sent, answered } = this.#ways;
    const isSent = reachable(this.#sent, sent);
    const isAnswered = reachable(this.#answered, answered);
    const differs = (name: string) => JSON.stringify(sent[name]) !== JSON.stringify(answered[name]);
    const split = new Set([...isSent].filter(name => isAnswered.has(name) && differs(name)));
    const all = { ...answered };
    for (const name of isSent) {
      if (split.has(name)) all[`${name}Input`] = sent[name]!;
      else if (!isAnswered.has(name)) all[name] = sent[name]!;
    }
    const toInput = [...isSent].filter(name => split.has(name) || !isAnswered.has(name));
    for (const part of [...this.#sent, ...toInput.map(name => sent[name]!)]) {
      forEachRef(part, (name, holder) => {
        if (split.has(name)) holder.$ref = `${PREFIX}${name}Input`;
      });
    }
    for (const schema of Object.values(all)) addDiscriminator(schema, all);
    const used = [...reachable([...this.#sent, ...this.#answered], all)].sort();
    return Object.fromEntries(used.map(name => [name, all[name]!]));
  }

  #add(schema: z.ZodType, way: keyof Ways, parts: Json[]): Json {
    const id = this.#inPlace.get(schema);
    const part =
      id === undefined
        ? { $ref: PREFIX + z.globalRegistry.get(schema)?.id }
        : structuredClone(this.#ways[way][id]!);
    parts.push(part);
    return part;
  }
}

/**
 * Keeps objects open unless they are strict, because a newer kernel may answer with more fields. Drops a pattern that
 * repeats the format, because it only makes the page hard to read.
 */
function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  // A time from clients may have any zone and fraction; answers have milliseconds, in UTC. A wrapper, such as an
  // optional one, already has the schema of its content.
  if (jsonSchema.format === 'date-time' && 'offset' in def) {
    if (def.offset === true) delete jsonSchema.pattern;
    else jsonSchema.pattern = MILLISECONDS_UTC;
  }
}
const MILLISECONDS_UTC = '\\.\\d{3}Z$';

function forEachRef(value: unknown, visit: (name: string, holder: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') visit(child.slice(PREFIX.length), value as Json);
    else forEachRef(child, visit);
  }
}

/** Returns the names of the schemas to which these parts refer, directly or through others. */
function reachable(parts: unknown, schemas: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    forEachRef(schemas[name], visit);
  };
  forEachRef(parts, visit);
  return found;
}

/** Adds the discriminator to a `oneOf` whose schemas differ by the constant in their `type` or `kind`. */
function addDiscriminator(schema: Json, schemas: Record<string, Json>): void {
  const refs: unknown[] = Array.isArray(schema.oneOf) ? schema.oneOf.map((option: Json) => option.$ref) : [];
  if (refs.length === 0 || !refs.every(ref => typeof ref === 'string')) return;
  for (const propertyName of ['type', 'kind']) {
    const values = refs.map(ref => {
      const properties = schemas[ref.slice(PREFIX.length)]?.properties as Record<string, Json> | undefined;
      return properties?.[propertyName]?.const;
    });
    if (!values.every(value => typeof value === 'string')) continue;
    const mapping = Object.fromEntries(values.map((value, index) => [value, refs[index]]));
    schema.discriminator = { propertyName, mapping };
  }
}
