/**
 * The makers' rules for the input schema of a tool, looked up on 2026-11-28. A request with one schema that breaks a rule is
 * refused as a whole.
 *
 * | maker | rule | source |
 * |---|---|---|
 * | all | the top is an object with `properties`, without `anyOf`, `oneOf`, `allOf`, `not`, `enum` | the refusals that both OpenAI and Anthropic return, for example langchainjs 9804 and claude-code 27337 |
 * | Anthropic | a valid schema of JSON Schema 2020-12 | the refusal "must match JSON Schema draft 2020-12", claude-code 63673 |
 * | Anthropic | property names match `^[a-zA-Z0-9_.-]{1,64}$` | the refusal, composio 3500 and 3067; Bedrock has the same rule |
 * | OpenAI | each array has `items` | the refusal "array schema missing items", fastmcp 2464 |
 * | OpenAI | 10 levels, 5,000 properties, 1,000 values of enumerations, 120,000 characters of names and values; formats: nine; no lookaround in patterns | guide "Structured outputs", part "Supported schemas" (for strict tools; no limits are documented for others) |
 * | OpenAI | 128 tools | API reference, `tools` of chat completions, and the refusal, zed 42393 |
 * | Google | `type`, `format`, `title`, `description`, `enum` of strings and numbers, `items`, `prefixItems`, `minItems`, `maxItems`, `minimum`, `maximum`, `anyOf`, `oneOf`, `properties`, `additionalProperties`, `required`; nothing next to `$ref` | reference of `responseJsonSchema` and `parametersJsonSchema` |
 * | Google | parameter names begin with a letter or `_`, then letters, digits and `_`, at most 64 | reference of `FunctionDeclaration` (Vertex AI, v1beta1) |
 * | Google | no empty text in an enumeration | the refusal "cannot be empty", ha-claude PR 32 |
 * | Google | a limit of levels without a number; 6 is a choice | the refusal "maximum allowed nesting depth", gemini-cli 5923 |
 * | Google | 512 tools | the refusal, gemini-cli 19083 |
 *
 * Chat Completions have no maker: gateways forward to one of these three, so names are those of Anthropic and the rest is
 * OpenAI's, whose API it is. Servers on the user's machine have no limit of tools.
 */
import { googlePropertyName, plainPropertyName } from './property-names.ts';

export interface SchemaRules {
  /** Converts the name of a property; a name that the maker accepts stays as it is. */
  propertyName(name: string): string;
  /** The optional keywords that may be sent. Others that constrain a value become text. */
  keywords: ReadonlySet<string>;
  /** The values of `format`; absent: any. */
  formats?: ReadonlySet<string>;
  /** The maximum number of levels, with the top as the first. */
  depth: number;
  /**
   * True if only the simplest combinations are accepted: enumerations of texts or of numbers, one type besides null, and
   * `anyOf` without other constraints next to it.
   */
  simple: boolean;
  /** The maximum number of tools in a request; absent: no limit. */
  tools?: number;
}

const BOUNDS = ['minimum', 'maximum', 'minItems', 'maxItems', 'format', 'title'];
const KEYWORDS = new Set([
  ...BOUNDS,
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'default'],
]);

export const ANTHROPIC_SCHEMAS: SchemaRules = {
  propertyName: plainPropertyName,
  keywords: KEYWORDS,
  depth: 10,
  simple: false,
};

export const CHAT_COMPLETIONS_SCHEMAS: SchemaRules = {
  ...ANTHROPIC_SCHEMAS,
  formats: new Set([
    ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  ]),
};

export const OPENAI_SCHEMAS: SchemaRules = { ...CHAT_COMPLETIONS_SCHEMAS, tools: 128 };

export const GOOGLE_SCHEMAS: SchemaRules = {
  propertyName: googlePropertyName,
  keywords: new Set(BOUNDS),
  formats: new Set(['date-time', 'date', 'time', 'float', 'double', 'int32', 'int64']),
  depth: 6,
  simple: true,
  tools: 512,
};

/** A package can be for any maker, so it gets what each of them accepts. */
export const COMMON_SCHEMAS: SchemaRules = {
  ...GOOGLE_SCHEMAS,
  formats: new Set(['date-time', 'date', 'time']),
  tools: 128,
};
