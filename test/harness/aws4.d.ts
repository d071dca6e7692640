/** Types of the part of aws4 that tests use, which it lacks. */
declare module 'aws4' {
  const aws4: {
    sign(
      request: {
        service: string;
        region: string;
        method: string | undefined;
        path: string | undefined;
        headers: Record<string, string>;
        extraHeadersToInclude: Record<string, boolean>;
      },
      account: { accessKeyId: string; secretAccessKey: string },
    ): { headers?: Record<string, string> };
  };
  export default aws4;
}
