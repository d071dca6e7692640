/** Builds the declaration with which a module introduces itself to the kernel. */
import { InitializeResult, type JsonObject, MODULE_PROTOCOL, type ToolDecl } from '@chat-kernel/protocol';
import { z } from 'zod';
import type { ModuleDefinition, ModuleTool } from './define.ts';

/** @throws Error with a sentence for the author, if the kernel would reject the module */
export function buildDeclaration({
  name,
  version,
  about,
  icon,
  tools = {},
  stages = {},
}: ModuleDefinition): InitializeResult {
  const parsed = InitializeResult.safeParse({
    protocol: MODULE_PROTOCOL,
    name,
    version,
    about,
    icon,
    tools: Object.entries(tools).map(([short, tool]) => toolDecl(short, tool)),
    stages: Object.entries(stages).map(([stage, { on_error, timeout_secs }]) => ({
      stage,
      on_error,
      timeout_secs,
    })),
  });
  if (!parsed.success)
    throw new Error(`The module ${name} cannot be declared:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function toolDecl(name: string, { input, run: _, ...declared }: ModuleTool): ToolDecl {
  return { name, ...declared, ...(input && { input_schema: inputSchema(input) }) };
}

/** Returns the schema of the model's input, in which a field with a default is optional. */
function inputSchema(input: z.ZodObject): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema;
}
