/** Small changes of schemas that are already fitted. */
import type { JsonObject } from '@chat-kernel/protocol';

/** Takes the title and the description out of the keywords. */
export function takeTexts(keywords: Map<string, unknown>): JsonObject {
  const texts: JsonObject = {};
  for (const key of ['title', 'description']) {
    const text = keywords.get(key);
    keywords.delete(key);
    if (typeof text === 'string' && text.trim() !== '') texts[key] = text;
  }
  return texts;
}

/** Moves null out of an enumeration, into a union. */
export function withoutNullValue(schema: JsonObject): JsonObject {
  const { title, description, ...rest } = schema;
  const values = schema.enum;
  if (!Array.isArray(values) || !values.includes(null)) return schema;
  const some = {
    ...rest,
    type: [schema.type].flat().find(type => type !== 'null'),
    enum: values.filter(value => value !== null),
  };
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [some, { type: 'null' }],
  };
}

export const withText = (schema: JsonObject, text: string): JsonObject =>
  text === '' ? schema : { ...schema, description: [schema.description, text].filter(Boolean).join('\n') };

/** True if a fitted schema allows every value. */
export const isOpen = (schema: JsonObject): boolean =>
  Object.keys(schema).every(key => key === 'title' || key === 'description' || key === 'default');
