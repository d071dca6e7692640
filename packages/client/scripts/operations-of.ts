/** The client's calls by name, out of an OpenAPI document: a table of the operations, and the type of each call. */

const HEADER = `/**
 * Generated from docs/openapi.json: \`npm run docs\` regenerates it, \`npm run check\` compares it. Not to be edited.
 * Event streams and uploads are absent: they are written by hand.
 */
import type { AnswerOf, BodyOf, CallOptions, QueryOf } from './calls.ts';
`;

interface OpenapiDocument {
  paths: Record<string, Record<string, OpenapiOperation>>;
  components: { schemas: Record<string, { required?: string[] }> };
}
interface OpenapiOperation {
  operationId: string;
  summary: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema?: { $ref?: string } }>;

interface NamedOperation extends OpenapiOperation {
  method: string;
  path: string;
}

/** Returns the text of a module that exports the tables `JSON_OPERATIONS` and `RAW_OPERATIONS`, and `OperationCalls`. */
export function operationsOf(source: object): string {
  const document = source as OpenapiDocument;
  const called = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]): NamedOperation => ({ ...operation, method: method.toUpperCase(), path }),
      ),
    )
    .filter(operation => !isStream(operation) && !isUpload(operation));
  return `${HEADER}
/** The operations that answer JSON: method, path, and what is sent besides. */
export const JSON_OPERATIONS = ${table(called.filter(isJson))};

/** The operations that answer anything else. */
export const RAW_OPERATIONS = ${table(called.filter(operation => !isJson(operation)))};

export interface OperationCalls {
${called.map(operation => signature(document, operation)).join('\n')}
}
`;
}

const isStream = ({ responses }: OpenapiOperation): boolean =>
  successOf(responses).some(content => 'text/event-stream' in content);

/** A body without a schema holds nothing: these clients do not send it. */
const bodyOf = ({ requestBody }: OpenapiOperation): OpenapiOperation['requestBody'] =>
  Object.keys(requestBody?.content['application/json']?.schema ?? { any: true }).length === 0
    ? undefined
    : requestBody;

const isUpload = ({ requestBody }: OpenapiOperation): boolean =>
  requestBody !== undefined && !('application/json' in requestBody.content);

const isJson = ({ responses }: OpenapiOperation): boolean =>
  successOf(responses).some(content => 'application/json' in content);

const successOf = (responses: OpenapiOperation['responses']): Content[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? [content] : [],
  );

function table(operations: readonly NamedOperation[]): string {
  const rows = operations.map(operation => {
    const { operationId, method, path } = operation;
    const sent = [
      ...(bodyOf(operation) ? ['body'] : []),
      ...(queryOf(operation).length > 0 ? ['query'] : []),
    ];
    return `  ${operationId}: '${[method, path, ...sent].join(' ')}',\n`;
  });
  return `{\n${rows.join('')}} as const`;
}

/** Arguments by their place: each parameter of the path, the body, the query, the options. */
function signature(document: OpenapiDocument, operation: NamedOperation): string {
  const { operationId: id, summary, path } = operation;
  const query = queryOf(operation);
  const given = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  if (bodyOf(operation)) given.push(`body${needsBody(document, operation) ? '' : '?'}: BodyOf<'${id}'>`);
  if (query.length > 0)
    given.push(`query${query.some(({ required }) => required) ? '' : '?'}: QueryOf<'${id}'>`);
  given.push('options?: CallOptions');
  return `  /** ${summary}. */\n  ${id}(${given.join(', ')}): Promise<AnswerOf<'${id}'>>;`;
}

const queryOf = ({ parameters = [] }: OpenapiOperation) =>
  parameters.filter(parameter => parameter.in === 'query');

/** A body without a required field may be left out: an empty one is sent then. */
function needsBody({ components }: OpenapiDocument, { requestBody }: OpenapiOperation): boolean {
  const reference = requestBody?.content['application/json']?.schema?.$ref ?? '';
  const schema = components.schemas[reference.replace('#/components/schemas/', '')];
  return schema === undefined || (schema.required ?? []).length > 0;
}
