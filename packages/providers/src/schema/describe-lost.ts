/** Says in a description what a schema on the wire cannot say, so that the model still knows it. */
import type { JsonObject } from '@chat-kernel/protocol';
import { cutWithEllipsis } from '@chat-kernel/text';

/** The keywords with a sentence of their own. */
const SENTENCES: Record<string, string> = {
  anyOf: 'One of these must fit as well',
  oneOf: 'Exactly one of these must fit as well',
  allOf: 'All of these must fit as well',
  not: 'This must not fit',
  default: 'Default',
  examples: 'Examples',
};

/** The keywords that constrain a value. The rest of a schema, such as `$id` and extensions, says nothing to a model. */
const CONSTRAINTS = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'maxContains', 'properties', 'required', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['dependencies', 'dependentRequired', 'dependentSchemas', 'if', 'then', 'else'],
  ...['$ref', '$dynamicRef', '$recursiveRef'],
]);

/** True for a keyword whose loss is described. */
export const isDescribed = (key: string): boolean => Object.hasOwn(SENTENCES, key) || CONSTRAINTS.has(key);

/**
 * Describes keywords and their values as JSON. `''` if they say nothing.
 * @param chars the maximum length in characters
 */
export function describeLost(lost: Iterable<readonly [string, unknown]>, chars: number): string {
  const sentences: string[] = [];
  const rest: [string, unknown][] = [];
  for (const [key, value] of lost) {
    const sentence = Object.hasOwn(SENTENCES, key) ? SENTENCES[key] : undefined;
    if (sentence) sentences.push(`${sentence}: ${JSON.stringify(value)}`);
    else if (CONSTRAINTS.has(key)) rest.push([key, value]);
  }
  if (rest.length > 0) {
    const schema: JsonObject = Object.fromEntries(rest);
    sentences.push(`This JSON Schema must fit as well: ${JSON.stringify(schema)}`);
  }
  return cutWithEllipsis(sentences.join('\n'), chars);
}
