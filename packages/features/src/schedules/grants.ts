/** Checks and describes the calls that a schedule allows in its turns (CONSENT-4). */
import type { FeatureHost } from '@chat-kernel/kernel';
import type { ScheduleGrant } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';

/** Returns the grants to store. @throws KernelError invalid_value with the position of the mistake */
export function checkGrants(
  grants: readonly { tool: string; target?: string | null | undefined }[],
  findTool: FeatureHost['findTool'],
): ScheduleGrant[] {
  return grants.map(({ tool: name, target = null }, index) => {
    const refuse = (field: 'tool' | 'target', detail: string) =>
      new KernelError('invalid_value', detail, {
        errors: [{ pointer: `/grants/${index}/${field}`, detail }],
      });
    const tool = findTool(name);
    if (tool === undefined) throw refuse('tool', `There is no tool ${name}. GET /v1/tools lists all tools.`);
    const sends = tool.effects.includes('send');
    if (sends && target === null)
      throw refuse('target', `${name} sends something out, so its grant needs a target.`);
    const takesAddress = Object.hasOwn((tool.input_schema.properties ?? {}) as object, 'url');
    if (sends && takesAddress && target !== null && !isHost(target))
      throw refuse('target', `The target of ${name} must be a host, such as example.org.`);
    return { tool: name, target };
  });
}

const isHost = (text: string): boolean =>
  URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text;

/** A grant as the owner and models read it. */
export const describeGrant = ({ tool, target }: ScheduleGrant): string =>
  `${tool} for ${target === null ? 'everything' : JSON.stringify(target)}`;
