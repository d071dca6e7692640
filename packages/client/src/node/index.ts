/** Hands for Node: the client's operations on a real disk and with real processes. */
export { type NodeHandsOptions, nodeHands } from './node-hands.ts';
