/** Hands for Node: operations on a real disk and with real processes. */
export { type NodeHandsOptions, nodeHands } from './node-hands.ts';
export { reached } from './reach.ts';
