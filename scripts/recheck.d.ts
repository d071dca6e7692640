/** The pure JavaScript bundle of recheck: its entry point starts a Java or native program where it finds one. */
declare module 'recheck/lib/browser.js' {
  import type * as recheck from 'recheck';

  const bundle: Pick<typeof recheck, 'checkSync'>;
  export default bundle;
}
