/** Says after a failed command what of the network it did not reach because of the sandbox (CONSENT-9). */
import type { HostList } from './hosts.ts';

/** Errors of programs that connected to a port of this machine; in the sandbox it is another one. */
const NO_PORT = /connection refused|econnrefused/;
/** Errors of programs that did not use the proxy. */
const NO_HOST =
  /could not resolve|cannot resolve|name resolution|name or service not known|nodename nor servname|getaddrinfo|enotfound|eai_again|network is unreachable|enetunreach/;

interface NetworkFacts {
  network: 'on' | 'off' | HostList;
  /** Sentences of the proxy about hosts that were not reached. */
  failures: Iterable<string>;
  /** Whether a command failed: the output of others may be about any errors. */
  failed: boolean;
}

export function networkNotes(output: string, { network, failures, failed }: NetworkFacts): string[] {
  const named = [...failures].map(sentence => `[network: ${sentence}]`);
  // The proxy knows what failed.
  if (!failed || named.length > 0) return named;
  const text = output.toLowerCase();
  const hosts =
    network === 'off'
      ? '[sandbox: there is no network, because tools.shell.network is off]'
      : '[sandbox: hosts are reachable only through the proxy in HTTPS_PROXY, not by SSH or UDP]';
  return [
    ...(NO_PORT.test(text)
      ? ['[sandbox: ports of this machine are unreachable, except those that the command opens]']
      : []),
    ...(NO_HOST.test(text) ? [hosts] : []),
  ];
}
