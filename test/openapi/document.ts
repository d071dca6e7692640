/** The parts of an OpenAPI 3.1 document that clients depend on. */

export interface ContractDocument {
  paths: Record<string, Record<string, ContractOperation>>;
  components?: { schemas?: Record<string, ContractSchema> };
}
export interface ContractOperation {
  operationId?: string;
  parameters?: ContractParameter[];
  requestBody?: { required?: boolean; content: ContractContent };
  responses?: Record<string, { content?: ContractContent; headers?: Record<string, unknown> }>;
  /** An empty list: no token is required, whatever the root says. */
  security?: unknown[];
}
export interface ContractParameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: ContractSchema;
}
type ContractContent = Record<string, { schema?: ContractSchema }>;

export interface ContractSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: ContractSchema[];
  oneOf?: ContractSchema[];
  properties?: Record<string, ContractSchema>;
  required?: string[];
  additionalProperties?: ContractSchema | boolean;
  items?: ContractSchema;
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

/**
 * Resolves a reference within the document; returns any other schema unchanged. Throws if the target does not exist.
 */
export function resolved(
  document: ContractDocument,
  schema: ContractSchema,
): { schema: ContractSchema; name?: string } {
  if (schema.$ref === undefined) return { schema };
  const name = schema.$ref.replace('#/components/schemas/', '');
  const target = document.components?.schemas?.[name];
  if (!target) throw new Error(`${schema.$ref} leads nowhere`);
  return { schema: target, name };
}
