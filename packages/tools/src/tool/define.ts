/** How a built-in tool is written: a zod schema in, a parsed input to the handler. */
import type { Tool, ToolContext, ToolOutput } from '@chat-kernel/kernel';
import type { JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';

interface Definition<Input extends z.ZodObject> {
  name: string;
  description: string;
  /** Field descriptions reach the model. */
  input: Input;
  group: string;
  icon: string;
  trusted_only?: boolean;
  /** Folded with its group until the model loads it. */
  on_demand?: boolean;
  outside_effect?: boolean;
  lead_only?: true;
  loads_groups?: true;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
}

/** The tool; input that does not fit becomes an error that tells the model what to change (MOD-6). */
export function defineTool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  const { input: schema, run, trusted_only = false, ...told } = definition;
  const { $schema: _, ...input_schema } = z.toJSONSchema(schema, { io: 'input' }) as JsonObject;
  return {
    outside_effect: false,
    on_demand: false,
    ...told,
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
        };
      }
      return run(parsed.data, context);
    },
  };
}
