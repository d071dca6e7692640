/**
 * Finds the breaks of a changed schema. A request may only accept more than before, and a response may only promise
 * more: every client must skip new fields, and new values of an enum or branches that a `type` distinguishes.
 */
import { type ContractDocument, type ContractSchema, resolved } from './document.ts';

export type Direction = 'request' | 'answer';

/** The documents of the left and the right schema. */
interface Comparison {
  before: ContractDocument;
  after: ContractDocument;
  direction: Direction;
  /** Pairs of named schemas that are already compared: schemas may be recursive. */
  seen: Set<string>;
}

/** Returns a sentence for each break. `place` is the name of the schema in them. */
export function brokenBySchemas(
  before: ContractDocument,
  after: ContractDocument,
  direction: Direction,
  pair: { old: ContractSchema; now: ContractSchema; place: string },
): string[] {
  return compare({ before, after, direction, seen: new Set() }, pair.old, pair.now, pair.place);
}

/** Matches branches of a union by their discriminators; any other schema counts as one branch. */
function compare(
  comparison: Comparison,
  oldSchema: ContractSchema,
  nowSchema: ContractSchema,
  at: string,
): string[] {
  const { before, after, direction } = comparison;
  const place = resolved(after, nowSchema).name ?? at;
  const oldBranches = branchesOf(before, oldSchema);
  const nowBranches = branchesOf(after, nowSchema);
  const broken: string[] = [];
  for (const [key, branch] of oldBranches) {
    const match = nowBranches.get(key) ?? nowBranches.get(ANYTHING);
    if (match) broken.push(...compareBranch(comparison, branch, match, place));
    else if (direction === 'request') broken.push(`${place} is no longer taken as ${key}`);
    else if (isToldApart(key)) broken.push(`${place} no longer comes with ${key}`);
  }
  if (direction === 'request' || oldBranches.has(ANYTHING)) return broken;
  const added = [...nowBranches.keys()].filter(key => !oldBranches.has(key) && !isToldApart(key));
  return [...broken, ...added.map(key => `${place} may now be ${key}`)];
}

interface Branch {
  schema: ContractSchema;
  name?: string;
}
const ANYTHING = 'anything';
const isToldApart = (key: string): boolean => key.includes('=');

/** The discriminator of a branch (`type=text_delta`, `string`, `null`, `anything`) → the branch. */
function branchesOf(document: ContractDocument, schema: ContractSchema): Map<string, Branch> {
  const branch = resolved(document, schema);
  const options = branch.schema.anyOf ?? branch.schema.oneOf;
  const all: [string, Branch][] = options
    ? options.flatMap(option => [...branchesOf(document, option)])
    : keysOf(branch.schema).map(key => [key, branch]);
  const branches = new Map<string, Branch>();
  for (const [key, each] of all) {
    let free = key;
    while (branches.has(free)) free += ' (another)';
    branches.set(free, each);
  }
  return branches;
}

function keysOf(schema: ContractSchema): string[] {
  for (const property of ['type', 'kind']) {
    const constant = schema.properties?.[property]?.const;
    if (constant !== undefined) return [`${property}=${constant}`];
  }
  if (schema.type !== undefined) return [schema.type].flat();
  if (schema.const !== undefined) return [typeof schema.const];
  return schema.enum ? [typeof schema.enum[0]] : [ANYTHING];
}

function compareBranch(comparison: Comparison, oldBranch: Branch, nowBranch: Branch, at: string): string[] {
  const { schema: old } = oldBranch;
  const { schema: now } = nowBranch;
  if (oldBranch.name !== undefined && nowBranch.name !== undefined) {
    const pair = `${oldBranch.name} ${nowBranch.name}`;
    if (comparison.seen.has(pair)) return [];
    comparison.seen.add(pair);
  }
  const place = nowBranch.name ?? at;
  return [
    ...values(comparison.direction, old, now, place),
    ...(comparison.direction === 'request' ? narrowed(old, now, place) : []),
    ...fields(comparison, old, now, place),
    ...(old.items && now.items ? compare(comparison, old.items, now.items, `${place}[]`) : []),
    ...(typeof old.additionalProperties === 'object' && typeof now.additionalProperties === 'object'
      ? compare(comparison, old.additionalProperties, now.additionalProperties, `${place}.<name>`)
      : []),
  ];
}

function values(direction: Direction, old: ContractSchema, now: ContractSchema, place: string): string[] {
  const listed = (schema: ContractSchema) =>
    schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const [oldValues, nowValues] = [listed(old), listed(now)];
  if (direction === 'answer') {
    const changed = (['const', 'format', 'pattern', 'contentEncoding'] as const).filter(
      key => old[key] !== undefined && old[key] !== now[key],
    );
    return changed.map(key => `${place} is no longer promised with ${key} ${JSON.stringify(old[key])}`);
  }
  if (!nowValues) return [];
  if (!oldValues)
    return [`${place} now takes ${nowValues.map(value => JSON.stringify(value)).join(', ')} alone`];
  return oldValues
    .filter(value => !nowValues.includes(value))
    .map(value => `${place} no longer takes ${JSON.stringify(value)}`);
}

/** The number of elements or characters from which a first limit breaks no client. */
const GENEROUS = 1000;

function narrowed(old: ContractSchema, now: ContractSchema, place: string): string[] {
  const broken: string[] = [];
  for (const key of ['minimum', 'minLength', 'minItems'] as const) {
    const [was, is] = [old[key] ?? Number.NEGATIVE_INFINITY, now[key] ?? Number.NEGATIVE_INFINITY];
    if (is > was && !(key !== 'minimum' && is === 0)) broken.push(bound(place, key, old[key], is));
  }
  for (const key of ['maximum', 'maxLength', 'maxItems'] as const) {
    const [was, is] = [old[key] ?? Number.POSITIVE_INFINITY, now[key] ?? Number.POSITIVE_INFINITY];
    // A first limit that no request reaches: every list and every name needs one (SAFE-7, docs/decisions/0088).
    const isGenerous = key !== 'maximum' && old[key] === undefined && is >= GENEROUS;
    if (is < was && !isGenerous) broken.push(bound(place, key, old[key], is));
  }
  for (const key of ['format', 'pattern', 'contentEncoding'] as const) {
    if (now[key] !== undefined && now[key] !== old[key]) broken.push(bound(place, key, old[key], now[key]));
  }
  return broken;
}

const bound = (place: string, key: string, was: unknown, is: unknown): string =>
  `${place} is held to ${key} ${JSON.stringify(is)}, was ${was === undefined ? 'free' : JSON.stringify(was)}`;

function fields(comparison: Comparison, old: ContractSchema, now: ContractSchema, place: string): string[] {
  const { direction } = comparison;
  const [oldFields, nowFields] = [old.properties ?? {}, now.properties ?? {}];
  const [oldRequired, nowRequired] = [new Set(old.required), new Set(now.required)];
  const broken: string[] = [];
  for (const [name, schema] of Object.entries(oldFields)) {
    const field = `${place}.${name}`;
    const match = nowFields[name];
    if (match) broken.push(...compare(comparison, schema, match, field));
    else broken.push(direction === 'request' ? `${field} is no longer understood` : `${field} is gone`);
    if (match && direction === 'answer' && oldRequired.has(name) && !nowRequired.has(name)) {
      broken.push(`${field} may now be missing`);
    }
  }
  if (direction === 'answer') return broken;
  for (const name of nowRequired) if (!oldRequired.has(name)) broken.push(`${place}.${name} is now required`);
  if (now.additionalProperties === false && old.additionalProperties !== false) {
    broken.push(`${place} no longer takes fields that it does not name`);
  }
  return broken;
}
