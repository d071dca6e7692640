/** `chat-kernel acp`: hands stdin and stdout to the agent of editors. */
import { serveAcp } from '@chat-kernel/acp';
import packageJson from '../../package.json' with { type: 'json' };
import { explain } from '../start/start-failure.ts';
import { type AddressFlags, kernelAddress } from './address.ts';
import { openToolServers } from './editor-servers.ts';

const USAGE = 2;

export async function acp(flags: AddressFlags): Promise<void> {
  try {
    const { url, token, startKernel } = await kernelAddress(flags);
    await serveAcp(
      {
        url,
        ...(token !== undefined && { token }),
        version: packageJson.version,
        startKernel,
        openToolServers,
        say: line => process.stderr.write(`chat-kernel acp: ${line}\n`),
      },
      process.stdin,
      process.stdout,
    );
    // Nothing that is done here outlives the editor.
    process.exit();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = USAGE;
  }
}
