/** Looks into the JSON body of a request, whatever its API: its tools and its messages. */
import { MESSAGE_LISTS, PART_LISTS, type RefusedPart } from './refused-part.ts';

export type Json = Record<string, unknown>;

const NOTE = '[A part stood here that this provider refuses.]';

/** The lists with tools of a body. Google nests them in one tool. */
function toolLists(body: Json): unknown[][] {
  const tools = asList(body.tools);
  const nested = tools.flatMap(tool =>
    Array.isArray(asJson(tool).functionDeclarations) ? [asJson(tool).functionDeclarations as unknown[]] : [],
  );
  return nested.length > 0 ? nested : [tools];
}

export const toolNames = (body: Json): string[] => toolLists(body).flat().map(nameOf);

const nameOf = (tool: unknown): string =>
  String(asJson(tool).name ?? asJson(asJson(tool).function).name ?? '');

/** Removes tools in place, and the fields that an API refuses without tools. */
export function removeTools(body: Json, names: Pick<ReadonlySet<string>, 'has' | 'size'>): void {
  for (const list of toolLists(body))
    list.splice(0, list.length, ...list.filter(tool => !names.has(nameOf(tool))));
  if (toolNames(body).length > 0) return;
  for (const field of ['tools', 'tool_choice', 'toolConfig', 'parallel_tool_calls']) delete body[field];
}

/** The list of messages of a body. */
export const messagesOf = (body: Json): unknown[] =>
  asList(MESSAGE_LISTS.map(list => body[list]).find(Array.isArray));

/** The message or the part of one that a refusal names; undefined if the body has no such part. */
export function findPart(body: Json, refused: RefusedPart & { type: 'message' }): Json | undefined {
  const message = asList(body[refused.list])[refused.index];
  const part = refused.part && asList(asJson(message)[refused.part.list])[refused.part.index];
  const found = part ?? message;
  return typeof found === 'object' && found !== null ? (found as Json) : undefined;
}

/** The parts of a message that can be refused separately, and the message itself. */
export const partsOf = (message: unknown): Json[] => [
  asJson(message),
  ...PART_LISTS.flatMap(list => asList(asJson(message)[list])).map(asJson),
];

/**
 * Replaces the content of a message or a part in place. Calls and results stay, because each API requires them in pairs.
 */
export function blank(part: Json): void {
  for (const list of PART_LISTS) for (const inner of asList(part[list])) blank(asJson(inner));
  for (const field of ['text', 'content', 'output', 'thinking', 'reasoning_content'])
    if (typeof part[field] === 'string' && part[field] !== '') part[field] = NOTE;
  if (Array.isArray(part.output)) part.output = NOTE;
  if (typeof part.arguments === 'string') part.arguments = '{}';
  for (const field of ['input', 'args']) if (part[field] !== undefined) part[field] = {};
  const { function: called, functionCall, functionResponse } = part;
  if (called) blank(asJson(called));
  if (functionCall) blank(asJson(functionCall));
  if (functionResponse) asJson(functionResponse).response = { content: NOTE };
  blankData(part);
}

/** Images and files become a text. */
function blankData(part: Json): void {
  const data = ['image_url', 'source', 'inlineData', 'fileData', 'file', 'input_audio'].filter(
    field => field in part,
  );
  if (data.length === 0) return;
  for (const field of data) delete part[field];
  if (typeof part.type === 'string') part.type = part.type.startsWith('input_') ? 'input_text' : 'text';
  part.text = NOTE;
}

export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
