/** The interface of a provider kind; everything specific to a kind is in its file in kinds/. */
import type { Vendor } from '../catalogue/index.ts';
import type { ProviderWire } from './wire.ts';

export interface ProviderKind {
  /** The company behind the service: its models are in the catalogue, and it requires a key. Absent: any server. */
  maker?: {
    vendor: Vendor;
    /** Environment variables that usually contain the key, in order of preference. */
    key_variables: readonly string[];
  };
  /** The usual path of addresses of this kind, such as /v1. */
  usual_path?: string;
  /** Servers of this kind list their models at GET {base_url}/models. */
  lists_models?: true;
  /**
   * Imports the package of the kind, which is slow, and creates the connection factory. Rejects with a sentence for the
   * user if the settings or the package do not allow it.
   */
  open(access: ProviderAccess): Promise<ProviderWire>;
}

/** How to access a configured or discovered provider. */
export interface ProviderAccess {
  /** The provider's name in the settings. */
  name: string;
  /** The address without a slash at its end, query and fragment; see `endpoint`. Absent: the kind's own. */
  base_url?: string;
  /** The query of all its requests, such as Azure's `api-version=...`; absent: none. */
  query?: string;
  api_key?: string;
  headers?: Record<string, string>;
  /** The npm name, for kind ai-sdk. */
  package?: string;
  /** The value for effort `off` on an API that otherwise thinks automatically; absent: nothing is sent. */
  off?: 'none';
}
