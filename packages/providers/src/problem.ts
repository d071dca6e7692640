/** Describes a provider that cannot be used: what failed, and what to do. */
import type { ProviderAccess } from './wire/kind.ts';

export interface ProviderProblem {
  /** The name of the provider in the settings. */
  provider: string;
  sentence: string;
  advice: string;
}

/** Receives each problem once. */
export type TellProblem = (problem: ProviderProblem) => void;

/** The list of models could not be read. */
export function listingProblem({ name, base_url = '' }: ProviderAccess, thrown: unknown): ProviderProblem {
  const { code, message } = thrown as Error & { code?: unknown };
  const address = base_url;
  const reason = typeof code === 'string' && code !== 'ABORT_ERR' ? code : message.split('\n', 1)[0];
  return {
    provider: name,
    sentence: `the provider ${name} did not list its models at ${address}: ${reason}`,
    advice: adviceFor(name, address, typeof code === 'string' ? code : undefined, message),
  };
}

function adviceFor(name: string, address: string, code: string | undefined, message: string): string {
  const status = Number(/^It answered (\d{3})\.$/.exec(message)?.[1] ?? 0);
  const setting = `llm.providers.${name}`;
  if (status === 401 || status === 403) return `correct the key of ${setting}`;
  if (status === 429 || status >= 500) return 'wait until the provider answers again, and restart the kernel';
  if (status !== 0) return `correct ${setting}.base_url, or name its models in llm.models`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `correct the host name in ${setting}.base_url`;
  if (code !== undefined) return `start the server at ${address}, or correct ${setting}.base_url`;
  return 'name its models in llm.models';
}
