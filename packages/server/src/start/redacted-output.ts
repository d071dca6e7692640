/**
 * Redacts outputs of third-party tools, which may repeat secrets: an MCP server that rejects a call can quote its
 * headers. Every turn redacts the outputs of all tools (`known-secrets.ts` in the kernel), but another kernel of the
 * database, whose turn may call these tools, does not know the secrets of this one. Replaces plain words, too.
 */
import type { ExtensionTool } from '@chat-kernel/kernel';
import { REDACTED, worthHiding } from '@chat-kernel/settings';

/** Returns the tool with `***` in its output for each secret: no model reads a secret, and none is stored (API-7). */
export function redactOutput(tool: ExtensionTool, secrets: readonly string[]): ExtensionTool {
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
