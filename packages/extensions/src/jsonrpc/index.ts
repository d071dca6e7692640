/** JSON-RPC 2.0 with another process, one object per line. */
export { Allowance } from '../pace/rate-limiter.ts';
export { LinkLost, NotSent, RpcError, TimedOut } from './failures.ts';
export { Peer, type PeerEnd, type PeerOptions } from '../modules/session/peer.ts';
