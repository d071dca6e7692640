/**
 * Finds the changes between a released OpenAPI document and the current one that break clients. Additions do not break
 * them.
 */
import type { ContractContent, ContractDocument, ContractOperation, ContractParameter } from './document.ts';
import { brokenBySchemas, type Direction } from './schemas.ts';

/**
 * Returns a sentence for each break, such as `POST /v1/chats: in the request CreateChat.title is now required`. Empty:
 * no breaks.
 */
export function breakingChanges(before: ContractDocument, after: ContractDocument): string[] {
  const found = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, old] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      const broken = now ? brokenOf({ before, after }, old, now) : ['is gone'];
      for (const sentence of broken) found.set(sentence, [...(found.get(sentence) ?? []), name]);
    }
  }
  // Many operations may use a schema: a break is listed once, with all of them.
  return [...found].flatMap(([sentence, names]) =>
    sentence === 'is gone' ? names.map(name => `${name}: ${sentence}`) : [`${listed(names)}: ${sentence}`],
  );
}

interface Documents {
  before: ContractDocument;
  after: ContractDocument;
}

function brokenOf(documents: Documents, old: ContractOperation, now: ContractOperation): string[] {
  const broken: string[] = [];
  if (old.operationId !== now.operationId) {
    broken.push(`generated clients called it ${old.operationId}, now ${now.operationId}`);
  }
  if (old.security?.length === 0 && now.security?.length !== 0) broken.push('needs the token now');
  const all = [
    ...broken,
    ...parameters(documents, old, now),
    ...body(documents, old, now),
    ...answers(documents, old, now),
  ];
  return [...new Set(all)];
}

function parameters(documents: Documents, old: ContractOperation, now: ContractOperation): string[] {
  const named = ({ in: place, name }: ContractParameter) => `the ${place} parameter ${name}`;
  const byName = (operation: ContractOperation) =>
    new Map(operation.parameters?.map(parameter => [named(parameter), parameter]));
  const [oldOnes, nowOnes] = [byName(old), byName(now)];
  const broken: string[] = [];
  for (const [name, { schema = {} }] of oldOnes) {
    const match = nowOnes.get(name);
    if (!match) broken.push(`${name} is no longer understood`);
    else broken.push(...schemas(documents, 'request', schema, match.schema ?? {}, name));
  }
  for (const [name, { required }] of nowOnes) {
    if (required && !oldOnes.get(name)?.required) broken.push(`${name} is now required`);
  }
  return broken;
}

function body(documents: Documents, old: ContractOperation, now: ContractOperation): string[] {
  if (!old.requestBody) return now.requestBody?.required ? ['a body is now required'] : [];
  if (!now.requestBody) return ['a body is no longer understood'];
  const becomesRequired = now.requestBody.required && !old.requestBody.required;
  return [
    ...(becomesRequired ? ['a body is now required'] : []),
    ...contents(documents, 'request', old.requestBody.content, now.requestBody.content),
  ];
}

/** A removed error does not break clients, and new ones may be added at any time; clients depend on a success. */
function answers(documents: Documents, old: ContractOperation, now: ContractOperation): string[] {
  const broken: string[] = [];
  for (const [status, response] of Object.entries(old.responses ?? {})) {
    const match = now.responses?.[status];
    if (!match) {
      if (isSuccess(status)) broken.push(`the status ${status} is gone`);
      continue;
    }
    broken.push(...contents(documents, 'answer', response.content ?? {}, match.content ?? {}));
    for (const header of Object.keys(response.headers ?? {})) {
      if (!match.headers?.[header]) broken.push(`the header ${header} of ${status} is gone`);
    }
  }
  const added = Object.keys(now.responses ?? {}).filter(
    status => isSuccess(status) && !old.responses?.[status],
  );
  return [...broken, ...added.map(status => `may now answer with the status ${status}`)];
}

const isSuccess = (status: string): boolean => status.startsWith('2');

function contents(
  documents: Documents,
  direction: Direction,
  old: ContractContent,
  now: ContractContent,
): string[] {
  return Object.entries(old).flatMap(([type, { schema = {} }]) => {
    const match = now[type];
    if (match) return schemas(documents, direction, schema, match.schema ?? {}, 'the body');
    return [
      direction === 'request' ? `a body of ${type} is no longer taken` : `no longer answers with ${type}`,
    ];
  });
}

function schemas(
  { before, after }: Documents,
  direction: Direction,
  old: object,
  now: object,
  place: string,
): string[] {
  return brokenBySchemas(before, after, direction, { old, now, place }).map(
    sentence => `in the ${direction} ${sentence}`,
  );
}

const listed = ([first, ...more]: string[]): string =>
  more.length === 0 ? first! : `${first} and ${more.length} more`;
