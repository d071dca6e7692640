/**
 * Converts the promises of a release to its clients: the OpenAPI document without its descriptions and examples, with
 * one line per operation and per schema, so that the repository need not store the whole document again.
 */
import type {
  ContractContent,
  ContractDocument,
  ContractOperation,
  ContractParameter,
  ContractSchema,
} from './document.ts';

type Line =
  | { path: string; method: string; operation: ContractOperation }
  | { name: string; schema: ContractSchema };

/** JSON Lines: the operations in the document's order, then its schemas. */
export function promisesOf({ paths, components }: ContractDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Line => ({ path, method, operation: operationOf(operation) }),
    ),
  );
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]): Line => ({ name, schema: schemaOf(schema) }),
  );
  return [...operations, ...schemas].map(line => `${JSON.stringify(line)}\n`).join('');
}

/** Returns the parts of the document that `breakingChanges` compares. Throws if a line is not JSON. */
export function promisedDocument(promises: string): ContractDocument {
  const paths: ContractDocument['paths'] = {};
  const schemas: Record<string, ContractSchema> = {};
  for (const text of promises.trimEnd().split('\n')) {
    const line: Line = JSON.parse(text);
    if ('schema' in line) schemas[line.name] = line.schema;
    else paths[line.path] = { ...paths[line.path], [line.method]: line.operation };
  }
  return { paths, components: { schemas } };
}

/** Every key must be named, so that a keyword which the comparison learns to read is stored from then on. */
type Kept<Part> = { [Key in keyof Required<Part>]: Part[Key] };

const operationOf = ({
  operationId,
  security,
  parameters,
  requestBody,
  responses,
}: ContractOperation): Kept<ContractOperation> => ({
  operationId,
  security,
  parameters: parameters?.map(parameterOf),
  requestBody: requestBody && { required: requestBody.required, content: contentOf(requestBody.content) },
  responses:
    responses &&
    eachOf(responses, ({ content, headers }) => ({
      content: content && contentOf(content),
      headers: headers && eachOf(headers, () => true),
    })),
});

const parameterOf = ({ in: place, name, required, schema }: ContractParameter): Kept<ContractParameter> => ({
  in: place,
  name,
  required,
  schema: schema && schemaOf(schema),
});

const contentOf = (content: ContractContent): ContractContent =>
  eachOf(content, ({ schema }) => ({ schema: schema && schemaOf(schema) }));

function schemaOf(schema: ContractSchema): Kept<ContractSchema> {
  const { additionalProperties } = schema;
  return {
    $ref: schema.$ref,
    type: schema.type,
    const: schema.const,
    enum: schema.enum,
    anyOf: schema.anyOf?.map(schemaOf),
    oneOf: schema.oneOf?.map(schemaOf),
    properties: schema.properties && eachOf(schema.properties, schemaOf),
    required: schema.required,
    additionalProperties:
      typeof additionalProperties === 'object' ? schemaOf(additionalProperties) : additionalProperties,
    items: schema.items && schemaOf(schema.items),
    format: schema.format,
    pattern: schema.pattern,
    contentEncoding: schema.contentEncoding,
    minimum: schema.minimum,
    maximum: schema.maximum,
    minLength: schema.minLength,
    maxLength: schema.maxLength,
    minItems: schema.minItems,
    maxItems: schema.maxItems,
  };
}

/** The same keys, each value changed. */
const eachOf = <Value, Next>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Next,
): Record<string, Next> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
