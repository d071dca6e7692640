/** A tool of somebody else that may repeat what it was trusted with: a guest that refuses a call tells its headers. */
import type { Tool } from '@chat-kernel/kernel';
import { REDACTED } from '../settings/redact.ts';
import { worthHiding } from '../settings/secrets.ts';

/** The same tool, whose output has `***` in the place of each secret: no model reads one, and none is stored (API-7). */
export function hidingTool(tool: Tool, secrets: readonly string[]): Tool {
  const hidden = worthHiding(secrets);
  const hide = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  return {
    ...tool,
    async run(input, context) {
      const told = await tool.run(input, context);
      return { ...told, output: hide(told.output) };
    },
  };
}
