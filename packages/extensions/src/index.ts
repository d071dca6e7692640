/** What extends the kernel from outside: modules, and third-party tool servers. */
export * from './modules/index.ts';
