/** Tables and the functions that read them. They depend on no package, so that browsers load them without the schemas. */
export * from './covered.ts';
export * from './decisions.ts';
export * from './note-facts.ts';
export * from './operation-fields.ts';
export * from './protected-paths.ts';
export * from './sandbox-exceptions.ts';
export * from './secret-paths.ts';
