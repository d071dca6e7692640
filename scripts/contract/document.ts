/** The parts of an OpenAPI 3.1 document that clients are written against. */

export interface ContractDocument {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}
export interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
  /** An empty list: nobody is asked for a token, whatever stands at the root. */
  security?: unknown[];
}
export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
}
export type Content = Record<string, { schema?: Schema }>;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** What a reference within the document names; the schema itself where it is none. Throws where it leads nowhere. */
export function resolved(document: ContractDocument, schema: Schema): { schema: Schema; name?: string } {
  if (schema.$ref === undefined) return { schema };
  const name = schema.$ref.replace('#/components/schemas/', '');
  const target = document.components?.schemas?.[name];
  if (!target) throw new Error(`${schema.$ref} leads nowhere`);
  return { schema: target, name };
}
