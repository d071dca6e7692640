/** What the build makes of imports that are no programs. */
declare module '*?worker&url' {
  const address: string;
  export default address;
}
