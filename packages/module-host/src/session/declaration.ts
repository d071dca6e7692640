/** Parses the declaration of a module, and recognizes it later by its fingerprint. */
import { createHash } from 'node:crypto';
import { InitializeResult, isTooDeep, MODULE_PROTOCOL, type ToolDecl } from '@chat-kernel/protocol';
import { z } from 'zod';

/** Thrown if the declaration is not acceptable; the message says why. A retry would not help. */
export class DeclarationRefused extends Error {}

/** Maximum nesting of a schema. Code that handles it later, in the kernel and at the providers, may be recursive. */
const MAX_DEPTH = 64;

const ToolsChanged = z.object({ tools: InitializeResult.shape.tools });

/** Parses the answer to `initialize`. @throws DeclarationRefused */
export function readDeclaration(answer: unknown, name: string): InitializeResult {
  const protocol = z.object({ protocol: z.unknown() }).safeParse(answer).data?.protocol;
  if (protocol !== undefined && protocol !== MODULE_PROTOCOL) {
    const spoken = String(protocol).slice(0, 20);
    throw new DeclarationRefused(
      `it uses protocol version ${spoken}, but the kernel uses version ${MODULE_PROTOCOL}`,
    );
  }
  const parsed = InitializeResult.safeParse(answer);
  if (!parsed.success) throw new DeclarationRefused(`its declaration is wrong: ${mistakesIn(parsed.error)}`);
  if (parsed.data.name !== name) {
    throw new DeclarationRefused(
      `it declares the name ${parsed.data.name.slice(0, 64)}, but is configured as ${name}`,
    );
  }
  return { ...parsed.data, tools: checked(parsed.data.tools) };
}

/** Parses the tools in the notification `tools/changed`. @throws DeclarationRefused */
export function readTools(params: unknown): ToolDecl[] {
  const parsed = ToolsChanged.safeParse(params);
  if (!parsed.success) throw new DeclarationRefused(`its new tools are wrong: ${mistakesIn(parsed.error)}`);
  return checked(parsed.data.tools);
}

function checked(tools: ToolDecl[]): ToolDecl[] {
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw new DeclarationRefused('two of its tools have the same name');
  }
  const deep = tools.find(({ input_schema }) => isTooDeep(input_schema, MAX_DEPTH));
  if (deep) {
    throw new DeclarationRefused(`the schema of its tool ${deep.name} has more than ${MAX_DEPTH} levels`);
  }
  return tools;
}

/** Returns the first of many mistakes, each with its path. */
export const mistakesIn = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the declaration'}: ${message}`)
    .join('; ');

/**
 * Returns the hash to which an approval is bound: of everything that has effects, whatever the order of the fields. It
 * includes `about`, which is in every prompt, but not the version, so that an update does not stop a module.
 */
export function fingerprint({ name, about, tools, stages }: InitializeResult): string {
  return createHash('sha256').update(canonical({ name, about, tools, stages })).digest('hex');
}

/** Serializes a value to the same JSON, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, child: unknown) => {
    if (typeof child !== 'object' || child === null || Array.isArray(child)) return child;
    // A list, because an object would move keys such as 10 to its front, and lose __proto__.
    return { object: Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)) };
  });
