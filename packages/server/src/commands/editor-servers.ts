/** The MCP servers of an editor, reached by the same client of MCP that the kernel has for its own. */
import type { ToolServers, ToolServersOptions } from '@chat-kernel/acp';

export async function openToolServers({ servers, say }: ToolServersOptions): Promise<ToolServers> {
  const { openMcp } = await import('@chat-kernel/extensions/mcp');
  const tell = (facts: object, sentence: string) => say(`${sentence}: ${JSON.stringify(facts)}`);
  const log = { debug: () => {}, info: () => {}, warn: tell, error: tell };
  const directory = process.cwd();
  const mcp = openMcp({ servers, log, environment: process.env, directory });
  mcp.start();
  return {
    tried: mcp.tried,
    tools: () =>
      mcp
        .tools()
        .filter(({ available }) => available !== false)
        .map(({ name, description, input_schema, outside_effect, run }) => ({
          name,
          description,
          input_schema,
          acts: outside_effect !== false,
          async run(input, { signal, progress }) {
            const {
              output,
              is_error = false,
              images = [],
            } = await run(input, {
              signal,
              progress,
              trace: undefined,
              // An editor has no place for a question of somebody else.
              askOwner: async () => ({ reason: 'cancelled' }),
            });
            const unseen = images.map(({ media_type }) => `[${media_type}: it cannot be shown here]`);
            return { output: [output, ...unseen].filter(text => text !== '').join('\n'), is_error };
          },
        })),
    stop: mcp.stop,
  };
}
