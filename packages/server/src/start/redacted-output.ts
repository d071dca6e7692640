/** Outputs of third-party tools, which may repeat secrets: an MCP server that refuses a call can quote its headers. */
import type { BroughtTool } from '@chat-kernel/kernel';
import { REDACTED } from '../settings/redact.ts';
import { worthHiding } from '../settings/secrets.ts';

/** Returns the tool with `***` in its output for each secret: no model reads a secret, and none is stored (API-7). */
export function redactOutput(tool: BroughtTool, secrets: readonly string[]): BroughtTool {
  const hidden = worthHiding(secrets);
  const hide = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  return {
    ...tool,
    async run(input, context) {
      const result = await tool.run(input, context);
      return { ...result, output: hide(result.output) };
    },
  };
}
