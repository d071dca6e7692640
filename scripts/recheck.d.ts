/** The pure JavaScript bundle of recheck: its default entry point starts a Java or native program if it finds one. */
declare module 'recheck/lib/browser.js' {
  import type * as recheck from 'recheck';

  const bundle: Pick<typeof recheck, 'checkSync'>;
  export default bundle;
}
