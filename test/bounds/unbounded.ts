/** Finds arrays, records and texts without a maximum in the requests of the API document (SAFE-7). */
import { type ContractDocument, type ContractSchema, resolved } from '../openapi/document.ts';

/** Returns the places, such as `POST /v1/import: ImportChat.messages`. */
export function findUnbounded(document: ContractDocument): string[] {
  const found = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        if (schema) visit(document, schema, `${method.toUpperCase()} ${path}: body`, new Set(), found);
    }
  }
  return [...found];
}

function visit(
  document: ContractDocument,
  schema: ContractSchema,
  place: string,
  /** The named schemas on the way here, which may contain themselves. */
  above: ReadonlySet<string>,
  found: Set<string>,
): void {
  const { schema: target, name } = resolved(document, schema);
  const own: ContractSchema & { maxProperties?: number } = target;
  if (name !== undefined && above.has(name)) return;
  const names = name === undefined ? above : new Set([...above, name]);
  const { items, properties, additionalProperties: values, anyOf = [], oneOf = [] } = own;
  const types = [own.type ?? []].flat();
  if ((types.includes('array') || items) && own.maxItems === undefined) found.add(place);
  if (types.includes('string') && !isShort(own)) found.add(place);
  const isRecord = values ?? (types.includes('object') && properties === undefined);
  if (isRecord && own.maxProperties === undefined) found.add(place);
  const go = (child: ContractSchema, step: string) => visit(document, child, place + step, names, found);
  if (items) go(items, '[]');
  if (typeof values === 'object') go(values, '.*');
  for (const [field, child] of Object.entries(properties ?? {})) go(child, `.${field}`);
  for (const option of [...anyOf, ...oneOf]) go(option, '');
}

/** A pattern or a format refuses a long text at its beginning. */
const isShort = ({ maxLength, enum: values, const: value, pattern, format }: ContractSchema): boolean =>
  [maxLength, values, value, pattern, format].some(limit => limit !== undefined);
