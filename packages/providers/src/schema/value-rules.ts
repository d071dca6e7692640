/** The types of values, and the keywords that constrain values of one type. */
import type { SchemaRules } from './rules.ts';

export type Scalar = string | number | boolean | null;

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const NUMBERS = ['number', 'integer'];
/** Longer patterns and default values are not sent as such, in characters. */
const MAX_PATTERN_CHARS = 500;
const MAX_DEFAULT_CHARS = 1000;

const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

interface KeywordRule {
  /** The types of the values that it constrains. */
  types: readonly string[];
  isValid(value: unknown): boolean;
}

const rulesOf = (keywords: string[], types: string[], isValid: (value: unknown) => boolean) =>
  keywords.map(key => [key, { types, isValid }] as const);

const KEYWORDS: ReadonlyMap<string, KeywordRule> = new Map([
  ...rulesOf(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], NUMBERS, isNumber),
  ...rulesOf(['multipleOf'], NUMBERS, value => isNumber(value) && (value as number) > 0),
  ...rulesOf(['minLength', 'maxLength'], ['string'], isCount),
  ...rulesOf(['pattern'], ['string'], isPlainPattern),
  ...rulesOf(['format'], ['string', ...NUMBERS], value => typeof value === 'string'),
  ...rulesOf(['minItems', 'maxItems'], ['array'], isCount),
  ...rulesOf(['uniqueItems'], ['array'], value => typeof value === 'boolean'),
  ...rulesOf(['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'], ['array'], () => false),
  ...rulesOf(['contains', 'minContains', 'maxContains'], ['array'], () => false),
  ...rulesOf(['minProperties', 'maxProperties'], ['object'], isCount),
  ...rulesOf(['patternProperties', 'additionalProperties', 'propertyNames'], ['object'], () => false),
  ...rulesOf(['unevaluatedProperties', 'dependencies'], ['object'], () => false),
  ...rulesOf(['dependentRequired', 'dependentSchemas'], ['object'], () => false),
]);

/**
 * Decides about a keyword of a value with these types (undefined: any type): `send` it, `describe` it, or `drop` it because
 * it constrains only other types.
 */
export function judgeKeyword(
  key: string,
  value: unknown,
  types: readonly string[] | undefined,
  rules: SchemaRules,
): 'send' | 'describe' | 'drop' {
  if (key === 'default') {
    const isShort = (JSON.stringify(value) ?? '').length <= MAX_DEFAULT_CHARS;
    return rules.keywords.has(key) && isShort ? 'send' : 'describe';
  }
  const rule = KEYWORDS.get(key);
  if (!rule) return 'describe';
  if (types && !rule.types.some(type => types.includes(type))) return 'drop';
  if (!rules.keywords.has(key) || !rule.isValid(value)) return 'describe';
  if (key === 'format' && rules.formats && !rules.formats.has(value as string)) return 'describe';
  return 'send';
}

/**
 * True for a pattern that engines without backtracking accept as well: no lookaround, no named groups, no references to
 * groups.
 */
function isPlainPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_CHARS) return false;
  if (/\(\?[^:]|\\[1-9k]/.test(pattern)) return false;
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    // Not a pattern of JavaScript.
    return false;
  }
}

/** Returns the types of `type` and `nullable`; undefined if there are none, or one does not exist. */
export function readTypes(keywords: ReadonlyMap<string, unknown>): string[] | undefined {
  const list = [keywords.get('type')].flat();
  const types = new Set<string>();
  for (const one of list) {
    const type = typeof one === 'string' ? one.toLowerCase() : '';
    if (!TYPES.has(type)) return undefined;
    types.add(type);
  }
  if (types.size === 0) return undefined;
  if (keywords.get('nullable') === true) types.add('null');
  if (types.has('number')) types.delete('integer');
  return [...types];
}

export function typesOfValues(values: readonly Scalar[]): string[] {
  const types = new Set(values.map(typeOfValue));
  if (types.has('number')) types.delete('integer');
  return [...types];
}

function typeOfValue(value: Scalar): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function isOfTypes(value: Scalar, types: readonly string[]): boolean {
  const type = typeOfValue(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Returns the values of `enum` or `const`; undefined without either, and if one is an object or a list. */
export function readValues(keywords: ReadonlyMap<string, unknown>): Scalar[] | undefined {
  const list = keywords.has('const') ? [keywords.get('const')] : keywords.get('enum');
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const values = list.map(value => (typeof value === 'string' ? value.toWellFormed() : value));
  return values.every(isScalar) ? [...new Set(values)] : undefined;
}
