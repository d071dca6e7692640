/** `chat-kernel acp`: runs the agent for editors on stdin and stdout. */
import { serveAcp, type ToolServers, type ToolServersOptions } from '@chat-kernel/acp';
import packageJson from '../../package.json' with { type: 'json' };
import { type AddressFlags, kernelAddress } from './address.ts';
import { type CommandFlags, commandOptions } from './command-options.ts';

export type AcpFlags = AddressFlags & CommandFlags;

export async function acp({ sandbox, env, ...flags }: AcpFlags): Promise<void> {
  const commands = commandOptions({ sandbox, env });
  const { url, token, startKernel } = await kernelAddress(flags);
  await serveAcp(
    {
      url,
      ...(token !== undefined && { token }),
      version: packageJson.version,
      startKernel,
      openToolServers,
      commands,
      say: line => process.stderr.write(`chat-kernel acp: ${line}\n`),
    },
    process.stdin,
    process.stdout,
  );
  // Close everything when the editor disconnects.
  process.exit();
}

/** Connects to the MCP servers of an editor with the MCP client of the kernel. */
export async function openToolServers({ servers, say }: ToolServersOptions): Promise<ToolServers> {
  const { openMcp } = await import('@chat-kernel/mcp-client');
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
              // Editors cannot show questions of an MCP server.
              askOwner: async () => ({ reason: 'cancelled' }),
            });
            const unseen = images.map(({ media_type }) => `[${media_type}: not supported here]`);
            return { output: [output, ...unseen].filter(text => text !== '').join('\n'), is_error };
          },
        })),
    stop: mcp.stop,
  };
}
