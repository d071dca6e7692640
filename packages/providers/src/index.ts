/** Implements the kernel's port `Models`: language models over the APIs of their providers. */
export { type ModelsOptions, openModels } from './open.ts';
