/** Declares the tools of a request to a provider, and translates the names and inputs of calls in both directions. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { ModelEvent, ModelRequest } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { type FittedSchema, fitSchema } from '../schema/fit-schema.ts';
import type { PropertyNames } from '../schema/property-names.ts';
import type { SchemaRules } from '../schema/rules.ts';
import type { ProviderWire } from '../wire/wire.ts';

export interface DeclaredTools {
  tools: LanguageModelV4FunctionTool[];
  /** By the name on the wire. */
  declared: ReadonlyMap<string, DeclaredTool>;
  /** The names of the tools for which the API has no room. */
  omitted: string[];
}
interface DeclaredTool {
  name: string;
  /** Absent: the properties have the same names on the wire. */
  names: PropertyNames | undefined;
}

/** Returns the tools as the API of this wire accepts them: their names, descriptions and schemas. */
export function declareTools(
  all: ModelRequest['tools'],
  { toolName, schemas }: Pick<ProviderWire, 'toolName' | 'schemas'>,
): DeclaredTools {
  const tools: LanguageModelV4FunctionTool[] = [];
  const declared = new Map<string, DeclaredTool>();
  for (const { name, description, input_schema } of all.slice(0, schemas.tools)) {
    const { schema, text, names } = fitted(input_schema, schemas);
    const wireName = uniqueName(toolName(name), name, declared);
    declared.set(wireName, { name, names });
    tools.push({
      type: 'function',
      name: wireName,
      // Google requires a description.
      description: [description.trim() === '' ? name : description, text].filter(Boolean).join('\n\n'),
      inputSchema: schema as LanguageModelV4FunctionTool['inputSchema'],
    });
  }
  return { tools, declared, omitted: all.slice(tools.length).map(({ name }) => name) };
}

const PAUSE_AFTER_MS = 10;

/** Fits schemas that are new, with pauses for other work: a large one takes tens of milliseconds (SAFE-3). */
export async function prepareTools(
  tools: ModelRequest['tools'],
  { schemas }: Pick<ProviderWire, 'schemas'>,
): Promise<void> {
  let last = performance.now();
  for (const { input_schema } of tools) {
    fitted(input_schema, schemas);
    if (performance.now() - last < PAUSE_AFTER_MS) continue;
    await nextTick();
    last = performance.now();
  }
}

/** The fitted schemas of tools that are still in use: a tool is the same object in every request. */
const cache = new WeakMap<SchemaRules, WeakMap<JsonObject, FittedSchema>>();

function fitted(schema: JsonObject, rules: SchemaRules): FittedSchema {
  let known = cache.get(rules);
  if (!known) {
    known = new WeakMap();
    cache.set(rules, known);
  }
  let result = known.get(schema);
  if (!result) {
    result = fitSchema(schema, rules);
    known.set(schema, result);
  }
  return result;
}

/** Two names of tools can become the same one; APIs refuse a name that occurs twice. */
function uniqueName(wireName: string, name: string, declared: ReadonlyMap<string, unknown>): string {
  if (!declared.has(wireName)) return wireName;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${wireName.slice(0, 55)}_${digest}`;
}

/** Gives a call of a model the names of the kernel: those of the tool and of the properties of its input. */
export function restoreCall(
  call: Extract<ModelEvent, { type: 'call' }>,
  declared: DeclaredTools['declared'],
): void {
  const tool = declared.get(call.name);
  if (!tool) return;
  call.name = tool.name;
  if (tool.names) call.input = tool.names.toOriginal(call.input) as JsonObject;
}

/** The copies of messages whose calls have the names of the wire, so that later requests recognize these messages. */
const copies = new WeakMap<LanguageModelV4Message, { names: Names; copy: LanguageModelV4Message }>();
type Names = (PropertyNames | undefined)[];

/** Returns the prompt with the inputs of earlier calls as the model knows them from the declarations. */
export function translateInputs(
  prompt: LanguageModelV4Prompt,
  declared: DeclaredTools['declared'],
): LanguageModelV4Prompt {
  const isTranslated = [...declared.values()].some(({ names }) => names !== undefined);
  return isTranslated ? prompt.map(message => translateMessage(message, declared)) : prompt;
}

function translateMessage(
  message: LanguageModelV4Message,
  declared: DeclaredTools['declared'],
): LanguageModelV4Message {
  if (message.role !== 'assistant') return message;
  const names = message.content.map(part =>
    part.type === 'tool-call' ? declared.get(part.toolName)?.names : undefined,
  );
  if (names.every(one => one === undefined)) return message;
  const known = copies.get(message);
  if (known && names.every((one, index) => one === known.names[index])) return known.copy;
  const content = message.content.map((part, index) =>
    part.type === 'tool-call' ? { ...part, input: names[index]?.toWire(part.input) ?? part.input } : part,
  );
  const copy = { ...message, content };
  copies.set(message, { names, copy });
  return copy;
}
