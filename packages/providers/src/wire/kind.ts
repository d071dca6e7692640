/** A kind of provider: all that the package knows of it stands in its file in kinds/. */
import type { Vendor } from '../catalogue/index.ts';
import type { ProviderWire } from './wire.ts';

export interface ProviderKind {
  /** The company behind the service: its models are in the catalogue, and it wants a key. Absent: anybody's servers. */
  maker?: {
    vendor: Vendor;
    /** Environment variables that usually hold the key, strongest first. */
    key_variables: readonly string[];
  };
  /** The path in which addresses of this kind mostly end, such as /v1. */
  usual_path?: string;
  /** Servers of this kind list their models at GET {base_url}/models. */
  lists_models?: true;
  /**
   * Imports the package of the kind, which is slow, and makes the wire.
   * Rejects with a sentence for the owner where the settings or the package do not allow it.
   */
  open(access: ProviderAccess): Promise<ProviderWire>;
}

/** The way to a configured or found provider. */
export interface ProviderAccess {
  /** The provider's name in the settings. */
  name: string;
  base_url?: string;
  api_key?: string;
  headers?: Record<string, string>;
  /** The npm name, for kind ai-sdk. */
  package?: string;
  /** The value for effort `off` on a wire that would otherwise think by itself; absent: nothing is sent. */
  off?: 'none';
}
