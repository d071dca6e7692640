/** Defines built-in tools: a zod schema for the input, and a handler for the parsed input. */
import type { Tool, ToolContext, ToolOutput } from '@chat-kernel/kernel';
import type { Effect, JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';

interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  description: string;
  /** Field descriptions are part of the model's prompt. */
  input: Input;
  group: string;
  icon: string;
  trusted_only?: boolean;
  master_only?: true;
  lesser?: Tool;
  on_machine?: true;
  off_machine?: Tool;
  /** True: the tool is offered only after the model loads its group. */
  on_demand?: boolean;
  outside_effect?: boolean;
  effects?: readonly Effect[];
  effectsOf?(input: JsonObject): readonly Effect[];
  asks_itself?: true;
  /** See `operationsOf` of Tool. */
  operations?(input: z.infer<Input>): readonly string[];
  lead_only?: true;
  at_once?: number;
  loads_groups?: true;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Creates the tool. Invalid input becomes an error that tells the model what to change (MOD-6). */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input: schema, run, operations, trusted_only = false, ...facts } = definition;
  const { $schema: _, ...input_schema } = z.toJSONSchema(schema, { io: 'input' }) as JsonObject;
  return {
    outside_effect: false,
    effects: [],
    on_demand: false,
    ...facts,
    input_schema,
    trusted_only,
    source: 'builtin',
    client_only: false,
    ...(operations && {
      operationsOf(input: JsonObject) {
        const { data } = schema.safeParse(input);
        return data === undefined ? [] : operations(data);
      },
    }),
    async run(input, context) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const wrong = parsed.error.issues.map(
          issue => `- ${issue.path.join('.') || 'input'}: ${issue.message}`,
        );
        return {
          output: `The input does not match the schema of ${definition.name}:\n${wrong.join('\n')}`,
          is_error: true,
          refused: true,
        };
      }
      return run(parsed.data, context);
    },
  };
}

/** The field of an input that limits the entries of the result. */
export const optionalLimit = (entries: string, most: number, usual: number) =>
  z.int().min(1).max(most).optional().describe(`Maximum number of ${entries}; default ${usual}.`);
