/**
 * Applies a schema to the answer: the provider enforces it, or the prompt describes it if the provider cannot (API-5).
 */
import type { ModelRequest } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import type { ResponseFormat } from '../wire/wire.ts';

/** The name of the schema, which some APIs require. */
export const ANSWER_NAME = 'answer';

export const responseFormat = (schema: JsonObject): ResponseFormat => ({
  type: 'json',
  name: ANSWER_NAME,
  schema: schema as NonNullable<ResponseFormat['schema']>,
});

/** Puts the schema into the system prompt, for the model to read. */
export function inWords<Request extends Pick<ModelRequest, 'system' | 'schema'>>(request: Request): Request {
  const { system, schema } = request;
  if (schema === undefined) return request;
  const wish = `Answer with nothing but the JSON of one object that fits this JSON Schema:\n${JSON.stringify(schema)}`;
  return { ...request, system: [system, wish].filter(Boolean).join('\n\n') };
}

/** OpenAI's strict mode accepts only closed objects with all properties required. */
export function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { type, properties, required, additionalProperties } = schema as JsonObject;
  if (type === 'object' || properties !== undefined) {
    const names = Object.keys((properties ?? {}) as JsonObject);
    const needed = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every(name => needed.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
