/** Language models over the AI SDK's provider packages: the kernel's port `Models`. */
export { type ModelsOptions, openModels } from './open.ts';
