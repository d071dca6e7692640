/** Checks the input of a call before its tool runs. The model reads a mismatch as an error (MOD-6). */
import type { JsonObject } from '@chat-kernel/protocol';
import type { Tool, ToolOutput } from '../ports/index.ts';
import { inputMistakes } from './input-schema.ts';

/**
 * The rejection of an input that does not match the schema of its tool; undefined if it matches. Built-in tools check
 * their input themselves.
 * @throws Error if a pattern of the schema takes too long
 */
export function inputRefusal(
  { name, source, input_schema }: Pick<Tool, 'name' | 'source' | 'input_schema'>,
  input: JsonObject,
): ToolOutput | undefined {
  if (source === 'builtin') return undefined;
  const mistakes = inputMistakes(input_schema, input);
  if (mistakes.length === 0) return undefined;
  const list = mistakes.map(mistake => `- ${mistake}`).join('\n');
  return {
    output: `The input does not match the schema of ${name}:\n${list}`,
    is_error: true,
    refused: true,
  };
}
