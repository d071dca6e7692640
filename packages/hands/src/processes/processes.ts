/** Helpers for programs that the kernel starts. */
export { harmlessVariables, type ProcessEnvironment } from './environment.ts';
export { signalGroup } from './process-group.ts';
export { type SupervisedProgram, startSupervised } from './supervised.ts';
