/** The form in which a built-in tool is written: a zod schema for the input, a handler for what it parsed. */
import type { Tool, ToolContext, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';
import type { BuiltinGroup } from './groups.ts';

interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  description: string;
  /** Field descriptions reach the model. */
  input: Input;
  group: BuiltinGroup;
  icon: string;
  trusted_only?: boolean;
  master_only?: true;
  lesser?: Tool;
  on_machine?: true;
  off_machine?: Tool;
  /** True: the tool is not offered before the model loads its group. */
  on_demand?: boolean;
  outside_effect?: boolean;
  lead_only?: true;
  at_once?: number;
  loads_groups?: true;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** Makes the tool; input that does not fit becomes an error that tells the model what to change (MOD-6). */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { input: schema, run, trusted_only = false, ...facts } = definition;
  const { $schema: _, ...input_schema } = z.toJSONSchema(schema, { io: 'input' }) as JsonObject;
  return {
    outside_effect: false,
    on_demand: false,
    ...facts,
    input_schema,
    trusted_only,
    source: 'builtin',
    client_only: false,
    async run(input, context) {
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const wrong = parsed.error.issues.map(
          issue => `- ${issue.path.join('.') || 'input'}: ${issue.message}`,
        );
        return {
          output: `The input does not fit the schema of ${definition.name}:\n${wrong.join('\n')}`,
          is_error: true,
          refused: true,
        };
      }
      return run(parsed.data, context);
    },
  };
}
