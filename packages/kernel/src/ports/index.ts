/** Exports the dependencies of the kernel: implemented by packages above it, provided by the server. */
export * from './clock.ts';
export * from './consent.ts';
export * from './extensions.ts';
export * from './feature.ts';
export * from './guests.ts';
export * from './journal.ts';
export * from './log.ts';
export * from './machine.ts';
export * from './model.ts';
export * from './remote-tools.ts';
export * from './request.ts';
export * from './store/index.ts';
export * from './tool.ts';
export * from './trace-context.ts';
export * from './turn-observer.ts';
export * from './undo.ts';
export * from './voice.ts';
