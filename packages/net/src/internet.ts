/** Resolves names and connects. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** Tests replace it, because all their hosts are on this machine. */
export interface Internet {
  resolve(host: string): Promise<LookupAddress[]>;
  /** Returns where to connect for an allowed address. */
  dial(address: LookupAddress): LookupAddress;
}

export const INTERNET: Internet = {
  resolve: host => lookup(host, { all: true }),
  dial: address => address,
};
