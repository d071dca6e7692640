/** Types of imports that Vite handles, and of an import in the protocol, of which the page has only the types. */
declare module 'node:timers/promises' {
  export const setImmediate: () => Promise<void>;
}
declare module '*?worker&url' {
  const address: string;
  export default address;
}
declare module '*?url' {
  const address: string;
  export default address;
}
