/** Builds the environment of a command: the variables that programs need, without any that may be a secret. */
import { homedir } from 'node:os';
import { harmlessVariables, type ProcessEnvironment } from '../processes/environment.ts';

export const commandEnvironment = (kernel: ProcessEnvironment): Record<string, string> => ({
  HOME: homedir(),
  ...harmlessVariables(kernel),
  TERM: 'dumb',
});
