/** Supports any provider package of the AI SDK, by its npm name. Users install such a package next to the kernel. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { COMMON_SCHEMAS } from '../schema/rules.ts';
import type { Fetch } from '../trip/connection.ts';
import { plainCallId, plainName } from '../wire/call.ts';
import { reasoningFor } from '../wire/effort.ts';
import { fetchWithQuery } from '../wire/endpoint.ts';
import type { ProviderAccess, ProviderKind } from '../wire/kind.ts';
import { packaged } from '../wire/packaged.ts';

type ProviderFactory = (settings: object) => ProviderOfPackage;
type ModelFactory = (model: string) => { specificationVersion: string };
type ProviderOfPackage = ModelFactory & { languageModel?: ModelFactory };

export const aiSdk: ProviderKind = {
  async open(access) {
    const name = access.package;
    if (!name) throw new Error(`The provider ${access.name} of kind ai-sdk needs the name of a package.`);
    const create = findFactory(await importPackage(name), name);
    return {
      connect: (model, { fetch }) => packaged(connect(create, access, model, fetch)),
      options: ({ request, thinks }) => {
        const reasoning = reasoningFor(request.effort, thinks);
        return {
          reasoning: reasoning === 'none' ? undefined : reasoning,
          maxOutputTokens: request.max_output_tokens,
        };
      },
      callId: plainCallId,
      toolName: plainName,
      schemas: COMMON_SCHEMAS,
    };
  },
};

/** Searches next to the kernel first, then in the working directory. */
async function importPackage(name: string): Promise<Record<string, unknown>> {
  const places = [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href];
  for (const place of places) {
    let path: string;
    try {
      path = createRequire(place).resolve(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') continue;
      throw error;
    }
    return import(pathToFileURL(path).href);
  }
  throw new Error(`The package ${name} is not installed. Install it with: npm install ${name}`);
}

/** Returns the package's create function; if there are several, the one named like the package. */
function findFactory(exported: Record<string, unknown>, name: string): ProviderFactory {
  const factories = Object.keys(exported).filter(
    key => /^create[A-Z]/.test(key) && typeof exported[key] === 'function',
  );
  const namesake = `create${name.split('/').at(-1)!.replaceAll('-', '')}`.toLowerCase();
  const key = factories.find(factory => factory.toLowerCase() === namesake) ?? factories[0];
  if (!key)
    throw new Error(
      `The package ${name} is not a provider package of the AI SDK: it exports no create function.`,
    );
  return exported[key] as ProviderFactory;
}

function connect(
  create: ProviderFactory,
  access: ProviderAccess,
  model: string,
  fetch: Fetch,
): LanguageModelV4 {
  const provider = create({
    name: access.name,
    baseURL: access.base_url,
    apiKey: access.api_key,
    headers: access.headers,
    fetch: fetchWithQuery(access, fetch),
  });
  const made = provider.languageModel ? provider.languageModel(model) : provider(model);
  if (made.specificationVersion !== 'v4') {
    throw new Error(
      `The package ${access.package} speaks version ${made.specificationVersion} of the AI SDK's interface, the kernel v4. Install a newer one.`,
    );
  }
  return made as LanguageModelV4;
}
