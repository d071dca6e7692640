/** What a module says of itself: read once, and known again by its fingerprint. */
import { createHash } from 'node:crypto';
import { InitializeResult, MODULE_PROTOCOL, type ToolDecl } from '@chat-kernel/protocol';
import { z } from 'zod';

/** The module cannot be used as it is; the message says why. Asking again changes nothing. */
export class Refused extends Error {}

/** Levels of a schema. What goes through it later, here and at the providers, may not be as patient. */
const MAX_DEPTH = 64;

const ToolsChanged = z.object({ tools: InitializeResult.shape.tools });

/** The answer to `initialize`. @throws Refused */
export function readDeclaration(answer: unknown, name: string): InitializeResult {
  const protocol = z.object({ protocol: z.unknown() }).safeParse(answer).data?.protocol;
  if (protocol !== undefined && protocol !== MODULE_PROTOCOL) {
    const spoken = String(protocol).slice(0, 20);
    throw new Refused(`it speaks version ${spoken} of the protocol, the kernel version ${MODULE_PROTOCOL}`);
  }
  const parsed = InitializeResult.safeParse(answer);
  if (!parsed.success) throw new Refused(`its declaration is wrong: ${whatIsWrong(parsed.error)}`);
  if (parsed.data.name !== name) {
    throw new Refused(`it calls itself ${parsed.data.name.slice(0, 64)}; here its name is ${name}`);
  }
  return { ...parsed.data, tools: checked(parsed.data.tools) };
}

/** The tools of the notification `tools/changed`. @throws Refused */
export function readTools(params: unknown): ToolDecl[] {
  const parsed = ToolsChanged.safeParse(params);
  if (!parsed.success) throw new Refused(`its new tools are wrong: ${whatIsWrong(parsed.error)}`);
  return checked(parsed.data.tools);
}

function checked(tools: ToolDecl[]): ToolDecl[] {
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw new Refused('two of its tools have the same name');
  }
  const deep = tools.find(({ input_schema }) => isDeeper(input_schema, MAX_DEPTH));
  if (deep) throw new Refused(`the schema of its tool ${deep.name} has more than ${MAX_DEPTH} levels`);
  return tools;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(part => isDeeper(part, levels - 1)));

/** The first mistakes of many, each with its place. */
export const whatIsWrong = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
    .join('; ');

/** What an approval is bound to: the name, the version, the tools and the stages, in whatever order their fields stand. */
export function fingerprint({ name, version, tools, stages }: InitializeResult): string {
  return createHash('sha256').update(canonical({ name, version, tools, stages })).digest('hex');
}

/** JSON that is the same for the same value, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    // As a list, for an object would move keys such as 10 to its front, and lose __proto__.
    return { object: Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)) };
  });
