/** Language models over the wires of their providers: the kernel's port `Models`. */
export { type ModelsOptions, openModels } from './open.ts';
